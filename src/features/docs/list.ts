import type { Page, PageOf } from "../../core/page.ts";
import type { Needs } from "../../clients/context.ts";
import type { Doc } from "./doc.ts";
import { selectDocs, type DocFilter } from "./store.ts";

/** A page of the team's docs, oldest first. */
export const listDocs = ({ scope, db }: Needs<"scope" | "db">, filter: DocFilter, page: Page): Promise<PageOf<Doc>> =>
  selectDocs(db, scope.teamId, filter, page);
