// Whether an attempt's job lives, how it ended, and its end by force. The lake's object is asked first: what may write
// is decided there.

import type { JobOutcome, JobProgress, SyncOutcome } from "../../../../../containers/engine/contract/job.ts";
import type { SyncProgress } from "../../../../../containers/engine/contract/progress.ts";
import type { JobStatus } from "../../../../../containers/engine/contract/work.ts";
import type { Reported } from "../../../../platform/lake/writers/job-reports.ts";
import type { Run, StepOutcome } from "../run.ts";
import type { RunLake, SyncRunDeps } from "./run-deps.ts";
import { leaseOf } from "../../sync.ts";

export async function watchAttempt(deps: SyncRunDeps, run: Run): Promise<StepOutcome> {
  const lake = deps.openLake(run.lakeId);
  const jobId = run.jobId!;
  // The lease before the outcome: a job that ends in between is seen as ended, never as lost.
  const lease = await lake.findHeldLease(leaseOf(run.syncId));
  const outcome = await outcomeOf(lake, run);
  if (outcome) return endAttempt(lake, run, outcome);
  if (lease?.holder === jobId && !(await isOver(deps, run))) return { observation: { kind: "alive" } };
  return loseAttempt(deps, run);
}

/**
 * Whether the engine itself knows of no such job that runs: it died, or the job could not say how it ended. That is
 * known long before the lease runs out. Where the engine can't be asked, the lease decides.
 */
async function isOver({ openEngine }: SyncRunDeps, { teamId, jobId }: Run): Promise<boolean> {
  try {
    return (await openEngine(teamId).getJob(jobId!))?.state !== "running";
  } catch {
    return false;
  }
}

/** The engine died, or can't reach the platform. From here on the job can't write any more. */
async function loseAttempt(deps: SyncRunDeps, run: Run): Promise<StepOutcome> {
  const lake = deps.openLake(run.lakeId);
  await endLease(lake, run);
  const outcome = await outcomeOf(lake, run);
  if (outcome) return { observation: observationOf(outcome), progress: outcome.progress };
  const engine = deps.openEngine(run.teamId);
  const job = await engine.getJob(run.jobId!).catch(() => undefined);
  if (job?.state === "running") await engine.cancelJob(run.jobId!).catch(() => false);
  const observation = { kind: "lost" as const, error: reasonOf(job), platformAway: job?.platformAway ?? false };
  return { observation, progress: await progressOf(lake, run) };
}

/** Ends the job, whatever it is at. One that had succeeded before its fence died has succeeded. */
export async function stopAttempt(deps: SyncRunDeps, run: Run): Promise<StepOutcome> {
  const lake = deps.openLake(run.lakeId);
  await endLease(lake, run);
  await deps
    .openEngine(run.teamId)
    .cancelJob(run.jobId!)
    .catch(() => false);
  const outcome = await outcomeOf(lake, run);
  if (outcome?.outcome === "succeeded") return { observation: observationOf(outcome), progress: outcome.progress };
  return { observation: { kind: "stopped" }, progress: outcome?.progress ?? (await progressOf(lake, run)) };
}

/** What another attempt's job has said is not this one's word. */
const ofFence = <Value>(reported: Reported<Value> | undefined, fence: number | null): Value | undefined =>
  reported?.fence === fence ? reported?.value : undefined;

export const outcomeOf = async (
  lake: RunLake,
  { syncId, fence }: Pick<Run, "syncId" | "fence">,
): Promise<SyncOutcome | undefined> => {
  const outcome = ofFence(await lake.outcomeOf(leaseOf(syncId)), fence);
  return outcome && { ...outcome, progress: ofSync(outcome.progress) };
};

export const progressOf = async (
  lake: RunLake,
  { syncId, fence }: Pick<Run, "syncId" | "fence">,
): Promise<SyncProgress | undefined> => {
  const progress = ofFence(await lake.progressOf(leaseOf(syncId)), fence);
  return progress && ofSync(progress);
};

/** A job under a sync's lease reports on a sync: anything else is a bug. */
function ofSync(progress: JobProgress): SyncProgress {
  if (progress.kind === "maintenance") throw new Error("A sync's job has reported on a maintenance.");
  return progress;
}

export async function endAttempt(lake: RunLake, run: Run, outcome: SyncOutcome): Promise<StepOutcome> {
  await endLease(lake, run);
  return { observation: observationOf(outcome), progress: outcome.progress };
}

const observationOf = ({
  outcome,
  error,
  retryable,
  platformAway = false,
}: Omit<JobOutcome, "progress">): StepOutcome["observation"] => ({
  kind: "ended",
  outcome,
  error,
  retryable,
  platformAway,
});

/** The engine's own word, where it has one left: it failed, and could not say so. */
function reasonOf(job: JobStatus | undefined): string {
  if (job?.state === "failed" && job.error !== null) return job.error;
  return job?.state === "running"
    ? "The engine could not reach the platform."
    : "The engine stopped in the middle of the work.";
}

/**
 * Kills every fence of the sync's lease: D1 has one active run of a sync, and whoever works on that has claimed it. A
 * lease that has run out is taken over to kill it: its job could write until somebody does, and its fence may not be
 * known here.
 */
export async function endLease(lake: RunLake, run: Run): Promise<void> {
  const name = leaseOf(run.syncId);
  const held = await lake.findHeldLease(name);
  if (held) return void (await lake.releaseLease(name, held.fence));
  const taken = await lake.acquireLease(name, `end of ${run.jobId}`, END_LEASE_MS);
  if (taken.ok) await lake.releaseLease(name, taken.value.fence);
}

const END_LEASE_MS = 10_000;
