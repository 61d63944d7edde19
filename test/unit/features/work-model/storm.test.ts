// A seeded storm over runs of every kind, in the real database and catalog: duplicate, late, lost and dead messages,
// ticks at any time, workers that are killed or break between any two steps, engines and sandboxes that die, answers
// that are lost, cancels. Then calm; and everything has to have come out right, once.

import { automationRuns } from "../../../../src/platform/db/schema/work-schema.ts";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Problem } from "../../../../src/core/problem.ts";
import { AUTOMATION_WORK } from "../../../../src/features/automations/automation-work.ts";
import type { AutomationDeps } from "../../../../src/features/automations/resources/kind.ts";
import { createAutomationJob } from "../../../../src/features/automations/jobs/create.ts";
import { NewAutomationJob } from "../../../../src/features/automations/jobs/job.ts";
import { startMaintenanceRun } from "../../../../src/features/automations/runs/start.ts";
import { cancelRun } from "../../../../src/features/work-model/runs/store-runs.ts";
import { startDueAutomations } from "../../../../src/features/automations/schedule/start-due.ts";
import { sweepAutomationRuns } from "../../../../src/features/automations/schedule/sweep.ts";
import { sweepDocRuns } from "../../../../src/features/docs/runs/sweep.ts";
import { SYNC_WORK } from "../../../../src/features/syncs/runs/step/sync-work.ts";
import { takeDeadLetter } from "../../../../src/features/work-model/dead-letter.ts";
import { stepRun } from "../../../../src/features/work-model/step-run.ts";
import { newAutomationTeam, newDoc } from "../../../support/unit/automations.ts";
import { randomOf } from "../../../support/unit/random.ts";
import { LostAnswer, noRoom, type Message, type WorldJob } from "../../../support/unit/work-model/engine-world.ts";
import { newSandboxWorld, type SandboxWorld } from "../../../support/unit/work-model/sandbox-world.ts";
import { newWorld, SUCCEEDED, type World } from "../../../support/unit/work-model/sync-world.ts";

const STORMS = 3;
const STORM_TURNS = 30;
const CALM_TURNS_MAX = 26 * 60;
const BEGINS_AT = Date.parse("2100-01-01T00:00:00Z");

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: BEGINS_AT });
  // Every broken step is logged, and here they break by the dozen.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(() => vi.useRealTimers());

type Storm = {
  world: World;
  sandbox: SandboxWorld;
  deps: AutomationDeps & World["deps"] & Parameters<typeof sweepDocRuns>[0];
  random: () => number;
  chance: (share: number) => boolean;
  isCalm: boolean;
  /** Steps that have not come back, and how many of these never will. */
  steps: { pending: number; killed: number; isOn: boolean };
  /** The engine's jobs that have committed, which takes a fence that lives. */
  commits: string[];
};

const OFTEN = { schedule: { cron: "*/2 * * * *" }, retry: { attempts: 3, backoffSeconds: 30 } };

async function newStorm(seed: number): Promise<Storm> {
  const team = await newAutomationTeam();
  const world = await newWorld({ teamId: team.id, userId: team.admin.id });
  const sandbox = newSandboxWorld(world);
  const random = randomOf(seed);
  const chance = (share: number) => random() < share;
  const deps = {
    ...world.deps,
    openLake: world.openLake,
    bucket: world.clients.bucket,
    meter: world.clients.meter,
    openSandbox: () => sandbox.client,
    // No job of a storm delivers: nobody asks this engine for a statement.
  } as unknown as Storm["deps"];
  const steps = { pending: 0, killed: 0, isOn: false };
  const storm: Storm = { world, sandbox, deps, random, chance, isCalm: false, steps, commits: [] };
  moveClock(storm, 0);
  for (let index = 0; index < 2; index++)
    await world.addSync({ nextRunAt: new Date(world.nowMs + index * 30_000).toISOString() });
  const lake = { resourceType: "lake_integration_maintenance", resourceId: world.lakeId };
  const jobs = [
    { resourceType: "doc", resourceId: team.docId, overlap: "queue" },
    { resourceType: "doc", resourceId: await newDoc(team), timeoutSeconds: 180 },
    { ...lake, kind: "daily" },
    { ...lake, kind: "full", overlap: "queue", timeoutSeconds: 600 },
  ];
  for (const job of jobs)
    await createAutomationJob(ctxOf(storm), NewAutomationJob.parse({ ...OFTEN, name: "Job", ...job }));
  world.onCall = sandbox.onCall = () => breakAnywhere(storm);
  world.onStart = () => {
    if (storm.isCalm) return;
    if (chance(0.2)) noRoom();
    if (chance(0.1)) throw new LostAnswer();
    if (chance(0.1)) throw new Problem("source_unreachable", "The database is away.");
  };
  sandbox.onOrder = () => {
    if (storm.isCalm || !chance(0.3)) return undefined;
    if (chance(0.5)) return { reason: "full", isTaken: false };
    return { reason: "lost", isTaken: chance(0.5) };
  };
  return storm;
}

const ctxOf = ({ world, deps }: Storm) => ({ ...deps, scope: { ...world.scope, now: world.now() } });

/** The rows of docs' runs go by the Worker's own clock. */
function moveClock({ world }: Storm, ms: number): void {
  world.nowMs += ms;
  vi.setSystemTime(world.nowMs);
}

/** In the middle of a step: it breaks, or its worker is killed and does nothing any more. */
function breakAnywhere({ steps, isCalm, chance }: Storm): void | Promise<void> {
  if (isCalm || !chance(0.06)) return;
  if (!steps.isOn || chance(0.5)) throw new Error("The worker was moved.");
  steps.killed++;
  return new Promise(() => undefined);
}

async function tick({ deps, world }: Storm): Promise<void> {
  const at = world.now();
  await Promise.allSettled([world.tick(), startDueAutomations(deps, at), sweepAutomationRuns(deps, at)]);
  await Promise.allSettled([sweepDocRuns(deps, at)]);
}

/** Delivers what is due, some of it twice, late, at the same time, never, or as a dead letter. */
async function deliver(storm: Storm): Promise<void> {
  const { world, steps, chance, isCalm } = storm;
  const due = world.messages.filter(({ atMs }) => atMs <= world.nowMs);
  world.messages = world.messages.filter(({ atMs }) => atMs > world.nowMs);
  steps.isOn = true;
  for (const message of due) {
    if (!isCalm && chance(0.15)) continue;
    if (!isCalm && chance(0.15)) world.messages.push({ ...message, atMs: world.nowMs + 200_000 });
    for (let copies = !isCalm && chance(0.3) ? 2 : 1; copies > 0; copies--) {
      steps.pending++;
      void step(storm, message, !isCalm && chance(0.05))
        .catch(() => undefined)
        .finally(() => steps.pending--);
    }
  }
  // Steps whose worker was killed stay pending for good.
  while (steps.pending > steps.killed) await scheduler.wait(1);
  steps.isOn = false;
}

function step({ world, deps }: Storm, message: Message, isDead: boolean): Promise<unknown> {
  if (message.kind === "sync_run")
    return (isDead ? takeDeadLetter : stepRun)(SYNC_WORK, deps, message, world.now) as Promise<unknown>;
  return (isDead ? takeDeadLetter : stepRun)(AUTOMATION_WORK, deps, message, world.now) as Promise<unknown>;
}

/** What each engine job and each doc's run does in a while. */
async function work(storm: Storm): Promise<void> {
  const { world, sandbox, chance, isCalm } = storm;
  if (!isCalm && chance(0.1)) world.jobs.clear();
  if (!isCalm && chance(0.1)) sandbox.runs.clear();
  for (const job of [...world.jobs.values()]) {
    if (!isCalm && chance(0.15)) continue;
    if (!(await world.beat(job))) world.jobs.delete(job.request.id);
    else if (world.nowMs - job.startedAtMs > 60_000 || chance(0.2)) await endJob(storm, job);
  }
  for (const run of [...sandbox.runs.values()]) {
    if (run.report || (!isCalm && chance(0.15))) continue;
    await sandbox.beat(run);
    const isOver = run.hasBegun && (world.nowMs - run.startedAtMs > 60_000 || chance(0.2));
    if (isOver && sandbox.runs.has(run.order.runId))
      await sandbox.end(run, !isCalm && chance(0.3) ? "failed" : "succeeded", !isCalm && chance(0.1));
  }
}

async function endJob({ world, chance, isCalm, commits }: Storm, job: WorldJob): Promise<void> {
  const { work } = job.request;
  const progress =
    work.kind === "maintenance"
      ? { kind: "maintenance" as const, level: work.level, steps: [], tables: [] }
      : SUCCEEDED.progress;
  if (!isCalm && chance(0.3)) {
    const failed = { outcome: "failed" as const, error: "It broke.", retryable: chance(0.8) };
    return void (await world.end(job, { ...failed, progress }));
  }
  // The commit's transaction checks the fence, as the catalog's own does.
  if (!(await world.isAlive(job))) return void world.jobs.delete(job.request.id);
  commits.push(job.request.id);
  if (!isCalm && chance(0.1)) return void world.jobs.delete(job.request.id);
  await world.end(job, { ...SUCCEEDED, progress });
}

type Begun = { id: string; job_id: string | null; line: string; error: string | null };

/** At every moment: never two at work that must not be, and no job may write that its run does not know. */
async function check({ world }: Storm): Promise<void> {
  const open = `SELECT id, job_id, 'sync ' || sync_id AS line FROM sync_runs
      WHERE team_id = ?1 AND ended_at IS NULL AND started_at IS NOT NULL
    UNION ALL SELECT id, job_id, CASE resource_type WHEN 'doc' THEN 'job ' || automation_id ELSE 'lake ' || resource_id END
      FROM automation_runs WHERE team_id = ?1 AND ended_at IS NULL AND started_at IS NOT NULL`;
  const begun = (await env.DB.prepare(open).bind(world.teamId).all<Begun>()).results;
  for (const [line, runs] of Map.groupBy(begun, (run) => run.line)) expect(runs, line).toHaveLength(1);
  const known = begun.map(({ job_id: id }) => id);
  for (const job of world.jobs.values()) if (await world.isAlive(job)) expect(known).toContain(job.request.id);
}

async function disturb(storm: Storm): Promise<void> {
  const { world, random, chance } = storm;
  if (chance(0.1)) {
    const select = `SELECT 'sync' AS line, id FROM sync_runs WHERE team_id = ?1 AND ended_at IS NULL
      UNION ALL SELECT 'job', id FROM automation_runs WHERE team_id = ?1 AND ended_at IS NULL`;
    const open = (await env.DB.prepare(select).bind(world.teamId).all<Begun>()).results;
    const run = open[Math.floor(random() * open.length)];
    const [name, at] = [{ teamId: world.teamId, id: run?.id ?? "" }, world.now().toISOString()];
    if (run?.line === "sync") await world.cancel(run, "Cancelled.");
    else if (run) await cancelRun(world.db, automationRuns, name, { at, reason: "Cancelled." });
  }
  if (chance(0.1)) {
    const lake = { teamId: world.teamId, lakeId: world.lakeId, kind: "daily" as const };
    const { run } = await startMaintenanceRun(ctxOf(storm), lake);
    world.messages.push({ kind: "automation_run", teamId: world.teamId, id: run.id, atMs: world.nowMs });
  }
}

async function ride(seed: number): Promise<void> {
  const storm = await newStorm(seed);
  const { world, sandbox, random, chance } = storm;
  for (let turn = 0; turn < STORM_TURNS; turn++) {
    moveClock(storm, Math.round(random() * 40_000));
    if (chance(0.5)) await Promise.all(chance(0.3) ? [tick(storm), tick(storm)] : [tick(storm)]);
    await deliver(storm);
    await work(storm);
    await disturb(storm);
    await check(storm);
  }
  storm.isCalm = true;
  for (const table of ["syncs", "automation_jobs"])
    await env.DB.prepare(`UPDATE ${table} SET next_run_at = NULL WHERE team_id = ?`).bind(world.teamId).run();
  for (let turn = 0; await isOpen(world); turn++) {
    expect(turn, "every run ends").toBeLessThan(CALM_TURNS_MAX);
    moveClock(storm, world.jobs.size + sandbox.runs.size > 0 ? 20_000 : 120_000);
    await tick(storm);
    await deliver(storm);
    await work(storm);
    await check(storm);
  }
  await checkEnds(storm);
}

const OPEN = ["sync_runs", "automation_runs", "doc_runs", "attempts"]
  .map((table) => `SELECT 1 FROM ${table} WHERE team_id = ?1 AND ended_at IS NULL`)
  .join(" UNION ALL ");
const isOpen = ({ teamId }: World) => env.DB.prepare(OPEN).bind(teamId).first();

type Ended = {
  id: string;
  kind: string;
  state: string;
  attempt: number;
  error: string | null;
  scheduled: string | null;
};
type AttemptRow = { run_id: string; attempt: number; state: string; job_id: string; error: string | null };

async function checkEnds({ world, sandbox, commits }: Storm): Promise<void> {
  const select = `SELECT id, 'sync' AS kind, state, attempt, error, sync_id || scheduled_for AS scheduled
      FROM sync_runs WHERE team_id = ?1
    UNION ALL SELECT id, resource_type, state, attempt, error, automation_id || scheduled_for
      FROM automation_runs WHERE team_id = ?1`;
  const runs = (await env.DB.prepare(select).bind(world.teamId).all<Ended>()).results;
  const rows = "SELECT * FROM attempts WHERE team_id = ? ORDER BY run_id, attempt";
  const attempts = (await env.DB.prepare(rows).bind(world.teamId).all<AttemptRow>()).results;
  const attemptsOf = Map.groupBy(attempts, ({ run_id: id }) => id);
  for (const run of runs) checkRun(run, attemptsOf.get(run.id) ?? [], [...commits, ...sandbox.begun]);
  const scheduled = runs.flatMap(({ scheduled: at }) => at ?? []);
  expect(new Set(scheduled).size, "one run of each scheduled time").toBe(scheduled.length);
  expect(new Set(sandbox.begun).size, "no doc's code runs twice for one attempt").toBe(sandbox.begun.length);
  const jobs = Map.groupBy(world.accepted, ({ work }) => ("runId" in work ? `${work.runId} ${work.attempt}` : ""));
  for (const [attempt, started] of jobs) expect(new Set(started.map(({ id }) => id)).size, attempt).toBe(1);
  expect(new Set(runs.map(({ kind }) => kind)).size).toBe(3);
  await checkEvents(world);
}

/** Runs by kind of event, from the beginning of their first attempt; and what datasets took. */
const EVENTS = `SELECT type, count(*) AS count, sum(ms) AS sum_ms, min(ms) AS min_ms, max(ms) AS max_ms FROM (
  SELECT r.type, CAST(round((julianday(r.ended_at) - julianday(min(a.started_at))) * 86400000) AS INTEGER) AS ms FROM (
    SELECT id, ended_at, 'sync_run' AS type FROM sync_runs WHERE team_id = ?1
    UNION ALL SELECT id, ended_at, iif(resource_type = 'doc', 'automation_run', 'lake_maintenance')
      FROM automation_runs WHERE team_id = ?1) r JOIN attempts a ON a.run_id = r.id GROUP BY r.id
  UNION ALL SELECT 'dataset_execution', CAST(round(coalesce(duration_ms,
      (julianday(d.ended_at) - julianday(e.started_at)) * 86400000)) AS INTEGER)
    FROM executions e JOIN doc_runs d ON d.id = e.run_id
    WHERE e.team_id = ?1 AND e.state IN ('succeeded', 'failed') AND e.started_at IS NOT NULL)
  GROUP BY type ORDER BY type`;
const COUNTED = `SELECT type, sum(count) AS count, sum(sum_ms) AS sum_ms, min(min_ms) AS min_ms, max(max_ms) AS max_ms
  FROM event_rollups WHERE team_id = ?1 AND span_minutes = ?2 GROUP BY type ORDER BY type`;

/** Statistics count each end once, by its minute and by its ten minutes, and each in one bucket of their histograms. */
async function checkEvents({ teamId }: World): Promise<void> {
  const all = async (sql: string, ...values: unknown[]) =>
    (
      await env.DB.prepare(sql)
        .bind(...values)
        .all<{ type: string; count: number }>()
    ).results;
  const ended = await all(EVENTS, teamId);
  expect(ended.map(({ type }) => type)).toEqual([
    "automation_run",
    "dataset_execution",
    "lake_maintenance",
    "sync_run",
  ]);
  for (const minutes of [1, 10]) expect(await all(COUNTED, teamId, minutes)).toEqual(ended);
  const uneven = `SELECT 1 FROM event_rollups r WHERE team_id = ?
    AND count <> (SELECT sum(value) FROM json_each(r.histogram))`;
  expect(await all(uneven, teamId)).toEqual([]);
}

/** One outcome each, with dense attempts of which the last one went as the run did, and work behind every success. */
function checkRun(run: Ended, attempts: AttemptRow[], done: string[]): void {
  const text = `${run.kind} ${run.id}`;
  expect(
    attempts.map(({ attempt }) => attempt),
    text,
  ).toEqual(attempts.map((_, index) => index + 1));
  expect(attempts, text).toHaveLength(run.attempt);
  const last = attempts.at(-1);
  for (const attempt of attempts) {
    if (attempt !== last) expect(attempt.state, text).toBe("failed");
    expect(attempt.error === null, text).toBe(attempt.state === "succeeded");
  }
  if (run.state === "skipped") return expect([run.attempt, run.error], text).toEqual([0, expect.any(String)]);
  if (run.state === "succeeded") {
    expect(last, text).toMatchObject({ state: "succeeded" });
    expect(
      attempts.some(({ job_id: id }) => done.includes(id)),
      text,
    ).toBe(true);
  }
  if (run.state === "failed" || run.state === "timed_out") {
    expect(run.error, text).not.toBeNull();
    if (run.state === "failed" && last) expect(last, text).toMatchObject({ state: "failed", error: run.error });
  }
}

describe("a storm over syncs, docs and maintenance", () => {
  it("leaves every run ended once, with its attempts, and nothing that works on without its run", async () => {
    await fc.assert(fc.asyncProperty(fc.integer(), ride), { numRuns: STORMS, endOnFailure: true });
  });
});
