// The beginning of an attempt: the lease that lets its job write, and the job itself. Repeatable: both know the job by
// its id.

import type { JobProgress } from "../../../../kernel/jobs/job.ts";
import type { JobRequest } from "../../../../kernel/jobs/work.ts";
import { isProblem } from "../../../core/problem.ts";
import { isBroken } from "../../../platform/engine/engine.ts";
import { isGivenUp, requireClaim } from "../claims.ts";
import type { StepOutcome } from "../kind.ts";
import { isClaimed } from "../store.ts";
import type { JobDeps, JobKind, JobRun } from "./job.ts";
import { endLease, takeLease } from "./lease.ts";
import { endJob, outcomeOf } from "./watch.ts";

/** A token outlives the run it is for by what clocks differ. */
const TOKEN_SLACK_MS = 60_000;

/**
 * `planWork`: what the engine is to do. Never rejects for what a user or the engine can do about it: that is observed,
 * and decided on.
 */
export async function startJob<Run extends JobRun, Progress extends JobProgress>(
  kind: JobKind<Run, Progress>,
  deps: JobDeps,
  run: Run,
  planWork: () => Promise<JobRequest["work"]>,
): Promise<StepOutcome<Progress>> {
  const lake = deps.openLake(run.lakeId);
  try {
    const work = await planWork();
    await requireClaim(deps.db, kind.table, run);
    const fence = await takeLease(kind, deps, run);
    // A worker that began this attempt died before it recorded that: the job may be done already.
    const outcome = await outcomeOf(kind, lake, { ...run, fence });
    if (outcome) return await endJob(kind, deps, run, outcome);
    const token = await mintToken(kind, deps, run, fence);
    await deps.openEngine(run.teamId).startJob({ id: run.workId!, token, work });
    if (await isGivenUp(deps.db, kind.table, run)) await withdraw(kind, deps, run, fence);
    return { observation: { kind: "started", fence } };
  } catch (error) {
    // The engine may have taken the job all the same: the dead fence keeps it from writing beside its successor.
    if (await isClaimed(deps.db, kind.table, run)) await endLease(kind, deps, run);
    return outcomeOfFailure(error, kind.noun);
  }
}

const mintToken = <Run extends JobRun>(
  { leaseOf }: Pick<JobKind<Run, never>, "leaseOf">,
  { tokens }: JobDeps,
  run: Run,
  fence: number,
): Promise<string> =>
  tokens.mint({
    use: "job",
    teamId: run.teamId,
    lakeId: run.lakeId,
    jobId: run.workId!,
    lease: leaseOf(run),
    fence,
    expiresAt: run.deadlineAtMs + TOKEN_SLACK_MS,
  });

/** What a failure to start says of an attempt. Throws what is no Problem: a step that broke is made again. */
export function outcomeOfFailure(error: unknown, noun: string): StepOutcome {
  if (!isProblem(error)) throw error;
  switch (error.code) {
    case "engine_unavailable":
      // To wait for capacity is no failure, however long it takes; an engine that breaks or does not answer is one.
      if (isBroken(error)) return failed(error.message, true);
      return { observation: { kind: "no_capacity", error: error.message } };
    case "too_many_requests":
      return { observation: { kind: "no_capacity", error: error.message } };
    case "internal_error":
      console.error(JSON.stringify({ event: "job_start_failed", noun, cause: String(error) }));
      return failed(`The engine could not start this ${noun}.`, true);
    case "source_unreachable":
    case "source_unavailable":
    case "query_timeout":
      return failed(error.message, true);
    default:
      return failed(error.message, false);
  }
}

/** An attempt that failed before it had a job. */
export const failed = (error: string, retryable: boolean): StepOutcome => ({
  observation: { kind: "ended", outcome: "failed", error, retryable },
});

/** A worker that slept through its claim takes back what it has started. */
async function withdraw<Run extends JobRun>(
  { leaseOf }: Pick<JobKind<Run, never>, "leaseOf">,
  deps: JobDeps,
  run: Run,
  fence: number,
): Promise<void> {
  await deps.openLake(run.lakeId).releaseLease(leaseOf(run), fence);
  await deps
    .openEngine(run.teamId)
    .cancelJob(run.workId!)
    .catch(() => false);
}
