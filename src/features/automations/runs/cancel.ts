import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { requestCancel } from "../../work-model/runs/cancel-run.ts";
import { hasEnded } from "../../work-model/next-state.ts";
import type { RunName } from "../../work-model/run.ts";
import { requireRun } from "./find.ts";
import { showRun } from "./get.ts";
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
export const cancelRun = (ctx: Needs<"scope" | "db" | "wakeUps">, run: RunName): Promise<boolean> =>
  requestCancel(ctx, "automation_run", run, { action: "automation_run.cancel" });
