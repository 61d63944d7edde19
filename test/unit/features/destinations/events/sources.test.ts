// What happens in a team becomes an event, once, with the commit that it reports.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { CRONS } from "../../../../../src/crons.ts";
import type { OutboundEventType } from "../../../../../src/core/events/outbound-event-types.ts";
import { recordBuild } from "../../../../../src/features/docs/builds/record-build.ts";
import { forgetCallers } from "../../../../../src/features/teams/keys/find-caller.ts";
import { CLAIM_OVER_MS, newWorld as newJobWorld } from "../../../../support/unit/automations.ts";
import { readDocument, schemaFlaws } from "../../../../support/unit/conformance.ts";
import { call } from "../../../../support/unit/http.ts";
import { newEventsDestination, type LogEntry } from "../../../../support/unit/messages/events.ts";
import { newTeam, type TestTeam } from "../../../../support/unit/team.ts";
import { newWorld as newSyncWorld, NO_TABLES } from "../../../../support/unit/work-model/sync-world.ts";

let team: TestTeam;
beforeEach(async () => void (team = await newTeam()));

/** The events of these types in the order of their commits, each of the form that the document says. */
async function eventsOf(hook: { log(): Promise<LogEntry[]> }) {
  const { webhooks } = (await readDocument()) as unknown as {
    webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: object }> } } }>;
  };
  const log = await hook.log();
  for (const { event_type: type, payload } of log) {
    const { schema } = webhooks[type]!.post.requestBody.content["application/json"]!;
    expect(await schemaFlaws(type, schema, payload)).toEqual([]);
  }
  return log.map(({ payload: { type, data }, is_held }) => ({ type, data, isHeld: is_held }));
}

const typesOf = (events: { type: string }[]) => events.map(({ type }) => type);
const hookOf = (of: TestTeam, ...types: OutboundEventType[]) =>
  newEventsDestination(of, types.length > 0 ? types : undefined);

/** The job that the engine works on. */
const jobOf = ({ jobs }: Awaited<ReturnType<typeof newSyncWorld>>) => [...jobs.values()].at(-1)!;

describe("a run of a sync", () => {
  it("has an event as it has started, and one as it has ended, held behind the first", async () => {
    const hook = await hookOf(team);
    const world = await newSyncWorld({ teamId: team.id, userId: team.admin.id });
    const sync = await world.addSync();
    const run = await world.run(sync);
    await world.step(run);
    await world.finish(jobOf(world));
    await world.stepWhenDue(run);
    await world.step(run);
    const events = await eventsOf(hook);
    expect(events).toMatchObject([
      { type: "sync_run.started", isHeld: false, data: { run_id: run.id, sync_id: sync.id, state: "running" } },
      { type: "sync_run.ended", isHeld: true, data: { run_id: run.id, state: "succeeded", attempt: 1 } },
    ]);
  });

  it("has one as each attempt starts, and one at its end, without what went wrong in words", async () => {
    const hook = await hookOf(team);
    const world = await newSyncWorld({ teamId: team.id, userId: team.admin.id });
    const run = await world.run(await world.addSync());
    const failed = { outcome: "failed" as const, error: "Row 7 has 'secret'.", progress: NO_TABLES };
    await world.step(run);
    await world.finish(jobOf(world), { ...failed, retryable: true });
    await world.stepWhenDue(run);
    await world.stepWhenDue(run);
    await world.finish(jobOf(world), { ...failed, retryable: false });
    await world.stepWhenDue(run);
    const events = await eventsOf(hook);
    expect(events.map(({ type, data }) => `${type} ${data["state"]} ${data["attempt"]}`)).toEqual([
      "sync_run.started running 1",
      "sync_run.started running 2",
      "sync_run.ended failed 2",
    ]);
    expect(JSON.stringify(events)).not.toContain("secret");
  });
});

describe("a run of a job", () => {
  it("has its events, and the doc's run that it is has others", async () => {
    const world = await newJobWorld();
    const hook = await hookOf(world.team);
    const { id: runId } = (await world.process(await world.newJob())).body.data;
    const order = world.sandbox.seen.orders[0]!;
    await world.begin(order);
    await world.finish(order);
    await world.step(runId, 60_000);
    const events = await eventsOf(hook);
    expect(typesOf(events).filter((type) => type.startsWith("job_run"))).toEqual(["job_run.started", "job_run.ended"]);
    expect(events.filter(({ type }) => type.startsWith("doc_run"))).toMatchObject([
      { type: "doc_run.started", isHeld: false, data: { run_id: order.runId, doc_id: world.team.docId } },
      { type: "doc_run.ended", isHeld: true, data: { run_id: order.runId, state: "succeeded" } },
    ]);
  });

  it("of a lake's maintenance is maintenance", async () => {
    const world = await newJobWorld();
    const hook = await hookOf(world.team);
    const fields = { resourceType: "lake_integration_maintenance", resourceId: world.team.lakeId };
    const jobId = await world.newJob(fields);
    const { id: runId } = (await world.process(jobId)).body.data;
    await env.DB.prepare(
      "update automation_runs set cancel_requested_at = created_at, due_at = created_at where id = ?",
    )
      .bind(runId)
      .run();
    await world.step(runId, CLAIM_OVER_MS);
    expect((await eventsOf(hook)).at(-1)).toMatchObject({
      ...{ type: "maintenance_run.ended", data: { run_id: runId, job_id: jobId, state: "cancelled" } },
    });
  });
});

it("tests of tables that a run built have one event, however often their outcome is recorded", async () => {
  const hook = await hookOf(team);
  const { clients } = hook;
  const definition = {
    datasets: {
      orders: {
        ...{ engine: "sql", sql: "select 1", materialize: { table: "shop.orders" } },
        tests: [{ kind: "not_null", columns: ["id"] }],
      },
    },
  };
  const now = new Date();
  const run = { teamId: team.id, id: crypto.randomUUID(), docId: crypto.randomUUID(), createdAt: now.toISOString() };
  const tests = [{ dataset: "orders", index: 0, state: "failed", severity: "error", rows: 3 }];
  const outcome = { stages: [], published: { snapshotId: null, tests }, definition };
  for (let times = 0; times < 2; times++) await recordBuild(clients.db, run as never, outcome as never, now);
  expect(await eventsOf(hook)).toMatchObject([
    {
      type: "table_tests.ended",
      data: { outcome: "failed", tests: 1, tests_failed: 1, failed: [{ schema: "shop", table: "orders" }] },
    },
  ]);
});

it("a refusal for the plan has one event a month or day, which tells what is full", async () => {
  const hook = await hookOf(team);
  await env.DB.prepare("update teams set plan = 'free' where id = ?").bind(team.id).run();
  forgetCallers(({ teamId }) => teamId === team.id);
  let refused = 0;
  for (let made = 0; made < 40 && refused < 3; made++) {
    const body = { name: "Eve", email: `${crypto.randomUUID()}@example.com`, role: "member" };
    const { status } = await call("POST", "/v4/users", { key: team.admin.key, body });
    if (status === 426) refused++;
  }
  expect(refused).toBe(3);
  expect(await eventsOf(hook)).toMatchObject([{ type: "quota.exceeded", data: { quota: "users", resets_at: null } }]);
});

describe("a change of access", () => {
  const tick = () => CRONS["* * * * *"]!(hookClients, new Date());
  let hookClients: Awaited<ReturnType<typeof hookOf>>["clients"];

  it("has an event within a tick, which names who did what to whom, and no value", async () => {
    const hook = await hookOf(team);
    hookClients = hook.clients;
    const body = { name: "Secretive Eve", email: `${crypto.randomUUID()}@example.com`, role: "member" };
    const { data } = (await call("POST", "/v4/users", { key: team.admin.key, body })).body;
    expect(await eventsOf(hook)).toEqual([]);
    await tick();
    await tick();
    const events = await eventsOf(hook);
    expect(events).toMatchObject([
      { type: "access.changed", data: { action: "user.create", subject_id: data.id, actor_id: team.admin.id } },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/Secretive|@example/);
    expect(hook.woken.length).toBeGreaterThan(0);
  });

  it("has none where nobody wanted to hear of it as it was made, nor has another change", async () => {
    await call("POST", "/v4/users", {
      key: team.admin.key,
      body: { name: "Eve", email: `${crypto.randomUUID()}@example.com`, role: "member" },
    });
    const hook = await hookOf(team);
    hookClients = hook.clients;
    await hook.patch({ description: "Not access" });
    await tick();
    expect(await eventsOf(hook)).toEqual([]);
  });
});
