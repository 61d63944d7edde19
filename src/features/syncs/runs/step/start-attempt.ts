// The beginning of an attempt: the lease that lets its job write, and the job itself. Repeatable: both know the job by
// its id.

import type { JobRequest, SyncWork } from "../../../../../containers/engine/contract/protocol.ts";
import { LIMITS } from "../../../../core/limits.ts";
import { isProblem } from "../../../../core/problem.ts";
import { isLasting } from "../../../../platform/engine/failure.ts";
import { isBroken } from "../../../../platform/engine/engine.ts";
import { getIntegration, getLake } from "../../../integrations/get.ts";
import { isSource, openCredentials, sourceOf } from "../../../integrations/open-source.ts";
import { resolveTables, type ResolvedTables } from "../../tables/resolve.ts";
import type { Run, Sight } from "../run.ts";
import type { SyncRunDeps } from "./run-deps.ts";
import { findSync } from "../../store.ts";
import { findRun, isClaimed } from "../store.ts";
import { leaseOf, type Sync } from "../../sync.ts";
import { endAttempt, endLease, outcomeOf } from "./watch-attempt.ts";

/** Until the job's first heartbeat: an engine may have to be started first. */
const START_LEASE_MS = LIMITS.syncStepMs;
/** Whoever else holds the lease was given up, so one is freed at most once or twice. */
const LEASE_TRIES = 5;
/** A token outlives the run it is for by what clocks differ. */
const TOKEN_SLACK_MS = 60_000;

/** Never rejects for what a user or the engine can do about it: that is seen, and decided on. */
export async function startAttempt(matter: SyncRunDeps, run: Run): Promise<Sight> {
  const sync = await findSync(matter.db, run.teamId, run.syncId);
  if (!sync) return failed("The sync was deleted.", false);
  try {
    const source = await openSource(matter, run);
    const tables = await resolveTables(matter, run, sync, source);
    if (!(await isClaimed(matter.db, run))) throw overtaken();
    const fence = await takeLease(matter, run);
    // Whoever began this attempt died before he could say so: its job may be done already.
    const outcome = await outcomeOf(matter.openLake(run.lakeId), { ...run, fence });
    if (outcome) return await endAttempt(matter.openLake(run.lakeId), run, outcome);
    await matter.openEngine(run.teamId).startJob(await planJob(matter, run, sync, source, tables, fence));
    if (!(await isClaimed(matter.db, run))) await withdraw(matter, run, fence);
    return { seen: { kind: "started", fence } };
  } catch (error) {
    // The engine may have taken the job all the same: the dead fence keeps it from writing beside its successor.
    if (await isClaimed(matter.db, run)) await endLease(matter.openLake(run.lakeId), run);
    if (!isProblem(error)) throw error;
    // To wait for room is no failure, however long it takes; an engine that breaks or does not answer is one.
    if (error.code === "engine_unavailable")
      return isBroken(error) ? failed(error.message, true) : { seen: { kind: "no_room", error: error.message } };
    if (error.code === "internal_error") return failed("The engine could not start this sync.", true, error);
    // A source that can't be reached now may come back; what the platform refuses stays refused.
    return failed(
      error.message,
      (error.code === "connection_failed" && !isLasting(error)) || error.code === "query_timeout",
    );
  }
}

function failed(error: string, retryable: boolean, cause?: unknown): Sight {
  if (cause !== undefined) console.error(JSON.stringify({ event: "sync_start_failed", cause: String(cause) }));
  return { seen: { kind: "ended", outcome: "failed", error, retryable } };
}

async function openSource(matter: SyncRunDeps, { teamId, sourceId, lakeId }: Run): Promise<SyncWork["source"]> {
  const ctx = { ...matter, scope: { teamId } };
  const [integration] = await Promise.all([getIntegration(ctx, sourceId), getLake(ctx, lakeId)]);
  if (!isSource(integration)) throw new Error(`Integration ${sourceId} is no source.`);
  return sourceOf(integration.type, await openCredentials(ctx, sourceId));
}

/**
 * D1 has one active run of a sync, and this is its attempt: whoever else holds the lease is a job that was given up.
 * Its fence dies here, so that it can't commit any more.
 */
async function takeLease(matter: SyncRunDeps, run: Run): Promise<number> {
  const lake = matter.openLake(run.lakeId);
  const name = leaseOf(run.syncId);
  for (let tries = 0; tries < LEASE_TRIES; tries++) {
    const taken = await lake.acquireLease(name, run.jobId!, START_LEASE_MS);
    if (taken.ok) return taken.value.fence;
    const held = await lake.findHeldLease(name);
    if (!held?.holder) continue;
    // A worker that slept through its claim would displace its own successor.
    if (!(await isClaimed(matter.db, run))) throw overtaken();
    await lake.releaseLease(name, held.fence);
    await matter
      .openEngine(run.teamId)
      .cancelJob(held.holder)
      .catch(() => false);
  }
  throw new Error(`The lease ${name} was taken again each time it was freed.`);
}

/**
 * A worker that slept through its claim takes back what it has started, unless whoever went on counts on that very job.
 */
async function withdraw(matter: SyncRunDeps, run: Run, fence: number): Promise<void> {
  const now = await findRun(matter.db, run.teamId, run.id);
  if (now?.jobId === run.jobId) return;
  await matter.openLake(run.lakeId).releaseLease(leaseOf(run.syncId), fence);
  await matter
    .openEngine(run.teamId)
    .cancelJob(run.jobId!)
    .catch(() => false);
}

const overtaken = (): Error => new Error("This step took too long, and another has taken it over.");

async function planJob(
  { tokens }: Pick<SyncRunDeps, "tokens">,
  run: Run,
  sync: Sync,
  source: SyncWork["source"],
  tables: ResolvedTables,
  fence: number,
): Promise<JobRequest> {
  const { teamId, lakeId, syncId } = run;
  const jobId = run.jobId!;
  const token = await tokens.mint({
    use: "job",
    teamId,
    lakeId,
    jobId,
    lease: leaseOf(syncId),
    fence,
    expiresAt: run.deadlineAtMs + TOKEN_SLACK_MS,
  });
  const { loadMethod, cursors, appendFullRows } = sync.config;
  const what = {
    source,
    destSchema: sync.destSchema,
    ...tables,
    loadMethod,
    cursors,
    appendFullRows,
    full: run.isFull,
    only: run.onlyTables,
  };
  const work = { kind: "sync" as const, lakeId, ...what, syncId, runId: run.id, attempt: run.attempt };
  return { id: jobId, token, work };
}
