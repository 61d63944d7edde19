// The lease that lets an attempt's job write: taken from whoever was given up, and ended with the attempt.

import { WORK_LIMITS } from "../limits.ts";
import { requireClaim } from "../claims.ts";
import type { JobDeps, JobKind, JobRun } from "./job.ts";

/** Until the job's first heartbeat: an engine may have to be started first. */
const START_LEASE_MS = WORK_LIMITS.stepMs;
const END_LEASE_MS = 10_000;
/** Another holder of the lease was given up, so one is freed at most once or twice. */
const LEASE_TRIES = 5;

/**
 * D1 has one active run that may take the lease, and this is its attempt: whoever else holds it is a job that was given
 * up. Its fence dies here, so that it can't commit any more.
 */
export async function takeLease<Run extends JobRun>(
  { table, leaseOf }: Pick<JobKind<Run, never>, "table" | "leaseOf">,
  deps: JobDeps,
  run: Run,
): Promise<number> {
  const lake = deps.openLake(run.lakeId);
  const name = leaseOf(run);
  for (let tries = 0; tries < LEASE_TRIES; tries++) {
    const taken = await lake.acquireLease(name, run.workId!, START_LEASE_MS);
    if (taken.ok) return taken.value.fence;
    const held = await lake.findHeldLease(name);
    if (!held?.holder) continue;
    // A worker that slept through its claim would displace its own successor.
    await requireClaim(deps.db, table, run);
    await lake.releaseLease(name, held.fence);
    await deps
      .openEngine(run.teamId)
      .cancelJob(held.holder)
      .catch(() => false);
  }
  throw new Error(`The lease ${name} was taken again each time it was freed.`);
}

/**
 * Kills every fence of the lease: D1 has one active run that may hold it, and whoever works on that has claimed it.
 * Throws where that is somebody else by now, whose fence it would be. A lease that has run out is taken over to kill
 * it: its job could write until somebody does, and its fence may not be known here.
 */
export async function endLease<Run extends JobRun>(
  { table, leaseOf }: Pick<JobKind<Run, never>, "table" | "leaseOf">,
  deps: JobDeps,
  run: Run,
): Promise<void> {
  await requireClaim(deps.db, table, run);
  const lake = deps.openLake(run.lakeId);
  const name = leaseOf(run);
  const held = await lake.findHeldLease(name);
  if (held) return void (await lake.releaseLease(name, held.fence));
  const taken = await lake.acquireLease(name, `end of ${run.workId}`, END_LEASE_MS);
  if (taken.ok) await lake.releaseLease(name, taken.value.fence);
}
