// The tick: what is due runs once, whatever ticks twice, late or not at all.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { AUTOMATION_LIMITS } from "../../../../src/features/automations/limits.ts";
import { WORK_LIMITS } from "../../../../src/features/work-model/limits.ts";
import { startDueAutomations } from "../../../../src/features/automations/schedule/start-due.ts";
import { sweepAutomationRuns } from "../../../../src/features/automations/schedule/sweep.ts";
import { newWorld, type World } from "../../../support/unit/automations.ts";

const HOURLY = { schedule: { cron: "0 * * * *", timezone: "UTC" } };
const DUE = "2020-01-01T05:00:00.000Z";
/** Long before the jobs' own next times, which are real: at a full hour they would be due as well. */
const TICK = new Date("2020-01-01T05:00:30.000Z");

const makeDue = (jobId: string, at = DUE) =>
  env.DB.prepare("update automation_jobs set next_run_at = ? where id = ?").bind(at, jobId).run();
const tick = ({ clients }: World, at = TICK) => startDueAutomations(clients, at);
const nextRunOf = async (world: World, jobId: string) => (await world.call("GET", `/${jobId}`)).body.data.nextRunAt;

describe("startDueAutomations", () => {
  it("runs what is due once, and moves it on to a time that is still to come", async () => {
    const world = await newWorld();
    const [due, later] = [await world.newJob(HOURLY), await world.newJob(HOURLY)];
    await makeDue(due);
    await tick(world);
    const [run, ...rest] = await world.runsOf(due);
    expect(run).toMatchObject({ state: "queued", cause: "schedule", scheduledFor: DUE, attempt: 0 });
    expect([rest, await world.runsOf(later)]).toEqual([[], []]);
    expect(world.sent).toEqual([run.id]);
    expect(await nextRunOf(world, due)).toBe("2020-01-01T06:00:00.000Z");
    expect(await world.step(run.id)).toBe("begin");
    expect(world.sandbox.seen.orders).toHaveLength(1);
    await tick(world);
    expect(await world.runsOf(due)).toHaveLength(1);
  });

  it("runs missed times once", async () => {
    const world = await newWorld();
    const jobId = await world.newJob(HOURLY);
    await makeDue(jobId, "2019-06-01T00:00:00.000Z");
    const at = new Date("2020-01-01T00:30:00.000Z");
    await tick(world, at);
    await tick(world, at);
    expect(await world.runsOf(jobId)).toHaveLength(1);
    expect(await nextRunOf(world, jobId)).toBe("2020-01-01T01:00:00.000Z");
  });

  it("records one run however many tick at once", async () => {
    const world = await newWorld();
    const jobs = await Promise.all(Array.from({ length: 10 }, () => world.newJob(HOURLY)));
    await Promise.all(jobs.map((id) => makeDue(id)));
    await Promise.all([tick(world), tick(world), tick(world)]);
    const runs = await Promise.all(jobs.map((id) => world.runsOf(id)));
    expect(runs.map(({ length }) => length)).toEqual(Array(10).fill(1));
    expect(new Set(world.sent).size).toBe(10);
    expect(world.sent).toHaveLength(10);
  });

  it("never runs the same time again, even where the clock of a change lags behind", async () => {
    const world = await newWorld();
    const jobId = await world.newJob(HOURLY);
    await makeDue(jobId);
    await tick(world);
    await makeDue(jobId);
    await tick(world);
    expect(await world.runsOf(jobId)).toHaveLength(1);
    expect(await nextRunOf(world, jobId)).not.toBe(DUE);
  });

  it("sends no second message to other jobs of a doc when a run of it ends: they wait for none", async () => {
    const world = await newWorld();
    const jobs = [await world.newJob(HOURLY), await world.newJob(HOURLY)];
    for (const id of jobs) await makeDue(id);
    await tick(world);
    const [first, second] = world.sent as [string, string];
    await world.step(first);
    await world.finish(world.sandbox.seen.orders[0]!);
    await world.step(first, 20_000);
    const runs = (await Promise.all(jobs.map((id) => world.runsOf(id)))).flat();
    expect(runs.find(({ id }: { id: string }) => id === first)).toMatchObject({ state: "succeeded" });
    expect(world.sent.filter((id) => id === second)).toHaveLength(1);
  });

  it("leaves disabled jobs alone", async () => {
    const world = await newWorld();
    const jobId = await world.newJob(HOURLY);
    await makeDue(jobId);
    await world.call("PATCH", `/${jobId}`, { enabled: false });
    await tick(world);
    expect(await world.runsOf(jobId)).toEqual([]);
  });

  it("skips a run, and says why, where another is in progress", async () => {
    const world = await newWorld();
    const jobId = await world.newJob(HOURLY);
    const { id } = (await world.process(jobId)).body.data;
    await makeDue(jobId);
    await tick(world);
    const skipped = (await world.runsOf(jobId)).find(({ cause }: { cause: string }) => cause === "schedule");
    expect(skipped).toMatchObject({
      state: "skipped",
      scheduledFor: DUE,
      attempt: 0,
      error: `Run ${id} of this job was in progress.`,
      startedAt: null,
      durationMs: null,
    });
    expect(skipped.endedAt).not.toBeNull();
    expect(await world.step(skipped.id)).toBe("wait");
    expect(world.sent).toEqual([id]);
  });

  it("skips no time for a run that is dead since the platform was away, and runs it once that has ended", async () => {
    const world = await newWorld();
    const jobId = await world.newJob(HOURLY);
    const { id } = (await world.process(jobId)).body.data;
    await makeDue(jobId);
    // Nobody has looked at the run for a while when the tick comes.
    await env.DB.prepare("update automation_runs set due_at = '2020-01-01T04:59:00.000Z' where id = ?").bind(id).run();
    expect(await tick(world)).toEqual({ automationRunsStarted: 0, automationRunsSkipped: 0 });
    expect(await nextRunOf(world, jobId), "the time is held back").toBe(DUE);
    await world.finish(world.sandbox.seen.orders[0]!);
    expect(await world.step(id)).toBe("watch");
    const runs: { cause: string; state: string; scheduledFor: string | null }[] = await world.runsOf(jobId);
    expect(runs.filter(({ cause }) => cause === "schedule")).toMatchObject([{ state: "queued", scheduledFor: DUE }]);
    expect(Date.parse(await nextRunOf(world, jobId))).toBeGreaterThan(Date.now());
  });

  it("lets a run wait for its turn where the job says so, up to a bound", async () => {
    const world = await newWorld();
    const jobId = await world.newJob({ ...HOURLY, overlap: "queue" });
    await world.process(jobId);
    for (let hour = 0; hour < 12; hour++) {
      const at = `2020-01-01T${String(hour).padStart(2, "0")}:00:00.000Z`;
      await makeDue(jobId, at);
      await tick(world, new Date(at));
    }
    const states = (await world.runsOf(jobId)).map(({ state }: { state: string }) => state);
    expect(states.filter((state: string) => state === "queued")).toHaveLength(10);
    expect(states.filter((state: string) => state === "skipped")).toHaveLength(2);
  });

  it("claims hundreds of jobs, and so many of one team at a tick", async () => {
    const world = await newWorld();
    const jobId = await world.newJob(HOURLY);
    await env.DB.prepare(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 600)
       insert into automation_jobs select 'bulk-' || i || substr(id, 7), team_id, name, name_folded, is_enabled, resource_type, resource_id, kind,
         dataset_keys, cron, timezone, attempts_max, backoff_seconds, timeout_seconds, overlap, owner_id, ?1, revision, created_at, updated_at, paused_reason, doc_entry, payload
       from automation_jobs, n where id = ?2`,
    )
      .bind(DUE, jobId)
      .run();
    const most = AUTOMATION_LIMITS.runsPerTickOfTeamMax;
    for (const started of [most, most, 600 - 2 * most])
      expect(await tick(world)).toEqual({ automationRunsStarted: started, automationRunsSkipped: 0 });
    expect(new Set(world.sent).size).toBe(WORK_LIMITS.startsPerTeamMax);
    expect(await tick(world)).toEqual({ automationRunsStarted: 0, automationRunsSkipped: 0 });
  });
});

describe("sweepAutomationRuns", () => {
  it("wakes up a run whose message was lost, and not one that waits for its turn", async () => {
    const world = await newWorld();
    const jobId = await world.newJob({ ...HOURLY, overlap: "queue" });
    await makeDue(jobId);
    await tick(world);
    const { id: waiting } = (await world.process(jobId)).body.data;
    const [first] = world.sent.splice(0);
    await sweepAutomationRuns(world.clients, new Date(Date.now() + 60_000));
    expect(world.sent).toContain(first);
    expect(world.sent).not.toContain(waiting);
  });

  it("forgets runs of long ago with their attempts", async () => {
    const world = await newWorld({ unavailable: "start" });
    const jobId = await world.newJob();
    const { id } = (await world.process(jobId)).body.data;
    await sweepAutomationRuns(world.clients, new Date(Date.now() + 89 * 86_400_000));
    expect(await world.runsOf(jobId)).toHaveLength(1);
    await sweepAutomationRuns(world.clients, new Date(Date.now() + 91 * 86_400_000));
    expect(await world.runsOf(jobId)).toEqual([]);
    const left = await env.DB.prepare("select count(*) as n from attempts where run_id = ?")
      .bind(id)
      .first<number>("n");
    expect(left).toBe(0);
  });
});
