import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { hasEnded } from "../../work-model/next-state.ts";
import type { RunName } from "../../work-model/run.ts";
import { requireRun } from "./find.ts";
import { showRun } from "./get.ts";
import { cancelRunRow, isCancellableInSql } from "../cancelling/store.ts";
import type { AutomationRun } from "./wire-schema.ts";

/** Asks for a run's end; what works on it is ended by its next step. Throws 409 for one that has ended. */
export async function cancelAutomationRun(
  ctx: Needs<"scope" | "db" | "wakeUps" | "openLake">,
  jobId: string,
  runId: string,
): Promise<AutomationRun> {
  const { run } = await requireRun(ctx, jobId, runId);
  const isFirst = await cancelRun(ctx, run);
  const now = await requireRun(ctx, jobId, runId);
  if (!isFirst && hasEnded(now.run)) throw new Problem("resource_conflict", "This run has ended already.");
  return showRun(ctx, now);
}

/** False where it has ended, or somebody has asked for its end before. The scope is of the run's team. */
export async function cancelRun(
  { scope, db, wakeUps }: Needs<"scope" | "db" | "wakeUps">,
  run: RunName,
): Promise<boolean> {
  const at = scope.now.toISOString();
  const [, asked] = await db.batch([
    recordAuditIf(db, scope, {
      action: "automation_run.cancel",
      subjectId: run.id,
      when: isCancellableInSql(run),
      before: { cancel_requested_at: null },
      after: { cancel_requested_at: at },
    }),
    cancelRunRow(db, run, at, `Cancelled by ${scope.userName}.`),
  ]);
  if (asked.length > 0) await wakeUps.send("automation_run", run);
  return asked.length > 0;
}
