import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { requireRun } from "../find.ts";
import { describeRun } from "./get.ts";
import { hasEnded } from "../../work-model/next-state.ts";
import type { SyncRunDetail } from "./wire-schema.ts";
import { cancelRun, isCancellableInSql } from "./store.ts";

/**
 * Asks for a run's end; its job can write nothing once the run says it is cancelled. Throws 409 for one that has ended.
 */
export async function cancelSyncRun(
  ctx: Needs<"scope" | "db" | "wakeUps" | "openLake">,
  integrationId: string,
  runId: string,
): Promise<SyncRunDetail> {
  const { scope, db, wakeUps } = ctx;
  const run = await requireRun(ctx, integrationId, runId);
  const at = scope.now.toISOString();
  const [, asked] = await db.batch([
    recordAuditIf(db, scope, {
      action: "sync_run.cancel",
      subjectId: run.id,
      when: isCancellableInSql(scope.teamId, run.id),
      before: { sync_id: run.syncId, cancel_requested_at: null },
      after: { sync_id: run.syncId, cancel_requested_at: at },
    }),
    cancelRun(db, run, at, `Cancelled by ${scope.userName}.`),
  ]);
  if (asked.length > 0) await wakeUps.send("sync_run", run);
  const now = await requireRun(ctx, integrationId, run.id);
  if (asked.length === 0 && hasEnded(now)) throw new Problem("resource_conflict", "This run has ended already.");
  return describeRun(ctx, now);
}
