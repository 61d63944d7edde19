// A seeded storm over the real database and catalog: duplicate, late and lost messages, ticks at any time, workers and
// engines that die anywhere, answers that are lost, cancels. Then calm; and everything has to have come out right.

import { syncRuns } from "../../../../../src/platform/db/schema/schema.ts";
import fc from "fast-check";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { SYNC_LIMITS } from "../../../../../src/features/syncs/limits.ts";
import { Problem } from "../../../../../src/core/problem.ts";
import { hasEnded } from "../../../../../src/features/work-model/next-state.ts";
import { cancelRun } from "../../../../../src/features/work-model/runs/store-runs.ts";
import type { Sync } from "../../../../../src/features/syncs/sync.ts";
import { randomOf } from "../../../../support/unit/random.ts";
import { LostAnswer, noRoom, type WorldJob } from "../../../../support/unit/work-model/engine-world.ts";
import { newWorld, NO_TABLES, SUCCEEDED, syncOf, type World } from "../../../../support/unit/work-model/sync-world.ts";

const SYNCS = 3;
const STORMS = 5;
const STORM_TURNS = 40;
const CALM_TURNS_MAX = 26 * 60;

beforeEach(async () => {
  await env.DB.prepare("UPDATE syncs SET next_run_at = NULL").run();
  // Every broken step is logged, and here they break by the dozen.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

type Storm = {
  world: World;
  syncs: Sync[];
  random: () => number;
  chance: (share: number) => boolean;
  isCalm: boolean;
  commits: { runId: string }[];
};

async function newStorm(seed: number): Promise<Storm> {
  const world = await newWorld();
  const random = randomOf(seed);
  const storm: Storm = { world, random, chance: (share) => random() < share, isCalm: false, commits: [], syncs: [] };
  for (let index = 0; index < SYNCS; index++)
    storm.syncs.push(await world.addSync({ nextRunAt: new Date(world.nowMs + index * 30_000).toISOString() }));
  world.onCall = () => {
    if (!storm.isCalm && storm.chance(0.05)) throw new Error("The worker was moved.");
  };
  world.onStart = () => {
    if (storm.isCalm) return;
    if (storm.chance(0.2)) noRoom();
    if (storm.chance(0.1)) throw new LostAnswer();
    if (storm.chance(0.1)) throw new Problem("source_unreachable", "The database is away.");
  };
  return storm;
}

/** What each job does in a while: it beats, and commits and ends when its time has come, if it may. */
async function work(storm: Storm): Promise<void> {
  const { world, chance, isCalm } = storm;
  if (!isCalm && chance(0.1)) world.jobs.clear();
  for (const job of [...world.jobs.values()]) {
    const isCut = !isCalm && chance(0.15);
    if (isCut) continue;
    if (!(await world.beat(job))) world.jobs.delete(job.request.id);
    else if (world.nowMs - job.startedAtMs > 60_000 || chance(0.2)) await end(storm, job);
  }
}

async function end({ world, chance, isCalm, commits }: Storm, job: WorldJob): Promise<void> {
  if (!isCalm && chance(0.3))
    return void (await world.finish(job, {
      outcome: "failed",
      error: "It broke.",
      retryable: chance(0.8),
      progress: NO_TABLES,
    }));
  // The commit's transaction checks the fence, as the catalog's own does.
  if (!(await world.isAlive(job))) return void world.jobs.delete(job.request.id);
  commits.push({ runId: runOf(job) });
  if (!isCalm && chance(0.1)) return void world.jobs.delete(job.request.id);
  await world.finish(job, SUCCEEDED);
}

const runOf = ({ request }: WorldJob): string => (request.work.kind === "sync" ? request.work.runId : "");

/** Delivers what is due, some of it twice, late, at the same time, or never. */
async function deliver({ world, chance, isCalm }: Storm): Promise<void> {
  const due = world.messages.filter(({ atMs }) => atMs <= world.nowMs);
  world.messages = world.messages.filter(({ atMs }) => atMs > world.nowMs);
  const steps: Promise<unknown>[] = [];
  for (const message of due) {
    if (!isCalm && chance(0.15)) continue;
    if (!isCalm && chance(0.15)) world.messages.push({ ...message, atMs: world.nowMs + 200_000 });
    for (let copies = !isCalm && chance(0.3) ? 2 : 1; copies > 0; copies--) steps.push(world.step(message));
  }
  await Promise.all(steps);
}

/** What must hold at every moment: of a sync only the job its active run knows may write, and no attempt has two. */
async function check({ world, syncs }: Storm): Promise<void> {
  const open = await env.DB.prepare(
    "SELECT sync_id, count(*) AS runs FROM sync_runs WHERE team_id = ? AND ended_at IS NULL AND state <> 'queued' GROUP BY sync_id HAVING runs > 1",
  )
    .bind(world.teamId)
    .all();
  expect(open.results).toEqual([]);
  for (const sync of syncs) {
    const known = await env.DB.prepare(
      "SELECT job_id FROM sync_runs WHERE sync_id = ? AND ended_at IS NULL AND job_id IS NOT NULL",
    )
      .bind(sync.id)
      .first("job_id");
    for (const job of world.jobs.values()) {
      if (syncOf(job.request) === sync.id && (await world.isAlive(job))) expect(job.request.id).toBe(known);
    }
  }
  const jobs = new Map<string, Set<string>>();
  for (const { work, id } of world.accepted) {
    if (work.kind !== "sync") continue;
    const attempt = `${work.runId} ${work.attempt}`;
    jobs.set(attempt, (jobs.get(attempt) ?? new Set()).add(id));
  }
  for (const [attempt, { size }] of jobs) expect(`${attempt}: ${size}`).toBe(`${attempt}: 1`);
}

type EndedRun = {
  id: string;
  state: "succeeded" | "failed" | "cancelled";
  attempt: number;
  error: string | null;
  job_id: string | null;
};

async function ride(seed: number): Promise<void> {
  const storm = await newStorm(seed);
  const { world, chance, random, syncs } = storm;
  const asks: SyncRequest[] = [];
  for (let turn = 0; turn < STORM_TURNS; turn++) {
    world.nowMs += Math.round(random() * 40_000);
    if (chance(0.5)) await Promise.all(chance(0.3) ? [world.tick(), world.tick()] : [world.tick()]);
    await deliver(storm);
    await work(storm);
    if (chance(0.08)) {
      const sync = syncs[Math.floor(random() * SYNCS)]!;
      const run = await world.active(sync);
      if (run) await cancelRun(world.db, syncRuns, run, { at: world.now().toISOString(), reason: "Cancelled." });
      if (chance(0.5)) expect((await world.run(sync)).id).not.toBe(run?.id);
    }
    if (chance(0.05)) await world.run(syncs[Math.floor(random() * SYNCS)]!);
    if (chance(0.1)) asks.push(await ask(storm));
    await check(storm);
  }

  storm.isCalm = true;
  await env.DB.prepare("UPDATE syncs SET next_run_at = NULL WHERE team_id = ?").bind(world.teamId).run();
  const isActive = () =>
    env.DB.prepare("SELECT 1 FROM sync_runs WHERE team_id = ? AND ended_at IS NULL").bind(world.teamId).first();
  for (let turn = 0; await isActive(); turn++) {
    expect(turn, "every run ends").toBeLessThan(CALM_TURNS_MAX);
    world.nowMs += world.jobs.size > 0 ? 20_000 : 120_000;
    await world.tick();
    await deliver(storm);
    await work(storm);
  }
  await checkEnds(storm);
  for (const { id, isFull, onlyTables } of asks) {
    const run = await world.find({ id });
    expect(run.isFull || !isFull, "what was asked for in full is full").toBe(true);
    expect(run.onlyTables ?? onlyTables).toEqual(onlyTables);
  }
}

type SyncRequest = { id: string; isFull: boolean; onlyTables: string[] | null };

/** Somebody wants a run of this kind or that; the answered one must be such a run. */
async function ask({ world, syncs, random, chance }: Storm): Promise<SyncRequest> {
  const wanted = { isFull: chance(0.5), onlyTables: chance(0.5) ? ["public.orders"] : null };
  return { ...wanted, id: (await world.run(syncs[Math.floor(random() * SYNCS)]!, wanted)).id };
}

async function checkEnds(storm: Storm): Promise<void> {
  const { world, commits } = storm;
  await check(storm);
  const ended = (
    await env.DB.prepare("SELECT id, state, attempt, error, job_id FROM sync_runs WHERE team_id = ?")
      .bind(world.teamId)
      .all<EndedRun>()
  ).results;
  expect(ended.length).toBeGreaterThanOrEqual(SYNCS);
  for (const run of ended) {
    expect(hasEnded(run)).toBe(true);
    expect(run.attempt).toBeLessThanOrEqual(SYNC_LIMITS.attemptsMax);
    const attempts = world.started.flatMap(({ work: { kind, ...rest } }) =>
      kind === "sync" && "runId" in rest && rest.runId === run.id ? [rest.attempt] : [],
    );
    // Dense: an attempt comes again only where it had been none, and none is passed over.
    attempts.forEach((attempt, index) => expect([0, 1]).toContain(attempt - (attempts[index - 1] ?? 0)));
    expect(Math.max(0, ...attempts)).toBeLessThanOrEqual(run.attempt + 1);
    if (run.state === "succeeded") expect(commits.some(({ runId }) => runId === run.id)).toBe(true);
    if (run.state === "failed") expect(run.error).not.toBeNull();
  }
  await checkAttempts(world.teamId);
  const ticks = await env.DB.prepare(
    "SELECT 1 FROM sync_runs WHERE team_id = ? AND scheduled_for IS NOT NULL GROUP BY sync_id, scheduled_for HAVING count(*) > 1",
  )
    .bind(world.teamId)
    .all();
  expect(ticks.results).toEqual([]);
}

/** A row for each attempt, dense from 1 and ended once; the last one as its run. */
async function checkAttempts(teamId: string): Promise<void> {
  const select = `SELECT r.id, r.state AS run_state, r.attempt AS attempts, r.error AS run_error, a.*
    FROM sync_runs r LEFT JOIN attempts a ON a.run_id = r.id WHERE r.team_id = ? ORDER BY r.id, a.attempt`;
  const rows = (await env.DB.prepare(select).bind(teamId).all<AttemptRow>()).results;
  for (const [id, attempts] of Map.groupBy(rows, (row) => row.id)) {
    const { run_state: state, attempts: begun, run_error: error } = attempts[0]!;
    const found = attempts.filter(({ attempt }) => attempt !== null);
    expect(
      found.map(({ attempt }) => attempt),
      id,
    ).toEqual(Array.from({ length: begun }, (_, index) => index + 1));
    for (const attempt of found) {
      expect(attempt.ended_at, `${id} ${attempt.attempt}`).not.toBeNull();
      if (attempt.attempt < begun) expect(attempt.state).toBe("failed");
      if (attempt.state === "failed") expect(attempt.error).not.toBeNull();
    }
    const last = found.at(-1);
    if (state === "succeeded") expect(last).toMatchObject({ state, error: null });
    if (state === "failed" && last) expect(last).toMatchObject({ state, error });
  }
}

type AttemptRow = {
  id: string;
  run_state: string;
  attempts: number;
  run_error: string | null;
  attempt: number;
  state: string;
  error: string | null;
  ended_at: string | null;
};

describe("a storm", () => {
  it("leaves every run ended once, never two at once, and no job that may still write", async () => {
    await fc.assert(fc.asyncProperty(fc.integer(), ride), { numRuns: STORMS, endOnFailure: true });
  });
});
