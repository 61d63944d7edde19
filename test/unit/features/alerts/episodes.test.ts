import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { ALERT_LIMITS } from "../../../../src/features/alerts/limits.ts";
import { schemaFlaws } from "../../../support/unit/conformance.ts";
import { newAlertWorld } from "./alert-world.ts";
import { setAlertWebhook } from "../../../../src/features/alerts/webhook/set.ts";
import { JobAlert } from "../../../../src/features/alerts/episodes/event.ts";

/** A sweep looks at every team that has a webhook, and these worlds share one database. */
beforeEach(async () => void (await env.DB.prepare("UPDATE alert_webhooks SET disabled_at = updated_at").run()));

const HOUR = 60;

describe("a sync that fails", () => {
  it("is reported once, however often it fails and the clock ticks, and once when it has recovered", async () => {
    const world = await newAlertWorld();
    const sync = await world.newSync({ schedule: "weekly" });
    await world.endSyncRun(sync, { state: "succeeded" });
    expect(await world.types()).toEqual([]);
    world.pass(1);
    const runId = await world.endSyncRun(sync, { state: "failed", error: "The password is not accepted." });
    const [failed, ...more] = await world.tick();
    expect(more).toEqual([]);
    expect(failed).toMatchObject({
      type: "sync.failed",
      timestamp: world.now().toISOString(),
      data: {
        sync_id: sync.id,
        source_name: "shop",
        lake_name: "Lake",
        dest_schema: sync.destSchema,
        cause: "failed",
        since: world.now().toISOString(),
        run_id: runId,
        error: "The password is not accepted.",
        path: `/v1/api/integrations/${sync.sourceId}/syncs/${runId}`,
      },
    });
    for (let again = 0; again < 3; again++) {
      world.pass(1);
      await world.endSyncRun(sync, { state: "failed", error: "again" });
      expect(await world.types()).toEqual([]);
    }
    world.pass(1);
    await world.endSyncRun(sync, { state: "cancelled" });
    expect(await world.types()).toEqual([]);
    world.pass(1);
    const success = await world.endSyncRun(sync, { state: "succeeded" });
    const [recovered] = await world.tick();
    expect(recovered).toMatchObject({
      type: "sync.recovered",
      data: { episode_id: failed!.data["episode_id"], cause: "failed", run_id: success, error: null },
    });
    expect(await world.types()).toEqual([]);
    world.pass(1);
    await world.endSyncRun(sync, { state: "failed" });
    expect(await world.types()).toEqual(["sync.failed"]);
    expect(await world.episodes()).toMatchObject([{ outcome: "recovered" }, { closed_at: null }]);
  });

  it("is reported though it had recovered before anybody looked, and then its recovery", async () => {
    const world = await newAlertWorld();
    const sync = await world.newSync({ schedule: "weekly" });
    world.pass(1);
    await world.endSyncRun(sync, { state: "failed" });
    world.pass(1);
    await world.endSyncRun(sync, { state: "succeeded" });
    expect(await world.types()).toEqual(["sync.failed"]);
    expect(await world.types()).toEqual(["sync.recovered"]);
    expect(await world.types()).toEqual([]);
  });

  it("is reported once by ticks that come at the same time, and so is its recovery", async () => {
    const world = await newAlertWorld();
    const syncs = [await world.newSync({ schedule: "weekly" }), await world.newSync({ schedule: "weekly" })];
    world.pass(1);
    for (const sync of syncs) await world.endSyncRun(sync, { state: "failed" });
    await Promise.all(Array.from({ length: 4 }, world.sweep));
    expect((await world.deliveries()).map(({ type }) => type)).toEqual(["sync.failed", "sync.failed"]);
    world.pass(1);
    for (const sync of syncs) await world.endSyncRun(sync, { state: "succeeded" });
    await Promise.all(Array.from({ length: 4 }, world.sweep));
    expect((await world.deliveries()).map(({ type }) => type).slice(2)).toEqual(["sync.recovered", "sync.recovered"]);
    expect(await world.episodes()).toHaveLength(2);
  });

  it("has not recovered by a run of some of its tables", async () => {
    const world = await newAlertWorld();
    const sync = await world.newSync({ schedule: "weekly" });
    world.pass(1);
    await world.endSyncRun(sync, { state: "failed" });
    expect(await world.types()).toEqual(["sync.failed"]);
    world.pass(1);
    await world.endSyncRun(sync, { state: "succeeded", onlyTables: ["public.orders"] });
    expect(await world.types()).toEqual([]);
  });

  it("is not reported for what failed before the webhook was set, or while it was disabled", async () => {
    const world = await newAlertWorld();
    const sync = await world.newSync({ schedule: "weekly" });
    await world.endSyncRun(sync, { state: "failed", endedAt: new Date(world.nowMs - 1).toISOString() });
    expect(await world.types()).toEqual([]);
    await env.DB.prepare("update alert_webhooks set disabled_at = ?2 where team_id = ?1")
      .bind(world.teamId, world.now().toISOString())
      .run();
    world.pass(1);
    await world.endSyncRun(sync, { state: "failed" });
    expect(await world.types()).toEqual([]);
    world.pass(1);
    await setAlertWebhook({ ...world.clients, scope: world.scope() }, { url: "https://other.example.com/" });
    expect(await world.types()).toEqual([]);
    world.pass(1);
    await world.endSyncRun(sync, { state: "failed" });
    expect(await world.types()).toEqual(["sync.failed"]);
  });

  it("is not reported for a failure of long ago, also where its episode is forgotten", async () => {
    const world = await newAlertWorld();
    const sync = await world.newSync({ schedule: "weekly" });
    world.pass(1);
    await world.endSyncRun(sync, { state: "failed" });
    expect(await world.types()).toEqual(["sync.failed"]);
    await world.endSyncRun(sync, { state: "succeeded", endedAt: new Date(world.nowMs + 1).toISOString() });
    expect(await world.types()).toEqual(["sync.recovered"]);
    world.nowMs += ALERT_LIMITS.alertKeptMs + 60_000;
    await world.endSyncRun(sync, { state: "succeeded" });
    expect(await world.types()).toEqual([]);
    expect([await world.episodes(), await world.deliveries()]).toEqual([[], []]);
    expect(await world.types()).toEqual([]);
  });
});

describe("a sync that should have succeeded by now", () => {
  it("is reported once when its time and another turn have passed, and when it succeeds", async () => {
    const world = await newAlertWorld();
    const sync = await world.newSync({ cron: "0 * * * *", timezone: "UTC" });
    world.pass(5);
    const success = world.now().toISOString();
    await world.endSyncRun(sync, { state: "succeeded" });
    world.pass(115 - 1);
    expect(await world.types()).toEqual([]);
    world.pass(1);
    const [stale] = await world.tick();
    expect(stale).toMatchObject({
      type: "sync.stale",
      data: {
        cause: "stale",
        since: success,
        last_success_at: success,
        due_by: "2100-01-01T02:00:00.000Z",
        run_id: null,
        path: `/v1/api/integrations/${sync.sourceId}/sync?dest_schema=${sync.destSchema}&dest_integration_id=${sync.lakeId}`,
      },
    });
    world.pass(10);
    await world.endSyncRun(sync, { state: "failed" });
    expect(await world.types()).toEqual([]);
    world.pass(10);
    await world.endSyncRun(sync, { state: "succeeded" });
    expect(await world.types()).toEqual(["sync.recovered"]);
    expect(await world.types()).toEqual([]);
  });

  it("has the time of a whole run for its first one, and none besides", async () => {
    const world = await newAlertWorld();
    const sync = await world.newSync();
    await world.endSyncRun(sync, { state: "running" });
    world.pass(5 * HOUR);
    expect(await world.types()).toEqual([]);
    await env.DB.prepare("update sync_runs set state = 'cancelled', ended_at = updated_at where sync_id = ?")
      .bind(sync.id)
      .run();
    expect(await world.types()).toEqual(["sync.stale"]);
  });

  it("is never one that is paused; one that is paused meanwhile is dropped, and nobody hears of it", async () => {
    const world = await newAlertWorld();
    const [paused, later] = [await world.newSync({ status: "paused", nextRunAt: null }), await world.newSync()];
    world.pass(5 * HOUR);
    expect((await world.tick()).map(({ data }) => data["sync_id"])).toEqual([later.id]);
    await env.DB.prepare("update syncs set status = 'paused' where id = ?").bind(later.id).run();
    expect(await world.types()).toEqual([]);
    expect(await world.episodes()).toMatchObject([{ subject_id: later.id, outcome: "dropped" }]);
    expect(paused.id).not.toBe(later.id);
  });

  it("is dropped when it is deleted", async () => {
    const world = await newAlertWorld();
    const sync = await world.newSync();
    world.pass(5 * HOUR);
    expect(await world.types()).toEqual(["sync.stale"]);
    await env.DB.prepare("update syncs set status = 'removing' where id = ?").bind(sync.id).run();
    expect(await world.types()).toEqual([]);
    expect(await world.episodes()).toMatchObject([{ outcome: "dropped", until: null }]);
  });
});

describe("an automation job", () => {
  it.each(["failed", "timed_out"])("whose run ends %s is reported, and its recovery", async (state) => {
    const world = await newAlertWorld();
    const job = await world.newJob();
    world.pass(1);
    const runId = await world.endJobRun(job, { state, error: "It took too long." });
    expect(await world.tick()).toMatchObject([
      {
        type: "job.failed",
        data: {
          job_id: job.id,
          job_name: "Nightly",
          paused_reason: null,
          resource_type: "lake_integration_maintenance",
          kind: "daily",
          run_id: runId,
          error: "It took too long.",
          path: `/v4/automations/jobs/${job.id}/runs/${runId}`,
        },
      },
    ]);
    world.pass(1);
    await world.endJobRun(job, { state: "skipped" });
    expect(await world.types()).toEqual([]);
    await world.endJobRun(job, { state: "succeeded" });
    expect(await world.types()).toEqual(["job.recovered"]);
  });

  it("that has paused itself is reported once, with the reason", async () => {
    const world = await newAlertWorld();
    const job = await world.newJob();
    world.pass(1);
    await world.endJobRun(job, { state: "failed", error: "Its doc is archived." });
    await env.DB.prepare(
      "update automation_jobs set is_enabled = 0, next_run_at = null, paused_reason = 'doc_archived' where id = ?",
    )
      .bind(job.id)
      .run();
    expect(await world.tick()).toMatchObject([{ type: "job.failed", data: { paused_reason: "doc_archived" } }]);
    world.pass(100_000);
    expect(await world.tick()).toEqual([]);
  });

  it("is stale by its schedule, and never where it has none or is disabled", async () => {
    const world = await newAlertWorld();
    const job = await world.newJob();
    await world.newJob({ cron: null });
    const disabled = await world.newJob({ enabled: false });
    world.pass(2 * HOUR - 1);
    expect(await world.types()).toEqual([]);
    world.pass(1);
    expect((await world.tick()).map(({ type, data }) => [type, data["job_id"]])).toEqual([["job.stale", job.id]]);
    await world.endJobRun(disabled, { state: "failed" });
    expect(await world.types()).toEqual(["job.failed"]);
    await env.DB.prepare("delete from automation_jobs where team_id = ?").bind(world.teamId).run();
    expect(await world.types()).toEqual([]);
    expect(await world.episodes()).toMatchObject([{ outcome: "dropped" }, { outcome: "dropped" }]);
  });
});

describe("a job whose doc builds tables", () => {
  const test = { schema: "shop", table: "orders", name: "unique id" };
  const [error, warn] = [{ ...test, severity: "error" } as const, { ...test, severity: "warn" } as const];

  it("is reported with the tests that failed", async () => {
    const world = await newAlertWorld();
    const job = await world.newJob();
    world.pass(1);
    const runId = await world.endBuildRun(job, "failed", [error, warn]);
    expect(await world.tick()).toMatchObject([{ type: "job.failed", data: { run_id: runId, tests: [error, warn] } }]);
  });

  it("is reported once where tests only warn, until none does, or it fails", async () => {
    const world = await newAlertWorld();
    const job = await world.newJob();
    world.pass(1);
    const runId = await world.endBuildRun(job, "succeeded", [warn]);
    const [message, ...more] = await world.tick();
    expect(message).toMatchObject({ type: "job.warned", data: { cause: "warned", run_id: runId, tests: [warn] } });
    expect(JobAlert.parse(message)).toEqual(message);
    expect(more).toEqual([]);
    world.pass(1);
    await world.endBuildRun(job, "succeeded", [warn]);
    expect(await world.types()).toEqual([]);
    world.pass(1);
    await world.endBuildRun(job, "succeeded", []);
    expect(await world.tick()).toMatchObject([{ type: "job.recovered", data: { cause: "warned", tests: [] } }]);
    world.pass(1);
    await world.endBuildRun(job, "succeeded", [warn]);
    expect(await world.types()).toEqual(["job.warned"]);
    world.pass(1);
    await world.endBuildRun(job, "failed", []);
    expect([...(await world.types()), ...(await world.types())]).toEqual(["job.failed"]);
    world.pass(1);
    await world.endBuildRun(job, "succeeded", [warn]);
    expect([...(await world.types()), ...(await world.types())]).toEqual(["job.recovered", "job.warned"]);
  });
});

describe("a message", () => {
  it("has the form that the document says, and a bound", async () => {
    const world = await newAlertWorld();
    const [sync, job] = [await world.newSync(), await world.newJob()];
    world.pass(1);
    await world.endSyncRun(sync, { state: "failed", error: "\u0007".repeat(100_000) });
    await world.endJobRun(job, { state: "failed", error: "x".repeat(100_000) });
    const messages = await world.tick();
    expect(messages.map(({ type }) => type).sort()).toEqual(["job.failed", "sync.failed"]);
    for (const message of messages) {
      const name = message.type.startsWith("sync.") ? "SyncAlert" : "JobAlert";
      expect(await schemaFlaws(name, { $ref: `#/components/schemas/${name}` }, message)).toEqual([]);
      expect(JSON.stringify(message).length).toBeLessThan(20_000);
    }
  });

  it("goes to no other team, and a team without a webhook has no episodes", async () => {
    const [ours, theirs] = [await newAlertWorld(), await newAlertWorld()];
    await env.DB.prepare("delete from alert_webhooks where team_id = ?").bind(theirs.teamId).run();
    const [sync, other] = [await ours.newSync({ schedule: "weekly" }), await theirs.newSync({ schedule: "weekly" })];
    ours.pass(1);
    theirs.pass(1);
    await ours.endSyncRun(sync, { state: "failed" });
    await theirs.endSyncRun(other, { state: "failed" });
    expect((await ours.tick()).map(({ data }) => data["sync_id"])).toEqual([sync.id]);
    expect([await theirs.episodes(), await theirs.deliveries()]).toEqual([[], []]);
  });

  it("comes for each of many syncs, a page at a time", async () => {
    const world = await newAlertWorld();
    const syncs = ALERT_LIMITS.alertSubjectsPerPageMax + 3;
    for (let made = 0; made < syncs; made += 1) await world.newSync({ schedule: "hourly" });
    world.pass(5 * HOUR);
    expect((await world.sweep()).alertsOpened).toBe(syncs);
    expect(await world.episodes()).toHaveLength(syncs);
    expect((await world.sweep()).alertsOpened).toBe(0);
  });
});
