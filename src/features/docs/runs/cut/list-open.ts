// Runs of docs that nobody else would end: what runs with rights that are gone.

import { DOC_LIMITS } from "../../limits.ts";
import type { Needs } from "../../../../clients/context.ts";
import { selectRunsWithoutRights } from "./store.ts";

export type RunToCut = { teamId: string; id: string; code: "owner_gone" | "doc_archived" };

/** `teamId`: of this team alone. */
export const listRunsWithoutRights = ({ db }: Needs<"db">, teamId: string | undefined): Promise<RunToCut[]> =>
  selectRunsWithoutRights(db, teamId, DOC_LIMITS.runsSweptMax);
