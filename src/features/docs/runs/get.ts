import type { Needs } from "../../../platform/context.ts";
import { requireDocRun } from "./find.ts";
import { isOwnRun, shownRunDetail, type DocRunDetail } from "./run.ts";
import { selectExecutions } from "./store.ts";

/** A run with its datasets; for who started it, and for admins, with their errors and results. */
export async function getDocRun(ctx: Needs<"scope" | "db">, docId: string, id: string): Promise<DocRunDetail> {
  const run = await requireDocRun(ctx, docId, id);
  return shownRunDetail(run, await selectExecutions(ctx.db, run), isOwnRun(ctx.scope, run));
}
