import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../platform/context.ts";
import type { ExecutionDetail } from "./execution.ts";
import { resultKey } from "./result-key.ts";
import { isOwnRun, type Execution, type Run } from "../runs/run.ts";
import { findExecution } from "../runs/store.ts";

export async function requireExecution(
  { scope, db }: Needs<"scope" | "db">,
  id: string,
): Promise<{ execution: Execution; run: Run }> {
  const found = await findExecution(db, scope.teamId, id);
  if (!found) throw notFound("Execution", id);
  return found;
}

const NOTHING: Pick<Execution, "error" | "traceback" | "result"> = { error: null, traceback: null, result: null };

/** How one dataset went. Its error, traceback and result are for who started the run, and for admins. */
export async function getExecution(ctx: Needs<"scope" | "db" | "bucket">, id: string): Promise<ExecutionDetail> {
  const { execution, run } = await requireExecution(ctx, id);
  const isOwn = isOwnRun(ctx.scope, run);
  const { error, traceback, result } = isOwn ? execution : NOTHING;
  const url = result && result.path !== null ? ctx.bucket.signGet(resultKey(run.teamId, run.id, execution.id)) : null;
  return {
    id: execution.id,
    run_id: run.id,
    doc_id: run.docId,
    dataset_key: execution.datasetKey,
    engine: execution.engine,
    state: execution.state,
    error,
    traceback,
    started_at: execution.startedAt,
    duration_ms: execution.durationMs,
    peak_bytes: execution.peakBytes,
    result: result && {
      kind: result.kind,
      rows: result.rows,
      bytes: result.bytes,
      columns: result.columns,
      download_url: url,
    },
  };
}
