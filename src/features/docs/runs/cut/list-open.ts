// Runs of docs that nobody else would end: what runs with rights that are gone.

import { LIMITS } from "../../../../core/limits.ts";
import type { Needs } from "../../../../platform/context.ts";
import { selectOpenRunsOf, selectRunsWithoutRights } from "./store.ts";

export type RunToCut = { teamId: string; id: string; code: "owner_gone" | "doc_archived" };

type Which = { of: { docId: string } | { userId: string }; code: RunToCut["code"] };

export const listOpenRunsOf = async ({ db }: Needs<"db">, teamId: string, { of, code }: Which): Promise<RunToCut[]> =>
  (await selectOpenRunsOf(db, teamId, of, LIMITS.runsSweptMax)).map((run) => ({ ...run, code }));

export const listRunsWithoutRights = ({ db }: Needs<"db">, rowsMax: number): Promise<RunToCut[]> =>
  selectRunsWithoutRights(db, rowsMax);
