// The beginning of an attempt: the lease that lets its job write, and the job itself. Repeatable: both know the job by
// its id.

import type { JobRequest, SyncWork } from "../../../../../containers/engine/contract/work.ts";
import { LIMITS } from "../../../../core/limits.ts";
import { isProblem } from "../../../../core/problem.ts";
import { isLasting } from "../../../../platform/engine/failure.ts";
import { isBroken } from "../../../../platform/engine/engine.ts";
import { getIntegration, getLake } from "../../../integrations/get.ts";
import { isSource, openCredentials, sourceOf } from "../../../integrations/open-source.ts";
import { resolveTables, type ResolvedTables } from "../../tables/resolve.ts";
import type { Run, StepOutcome } from "../run.ts";
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

/** Never rejects for what a user or the engine can do about it: that is observed, and decided on. */
export async function startAttempt(deps: SyncRunDeps, run: Run): Promise<StepOutcome> {
  const sync = await findSync(deps.db, run.teamId, run.syncId);
  if (!sync) return failed("The sync was deleted.", false);
  try {
    const source = await openSource(deps, run);
    const tables = await resolveTables(deps, run, sync, source);
    if (!(await isClaimed(deps.db, run))) throw overtaken();
    const fence = await takeLease(deps, run);
    // Whoever began this attempt died before he could say so: its job may be done already.
    const outcome = await outcomeOf(deps.openLake(run.lakeId), { ...run, fence });
    if (outcome) return await endAttempt(deps.openLake(run.lakeId), run, outcome);
    await deps.openEngine(run.teamId).startJob(await planJob(deps, { run, sync, source, tables, fence }));
    if (!(await isClaimed(deps.db, run))) await withdraw(deps, run, fence);
    return { observation: { kind: "started", fence } };
  } catch (error) {
    // The engine may have taken the job all the same: the dead fence keeps it from writing beside its successor.
    if (await isClaimed(deps.db, run)) await endLease(deps.openLake(run.lakeId), run);
    return outcomeOfFailure(error);
  }
}

/** Throws what is no Problem: a step that broke is made again. */
function outcomeOfFailure(error: unknown): StepOutcome {
  if (!isProblem(error)) throw error;
  switch (error.code) {
    case "engine_unavailable":
      // To wait for capacity is no failure, however long it takes; an engine that breaks or does not answer is one.
      if (isBroken(error)) return failed(error.message, true);
      return { observation: { kind: "no_capacity", error: error.message } };
    case "internal_error":
      return failed("The engine could not start this sync.", true, error);
    case "connection_failed":
      // A source that can't be reached now may come back.
      return failed(error.message, !isLasting(error));
    case "query_timeout":
      return failed(error.message, true);
    default:
      return failed(error.message, false);
  }
}

function failed(error: string, retryable: boolean, cause?: unknown): StepOutcome {
  if (cause !== undefined) console.error(JSON.stringify({ event: "sync_start_failed", cause: String(cause) }));
  return { observation: { kind: "ended", outcome: "failed", error, retryable } };
}

async function openSource(deps: SyncRunDeps, { teamId, sourceId, lakeId }: Run): Promise<SyncWork["source"]> {
  const ctx = { ...deps, scope: { teamId } };
  const [integration] = await Promise.all([getIntegration(ctx, sourceId), getLake(ctx, lakeId)]);
  if (!isSource(integration)) throw new Error(`Integration ${sourceId} is no source.`);
  return sourceOf(integration.type, await openCredentials(ctx, sourceId));
}

/**
 * D1 has one active run of a sync, and this is its attempt: whoever else holds the lease is a job that was given up.
 * Its fence dies here, so that it can't commit any more.
 */
async function takeLease(deps: SyncRunDeps, run: Run): Promise<number> {
  const lake = deps.openLake(run.lakeId);
  const name = leaseOf(run.syncId);
  for (let tries = 0; tries < LEASE_TRIES; tries++) {
    const taken = await lake.acquireLease(name, run.jobId!, START_LEASE_MS);
    if (taken.ok) return taken.value.fence;
    const held = await lake.findHeldLease(name);
    if (!held?.holder) continue;
    // A worker that slept through its claim would displace its own successor.
    if (!(await isClaimed(deps.db, run))) throw overtaken();
    await lake.releaseLease(name, held.fence);
    await deps
      .openEngine(run.teamId)
      .cancelJob(held.holder)
      .catch(() => false);
  }
  throw new Error(`The lease ${name} was taken again each time it was freed.`);
}

/**
 * A worker that slept through its claim takes back what it has started, unless whoever went on counts on that very job.
 */
async function withdraw(deps: SyncRunDeps, run: Run, fence: number): Promise<void> {
  const now = await findRun(deps.db, run.teamId, run.id);
  if (now?.jobId === run.jobId) return;
  await deps.openLake(run.lakeId).releaseLease(leaseOf(run.syncId), fence);
  await deps
    .openEngine(run.teamId)
    .cancelJob(run.jobId!)
    .catch(() => false);
}

const overtaken = (): Error => new Error("This step took too long, and another has taken it over.");

type PlannedAttempt = { run: Run; sync: Sync; source: SyncWork["source"]; tables: ResolvedTables; fence: number };

async function planJob(
  { tokens }: Pick<SyncRunDeps, "tokens">,
  { run, sync, source, tables, fence }: PlannedAttempt,
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
