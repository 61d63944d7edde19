import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { ExecutionDetail } from "./execution.ts";
import { resultKey } from "./result-key.ts";
import { openRunReader } from "./read-output.ts";
import type { Execution, Run } from "../runs/run.ts";
import { findExecution } from "../runs/store.ts";
import { shownBy } from "../../../http/shown-by.ts";

export async function requireExecution(
  { scope, db }: Needs<"scope" | "db">,
  id: string,
): Promise<{ execution: Execution; run: Run }> {
  const found = await findExecution(db, scope.teamId, id);
  if (!found) throw notFound("Execution", id);
  return found;
}

type Output = Pick<Execution, "error" | "traceback" | "durationMs" | "peakBytes" | "result">;
/** How long a dataset took, and how much memory, tells of what it read. */
const NOTHING: Output = { error: null, traceback: null, durationMs: null, peakBytes: null, result: null };

/** How one dataset went; with its output for whom that is. */
export async function getExecution(ctx: Needs<"scope" | "db" | "bucket">, id: string): Promise<ExecutionDetail> {
  const { execution, run } = await requireExecution(ctx, id);
  const mayRead = await openRunReader(ctx);
  const { error, traceback, durationMs, peakBytes, result } = mayRead(run) ? execution : NOTHING;
  const url = result && result.path !== null ? ctx.bucket.signGet(resultKey(run.teamId, run.id, execution.id)) : null;
  const shown = { ...execution, docId: run.docId, error, traceback, durationMs, peakBytes };
  return shownBy(ExecutionDetail, shown, {
    run_id: run.id,
    result: result && {
      kind: result.kind,
      rows: result.rows,
      bytes: result.bytes,
      columns: result.columns,
      download_url: url,
    },
  });
}
