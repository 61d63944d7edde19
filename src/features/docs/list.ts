import type { Needs } from "../../platform/context.ts";
import type { Doc } from "./doc.ts";
import { selectDocs, type DocFilter, type Listed, type Window } from "./store.ts";

/** A page of the team's docs, oldest first. */
export async function listDocs(
  { scope, db }: Needs<"scope" | "db">,
  filter: DocFilter,
  window: Window,
): Promise<Listed<Doc> & Window> {
  return { ...(await selectDocs(db, scope.teamId, filter, window)), ...window };
}
