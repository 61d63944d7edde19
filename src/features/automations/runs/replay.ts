import { Problem } from "../../../core/problem.ts";
import { requireJob } from "../jobs/find.ts";
import { RESOURCES } from "../resources/resources.ts";
import { hasEnded } from "../../work-model/next-state.ts";
import { requireRun } from "./find.ts";
import { takeFirstStep, type ProcessDeps } from "./first-step.ts";
import { showRun } from "./get.ts";
import { subjectOfJob } from "./run.ts";
import { startRun } from "./start.ts";
import { findShownRun } from "./store.ts";
import type { AutomationRun } from "./wire-schema.ts";

/**
 * Runs what a run that has ended ran, once more: its datasets, of the doc as it is now, as the job says today and with
 * its owner's rights of today. Throws 409 where it goes on, or where another run is in progress that it may not wait
 * for.
 */
export async function replayAutomationRun(
  ctx: ProcessDeps,
  jobId: string,
  runId: string,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<AutomationRun> {
  const job = await requireJob(ctx, jobId);
  const { run: before } = await requireRun(ctx, job.id, runId);
  if (!hasEnded(before)) throw new Problem("work_in_progress", "This run has not ended. Wait for it, or cancel it.");
  const subject = { ...subjectOfJob(job), datasetKeys: before.datasetKeys };
  await RESOURCES[subject.resourceType].require(ctx, subject);
  const { run, isNew } = await startRun(ctx, subject, {
    overlap: job.overlap,
    request: { cause: "replay", scheduledFor: null, replayOf: before.id },
    action: "automation_run.replay",
  });
  if (!isNew) throw new Problem("work_in_progress", `Run ${run.id} of this job is in progress. Wait for its end.`);
  await takeFirstStep(ctx, run, waitUntil);
  return showRun(ctx, (await findShownRun(ctx.db, run.teamId, run.id)) ?? { run, lastWorkId: null });
}
