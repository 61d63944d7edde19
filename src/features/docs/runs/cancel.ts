import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { endUnlessPublished } from "../builds/end-run.ts";
import { requireDocRun } from "./find.ts";
import { getDocRun } from "./get.ts";
import { hasEnded, requireOwnRun, type DocRunDetail } from "./run.ts";
import { isCancellableInSql, requestCancel } from "./store.ts";

/**
 * Asks for a run's end. Its sandbox is asked at once, and again by its next heartbeat; one that knows of no such run
 * has nothing to end. Throws 409 for a run that has ended.
 */
export async function cancelDocRun(
  ctx: Needs<"scope" | "db" | "bucket" | "openSandbox" | "openLake">,
  docId: string,
  id: string,
): Promise<DocRunDetail> {
  const { scope, db, openSandbox } = ctx;
  const run = await requireDocRun(ctx, docId, id);
  requireOwnRun(scope, run);
  if (hasEnded(run)) throw new Problem("resource_conflict", "This run has ended already.");
  const at = scope.now.toISOString();
  await db.batch([
    recordAuditIf(db, scope, {
      action: "doc_run.cancel",
      subjectId: run.id,
      when: isCancellableInSql(scope.teamId, run.id),
      before: { doc_id: run.docId, cancel_requested_at: null },
      after: { doc_id: run.docId, cancel_requested_at: at },
    }),
    requestCancel(db, scope.teamId, run.id, at),
  ]);
  const isThere = await openSandbox(scope.teamId)
    .cancelRun(run.id)
    .catch(() => true);
  if (!isThere) await endUnlessPublished(ctx, run, { state: "cancelled", error: "The run was cancelled." }, new Date());
  return getDocRun(ctx, docId, id);
}
