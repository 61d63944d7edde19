import type { Needs } from "../../../platform/context.ts";
import { requireDoc } from "../find.ts";
import { shownRun, type DocRun } from "./run.ts";
import { selectRuns, type Window } from "./store.ts";

/** A page of a doc's runs, newest first. */
export async function listDocRuns(
  ctx: Needs<"scope" | "db">,
  docId: string,
  window: Window,
): Promise<{ items: DocRun[]; total: number } & Window> {
  const doc = await requireDoc(ctx, docId);
  const { items, total } = await selectRuns(ctx.db, ctx.scope.teamId, doc.id, window);
  return { items: items.map(shownRun), total, ...window };
}
