// An attempt's job is watched while it lives, and ended by force where it has to be. The lake's object is asked first,
// as it decides who may write.

import type { JobOutcome, JobProgress } from "../../../../kernel/jobs/job.ts";
import type { JobStatus } from "../../../../kernel/jobs/work.ts";
import type { Reported } from "../../../lake/writers/job-reports.ts";
import type { StepOutcome } from "../kind.ts";
import type { JobDeps, JobKind, JobLake, JobRun } from "./job.ts";
import { endLease } from "./lease.ts";

export async function watchJob<Run extends JobRun, Progress extends JobProgress>(
  kind: JobKind<Run, Progress>,
  deps: JobDeps,
  run: Run,
): Promise<StepOutcome<Progress>> {
  const lake = deps.openLake(run.lakeId);
  // The lease before the outcome: a job that ends in between is seen as ended, never as lost.
  const lease = await lake.findHeldLease(kind.leaseOf(run));
  const outcome = await outcomeOf(kind, lake, run);
  if (outcome) return endJob(kind, deps, run, outcome);
  if (lease?.holder === run.workId && !(await isOver(deps, run))) return { observation: { kind: "alive" } };
  return loseJob(kind, deps, run);
}

/**
 * Whether the engine itself knows of no such job that runs: it died, or the job could not say how it ended. That is
 * known long before the lease runs out. Where the engine can't be asked, the lease decides.
 */
async function isOver({ openEngine }: JobDeps, { teamId, workId }: JobRun): Promise<boolean> {
  try {
    return (await openEngine(teamId).getJob(workId!))?.state !== "running";
  } catch {
    return false;
  }
}

/** The engine died, or can't reach the platform. From here on the job can't write any more. */
async function loseJob<Run extends JobRun, Progress extends JobProgress>(
  kind: JobKind<Run, Progress>,
  deps: JobDeps,
  run: Run,
): Promise<StepOutcome<Progress>> {
  const lake = deps.openLake(run.lakeId);
  await endLease(kind, deps, run);
  const outcome = await outcomeOf(kind, lake, run);
  if (outcome) return ended(kind, outcome);
  const engine = deps.openEngine(run.teamId);
  const job = await engine.getJob(run.workId!).catch(() => undefined);
  if (job?.state === "running") await engine.cancelJob(run.workId!).catch(() => false);
  const observation = { kind: "lost" as const, error: reasonOf(job), platformAway: job?.platformAway ?? false };
  return { observation, progress: await progressOf(kind, lake, run) };
}

/** Ends the job, whatever it is at. One that had succeeded before its fence died has succeeded. */
export async function stopJob<Run extends JobRun, Progress extends JobProgress>(
  kind: JobKind<Run, Progress>,
  deps: JobDeps,
  run: Run,
): Promise<StepOutcome<Progress>> {
  const lake = deps.openLake(run.lakeId);
  await endLease(kind, deps, run);
  await deps
    .openEngine(run.teamId)
    .cancelJob(run.workId!)
    .catch(() => false);
  const outcome = await outcomeOf(kind, lake, run);
  if (outcome?.outcome === "succeeded") return ended(kind, outcome);
  return { observation: { kind: "stopped" }, progress: outcome?.progress ?? (await progressOf(kind, lake, run)) };
}

type OutcomeOf<Progress> = Omit<JobOutcome, "progress"> & { progress: Progress };

/** A report of another attempt's job does not count for this one. */
const ofFence = <Value>(reported: Reported<Value> | undefined, fence: number | null): Value | undefined =>
  reported?.fence === fence ? reported?.value : undefined;

export async function outcomeOf<Run extends JobRun, Progress extends JobProgress>(
  { leaseOf, narrow }: JobKind<Run, Progress>,
  lake: JobLake,
  run: Run,
): Promise<OutcomeOf<Progress> | undefined> {
  const outcome = ofFence(await lake.outcomeOf(leaseOf(run)), run.fence);
  return outcome && { ...outcome, progress: narrow(outcome.progress) };
}

/** How far the attempt's job is, as it reported; undefined before it has. */
export async function progressOf<Run extends JobRun, Progress extends JobProgress>(
  { leaseOf, narrow }: JobKind<Run, Progress>,
  lake: Pick<JobLake, "progressOf">,
  run: Run,
): Promise<Progress | undefined> {
  const progress = ofFence(await lake.progressOf(leaseOf(run)), run.fence);
  return progress && narrow(progress);
}

export async function endJob<Run extends JobRun, Progress extends JobProgress>(
  kind: JobKind<Run, Progress>,
  deps: JobDeps,
  run: Run,
  outcome: OutcomeOf<Progress>,
): Promise<StepOutcome<Progress>> {
  await endLease(kind, deps, run);
  return ended(kind, outcome);
}

function ended<Progress extends JobProgress>(
  { noun }: { noun: string },
  { outcome, error, retryable, platformAway = false, progress }: OutcomeOf<Progress>,
): StepOutcome<Progress> {
  const reason = outcome === "failed" ? (error ?? `The ${noun} failed.`) : error;
  return { observation: { kind: "ended", outcome, error: reason, retryable, platformAway }, progress };
}

/** The engine's own word, where it has one left: it failed, and could not say so. */
function reasonOf(job: JobStatus | undefined): string {
  if (job?.state === "failed" && job.error !== null) return job.error;
  return job?.state === "running"
    ? "The engine could not reach the platform."
    : "The engine stopped in the middle of the work.";
}
