// What runs use up of a month: counted once, whatever comes twice, and checked wherever a run begins.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { SyncProgress } from "../../../../kernel/jobs/progress.ts";
import { boundsOf, monthEndsAt, monthOf, type TeamPlan } from "../../../../src/core/teams/plans.ts";
import { finishRun } from "../../../../src/features/docs/runs/finish.ts";
import { startDueAutomations } from "../../../../src/features/automations/schedule/start-due.ts";
import { findExceeded, requireLeft, SYNC_USES } from "../../../../src/features/quotas/metered.ts";
import { forgetCallers } from "../../../../src/features/teams/keys/find-caller.ts";
import { openDb } from "../../../../src/platform/db/client.ts";
import type { Token } from "../../../../src/platform/crypto/token.ts";
import { newWorld as newAutomations } from "../../../support/unit/automations.ts";
import { post } from "../../../support/unit/call-with.ts";
import { call } from "../../../support/unit/http.ts";
import { newSyncTeam } from "../../../support/unit/sync-team.ts";
import { newWorld, SUCCEEDED, type World } from "../../../support/unit/work-model/sync-world.ts";

const db = openDb(env.DB);
const FREE = boundsOf("free").monthly;

async function setPlan(id: string, plan: TeamPlan): Promise<void> {
  await env.DB.prepare("update teams set plan = ? where id = ?").bind(plan, id).run();
  forgetCallers(({ teamId }) => teamId === id);
}
const use = (teamId: string, runMs: number, rows: number, month = monthOf(new Date())) =>
  env.DB.prepare("insert or replace into month_uses values (?, ?, ?, ?)").bind(teamId, month, runMs, rows).run();
const usesOf = async (teamId: string) =>
  (
    await env.DB.prepare("select month, run_ms, rows_synced from month_uses where team_id = ? order by month")
      .bind(teamId)
      .all()
  ).results;

const table = (rowsWritten: number) =>
  ({
    ...{ source: "public.orders", schema: "shop", name: "orders", phase: "done", notes: [], error: null },
    ...{ rowsRead: rowsWritten, rowsWritten, rowsDeleted: 0, bytesWritten: 0, rowsEstimated: null },
  }) as unknown as SyncProgress["tables"][number];
const wrote = (rows: number) => ({ ...SUCCEEDED, progress: { tables: [table(rows)] } });

/** Begins a run and lets it work for some time. */
async function begin(world: World, ms: number) {
  const run = await world.run(await world.addSync());
  await world.step(run);
  world.nowMs += ms;
  return run;
}

describe("a sync's run", () => {
  it("is added once at its end, however often its step comes and beside itself", async () => {
    const world = await newWorld();
    const run = await begin(world, 90_000);
    expect(await usesOf(world.teamId)).toEqual([]);
    await world.finish(world.onlyJob(), wrote(1_234));
    await Promise.all([world.stepWhenDue(run), world.stepWhenDue(run), world.stepWhenDue(run)]);
    await world.step(run);
    const kept = await world.find(run);
    expect(kept).toMatchObject({ state: "succeeded", totals: { rowsWritten: 1_234 } });
    expect(await usesOf(world.teamId)).toEqual([
      { month: monthOf(world.now()), run_ms: world.nowMs - kept.startedAtMs!, rows_synced: 1_234 },
    ]);
  });

  it("counts what each attempt took, without the wait in between, and its rows once", async () => {
    const world = await newWorld();
    const run = await begin(world, 60_000);
    const failure = { outcome: "failed" as const, error: "gone", retryable: true };
    await world.finish(world.onlyJob(), { ...wrote(10), ...failure });
    await world.stepWhenDue(run);
    expect(await usesOf(world.teamId)).toEqual([]);
    await world.stepWhenDue(run);
    world.nowMs += 30_000;
    await world.finish(world.onlyJob(), wrote(25));
    await world.stepWhenDue(run);
    const spans = await env.DB.prepare("select started_at, ended_at from attempts where run_id = ?")
      .bind(run.id)
      .all<{ started_at: string; ended_at: string }>();
    expect(spans.results).toHaveLength(2);
    const ms = spans.results.reduce((sum, at) => sum + Date.parse(at.ended_at) - Date.parse(at.started_at), 0);
    expect(ms).toBeGreaterThanOrEqual(90_000);
    expect(await usesOf(world.teamId)).toEqual([{ month: monthOf(world.now()), run_ms: ms, rows_synced: 25 }]);
  });

  it("counts in the month that it ends in", async () => {
    const world = await newWorld();
    const ends = Date.parse(monthEndsAt(world.now()));
    world.nowMs = ends - 1_000;
    const run = await begin(world, 2_000);
    await world.finish(world.onlyJob(), wrote(5));
    await world.stepWhenDue(run);
    expect(await usesOf(world.teamId)).toMatchObject([{ month: monthOf(new Date(ends)), rows_synced: 5 }]);
  });

  it("that never began adds nothing", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    await world.cancel(run, "Not wanted.");
    await world.stepWhenDue(run);
    expect(await world.find(run)).toMatchObject({ state: "cancelled" });
    expect(await usesOf(world.teamId)).toEqual([]);
  });

  it.each([
    ["runSeconds", FREE.runSeconds! * 1_000, 0],
    ["rowsSynced", 0, FREE.rowsSynced!],
  ] as const)(
    "of a tick ends as failed, with the reason, where the %s are used up, and runs the month after",
    async (what, ms, rows) => {
      const world = await newWorld();
      await setPlan(world.teamId, "free");
      await use(world.teamId, ms, rows, monthOf(world.now()));
      const run = await world.run(await world.addSync());
      await world.step(run);
      expect(world.started).toEqual([]);
      const failed = await world.find(run);
      expect(failed).toMatchObject({ state: "failed", attempt: 1 });
      expect(failed.error).toContain(`until ${monthEndsAt(world.now())}`);
      expect(failed.error).toContain(String(FREE[what]));
      world.nowMs = Date.parse(monthEndsAt(world.now())) + 1;
      const next = await world.run(await world.addSync());
      await world.step(next);
      expect(world.started).toHaveLength(1);
    },
  );

  it("is refused with 426 where it is asked for beyond the plan", async () => {
    const { team, api, configure } = await newSyncTeam();
    await configure();
    await env.DB.prepare("update sync_runs set state = 'succeeded', ended_at = updated_at where team_id = ?")
      .bind(team.id)
      .run();
    await setPlan(team.id, "free");
    const limit = FREE.rowsSynced!;
    await use(team.id, 0, limit + 7);
    const runs = "select count(*) from sync_runs where team_id = ?";
    const before = await env.DB.prepare(runs).bind(team.id).first("count(*)");
    const ask = () => api("POST", "/syncs/run?dest_schema=shop", { full: false });
    const quota = { what: "rowsSynced", limit, used: limit + 7, resetsAt: monthEndsAt(new Date()) };
    expect(await ask()).toMatchObject({
      status: 426,
      body: { error: { code: "monthly_quota_exceeded", title: "Business Quota Exceeded", retryable: true, quota } },
    });
    expect(await env.DB.prepare(runs).bind(team.id).first("count(*)")).toBe(before);
    await use(team.id, 0, limit - 1);
    expect((await ask()).status).toBeLessThan(300);
  });
});

describe("a doc's run", () => {
  it("is added once at its end, whoever says so and however often", async () => {
    const world = await newAutomations();
    const { id } = (await world.process(await world.newJob())).body.data;
    const order = world.sandbox.seen.orders[0]!;
    await world.begin(order);
    await env.DB.prepare("update doc_runs set started_at = ? where id = ?")
      .bind(new Date(Date.now() - 50_000).toISOString(), order.runId)
      .run();
    const report = { datasets: [], outcome: "succeeded", error: null } as unknown as Parameters<typeof finishRun>[2];
    const now = new Date();
    const run = { teamId: world.team.id, id: order.runId, userId: world.team.admin.id, accessDigest: null };
    await Promise.all([finishRun(db, run, report, now), finishRun(db, run, report, now)]);
    const [used, ...rest] = await usesOf(world.team.id);
    expect(rest).toEqual([]);
    expect(used!["run_ms"]).toBeGreaterThanOrEqual(49_999);
    expect(used!["run_ms"]).toBeLessThan(80_000);
    await world.step(id, 60_000);
    expect(await usesOf(world.team.id)).toEqual([used]);
  });

  it("is refused with 426 where it is asked for, and fails with the reason where a tick began it", async () => {
    const world = await newAutomations();
    const jobId = await world.newJob({ schedule: { cron: "0 * * * *", timezone: "UTC" } });
    await setPlan(world.team.id, "free");
    const limit = FREE.runSeconds!;
    await use(world.team.id, limit * 1_000, 0);
    const quota = { what: "runSeconds", limit, used: limit, resetsAt: monthEndsAt(new Date()) };
    const refused = { status: 426, body: { error: { quota } } };
    expect(await world.process(jobId)).toMatchObject(refused);
    const key = world.team.member.key;
    expect(await call("POST", `/v4/docs/${world.team.docId}/run`, { key, body: {} })).toMatchObject(refused);
    expect(await world.runsOf(jobId)).toEqual([]);

    await env.DB.prepare("update automation_jobs set next_run_at = '2020-01-01T05:00:00.000Z' where id = ?")
      .bind(jobId)
      .run();
    await startDueAutomations(world.clients, new Date());
    const [queued] = await world.runsOf(jobId);
    await world.step(queued.id);
    expect(world.sandbox.seen.orders).toEqual([]);
    expect(await world.runOf(jobId, queued.id)).toMatchObject({
      state: "failed",
      error: expect.stringContaining(`seconds of runs until ${quota.resetsAt}`),
    });
  });
});

describe("the usage", () => {
  it("shows what was used, with the limits, or null where the plan sets none", async () => {
    const { team } = await newSyncTeam();
    await use(team.id, 61_999, 12);
    const usage = async () => (await call("GET", "/v4/usage", { key: team.admin.key })).body.data;
    await setPlan(team.id, "free");
    expect((await usage()).month).toMatchObject({
      run_seconds: { used: 61, limit: FREE.runSeconds },
      rows_synced: { used: 12, limit: FREE.rowsSynced },
    });
    await setPlan(team.id, "enterprise");
    const meter = env.METER.get(env.METER.idFromName(team.id));
    const event = { type: "query" as const, minute: Math.floor(Date.now() / 60_000), count: 3 };
    const sums = { sumMs: 3, minMs: 1, maxMs: 1, histogram: { 1: 3 } };
    const report = { teamId: team.id, source: "isolate", sequence: 1, events: [{ ...event, ...sums }] };
    for (let i = 0; i < 2; i++) await meter.add({ ...report, keyUses: {}, requests: {} });
    const { month } = await usage();
    expect(month).toMatchObject({ queries: { used: 3, limit: null }, run_seconds: { used: 61, limit: null } });
  });

  it("of another team or month does not count", async () => {
    const [world, other] = [await newWorld(), await newWorld()];
    const of = { teamId: world.teamId, now: world.now() };
    await setPlan(world.teamId, "free");
    await use(other.teamId, 1e12, 1e12, monthOf(world.now()));
    await use(world.teamId, 1e12, 1e12, "2020-01");
    expect(await findExceeded(db, of, SYNC_USES)).toBeUndefined();
    await use(world.teamId, FREE.runSeconds! * 1_000 - 1, FREE.rowsSynced! - 1, monthOf(world.now()));
    await expect(requireLeft(db, of, SYNC_USES)).resolves.toBeUndefined();
    await use(world.teamId, FREE.runSeconds! * 1_000, 0, monthOf(world.now()));
    await expect(requireLeft(db, of, SYNC_USES)).rejects.toMatchObject({ quota: { what: "runSeconds" } });
  });
});

describe("bytes of lakes", () => {
  it("beyond the plan keep a statement from adding, the sample from loading, and a sync's run from beginning", async () => {
    const { team, lakeId } = await newSyncTeam();
    const limit = boundsOf("free").stored.lakeBytes!;
    const figures = JSON.stringify({ bytes: { current: limit - 10, keptForSnapshots: 10 } });
    await env.DB.prepare(
      "insert or replace into lake_summaries (lake_id, team_id, figures, measured_at) values (?, ?, ?, ?)",
    )
      .bind(lakeId, team.id, figures, "2026-01-01T00:00:00.000Z")
      .run();
    const token: Token = {
      use: "lake",
      teamId: team.id,
      lakeId,
      snapshotId: 0,
      reader: "everything",
      writes: { statementId: crypto.randomUUID(), jobId: crypto.randomUUID(), author: "Ada" },
      expiresAt: Date.now() + 60_000,
    };
    const write = (adds: boolean) => post(`/lakes/${lakeId}/writers`, { token, body: { adds } });
    expect((await write(true)).status).toBe(200);
    await setPlan(team.id, "free");
    const quota = { what: "lakeBytes", limit, used: limit, resetsAt: null };
    expect(await write(true)).toMatchObject({ status: 426, body: { error: { quota } } });
    expect((await write(false)).status).toBe(200);
    const sample = await call("POST", `/v1/api/integrations/${lakeId}/sample`, { key: team.admin.key });
    expect(sample).toMatchObject({ status: 426, body: { error: { quota } } });
    expect((await findExceeded(db, { teamId: team.id, now: new Date() }, SYNC_USES))?.quota).toEqual(quota);
    expect((await call("GET", "/v4/usage", { key: team.admin.key })).body.data.stored.lake_bytes).toEqual({
      used: limit,
      limit,
      measured_at: "2026-01-01T00:00:00.000Z",
    });
  });
});
