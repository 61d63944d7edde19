import type { Needs } from "../../../clients/context.ts";
import { requireDocRun } from "./find.ts";
import { openRunReader } from "../executions/read-output.ts";
import { shownRunDetail, type DocRunDetail } from "./run.ts";
import { selectExecutions } from "./store.ts";

/** A run with its datasets; with their errors and results for whom its output is. */
export async function getDocRun(ctx: Needs<"scope" | "db">, docId: string, id: string): Promise<DocRunDetail> {
  const run = await requireDocRun(ctx, docId, id);
  const [executions, mayRead] = await Promise.all([selectExecutions(ctx.db, run), openRunReader(ctx)]);
  return shownRunDetail(run, executions, mayRead(run));
}
