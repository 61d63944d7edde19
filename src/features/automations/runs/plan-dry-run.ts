import { actAsOwner } from "../automation-work.ts";
import type { Job } from "../jobs/job.ts";
import { RESOURCES } from "../resources/resources.ts";
import type { ProcessDeps } from "./first-step.ts";
import { planRun, type RunSubject } from "./run.ts";
import { selectOpenRuns } from "./store.ts";
import { NOT_WAITING } from "../../work-model/waiting/waiting.ts";
import { wireOf } from "./wire-mapping.ts";
import type { ProcessedRun } from "./wire-schema.ts";

/** Describes a run that is not made, and its obstacles now. Its doc or lake was found before. */
export async function planDryRun(ctx: ProcessDeps, job: Job, subject: RunSubject): Promise<ProcessedRun> {
  const { now } = ctx.scope;
  const run = planRun(subject, { cause: "manual", scheduledFor: null, replayOf: null }, now);
  const [owner, open, what] = await Promise.all([
    actAsOwner(ctx, run, now),
    selectOpenRuns(ctx.db, subject),
    RESOURCES[subject.resourceType].plan(ctx, subject),
  ]);
  const inProgress = open.find(({ cancelRequested }) => !cancelRequested);
  const behind = inProgress ? [`Run ${inProgress.id} is in progress; ${BEHIND[job.overlap]}`] : [];
  const notes = [...("pausedReason" in owner ? [owner.error] : []), ...behind];
  return { ...wireOf({ run, lastWorkId: null }, NOT_WAITING), id: null, plan: { ...what, notes } };
}

const BEHIND: Record<Job["overlap"], string> = {
  skip: "it would be answered in place of a new one.",
  queue: "a new one would wait for its end.",
};
