// What a doc's runs left behind, for who started them and may not read the same any more.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { RunOrder } from "../../../../kernel/wire/sandbox.ts";
import { DOC_LIMITS } from "../../../../src/features/docs/limits.ts";
import { JOBS, newWorld, type World } from "../../../support/unit/automations.ts";
import { addRole } from "../../../support/unit/data-access/roles.ts";
import type { Behaviour } from "../../../support/unit/fake-sandbox.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { call } from "../../../support/unit/http.ts";

const CANARY = "ValueError: canary";
const FAILS = { datasets: { one: { success: false, error: CANARY } } };
const EVERY_TABLE = [{ integration_id: "*", schema: "*" }];

/** Runs the doc to its end, which is a failure; `during` is what happens meanwhile. */
async function run({ sandbox, team, behaviour }: World, key: string, during: Behaviour["during"] = print) {
  Object.assign(behaviour, FAILS, { during });
  const path = `/v4/docs/${team.docId}/run`;
  const { status, body } = await callWith(sandbox.bindings, "POST", path, { key, body: {} });
  expect(status, body.message).toBe(202);
  return sandbox.seen.orders.at(-1)!;
}

const print: NonNullable<Behaviour["during"]> = async ({ datasets: [first] }, send) => {
  const lines = [{ at: new Date().toISOString(), stream: "stdout", text: CANARY }];
  expect((await send("log", { executionId: first!.executionId, lines })).status).toBe(204);
};

/** All that a run says, in one text; and the status of its log. */
async function seen({ team }: World, { runId, datasets: [first] }: RunOrder, key: string) {
  const paths = [`/v4/docs/${team.docId}/runs/${runId}`, `/v4/docs/${team.docId}/runs`];
  const execution = `/v4/executions/${first!.executionId}`;
  const answers = await Promise.all(
    [...paths, execution, `${execution}/logs`].map((path) => call("GET", path, { key })),
  );
  return { text: JSON.stringify(answers.map(({ body }) => body)), log: answers.at(-1)! };
}

describe("the output of a run", () => {
  it("is refused to who started it once they may read otherwise than it did, and not to admins", async () => {
    const world = await newWorld();
    const { member, admin } = world.team;
    const order = await run(world, member.key);
    expect((await seen(world, order, member.key)).text.split("canary").length).toBeGreaterThan(3);
    await addRole(world.team, EVERY_TABLE, [member.id]);
    const { text, log } = await seen(world, order, member.key);
    expect(text).not.toContain("canary");
    expect([log.status, log.body.message]).toEqual([
      403,
      expect.stringContaining("may have read what you may not read now"),
    ]);
    expect((await seen(world, order, admin.key)).text).toContain("canary");
  });

  it("is refused where the rights went while it ran, whatever they are by its end or later", async () => {
    const world = await newWorld();
    const { member, admin } = world.team;
    await addRole(world.team, [], []);
    let role = "";
    const order = await run(world, member.key, async () => {
      role = await addRole(world.team, EVERY_TABLE, [member.id]);
    });
    const mine = async () => (await seen(world, order, member.key)).text;
    expect(await mine()).not.toContain("canary");
    await call("DELETE", `/v4/data-access/roles/${role}`, { key: admin.key });
    expect(await mine()).not.toContain("canary");
  });

  it("stays with who started it while they may read the same, and once they may read everything", async () => {
    const world = await newWorld();
    const { member, admin } = world.team;
    const role = await addRole(world.team, EVERY_TABLE, [member.id]);
    const order = await run(world, member.key);
    const mine = async () => (await seen(world, order, member.key)).text;
    expect(await mine()).toContain("canary");
    await call("DELETE", `/v4/data-access/roles/${role}`, { key: admin.key });
    expect(await mine()).toContain("canary");
  });

  it("tells nobody else how long a dataset took, nor how much memory", async () => {
    const world = await newWorld();
    const order = await run(world, world.team.admin.key);
    const path = `/v4/executions/${order.datasets[0]!.executionId}`;
    const sizes = async (key: string) => (await call("GET", path, { key })).body.data;
    expect(await sizes(world.team.admin.key)).toMatchObject({ duration_ms: expect.any(Number) });
    expect(await sizes(world.team.member.key)).toMatchObject({ duration_ms: null, peak_bytes: null, result: null });
  });
});

describe("the output of a job's run", () => {
  it("is refused to its owner once they may read otherwise than it did", async () => {
    const world = await newWorld();
    const owner = await world.team.newMember("admin");
    const fields = { resourceType: "doc", resourceId: world.team.docId, name: "Owned", datasetKeys: ["one"] };
    const jobId = (await world.call("POST", "", fields, owner.key)).body.data.id;
    const { id } = (await world.process(jobId)).body.data;
    const order = world.sandbox.seen.orders.at(-1)!;
    await world.begin(order);
    await print(order, world.sandbox.senderOf(order));
    await world.finish(order, FAILS);
    await world.step(id, 10_000);
    const path = `${JOBS}/${jobId}/runs/${id}`;
    const mine = async () => {
      const paths = [`${JOBS}/${jobId}`, path, `${path}/attempts`, `${path}/attempts/1/logs`];
      return JSON.stringify(
        (await Promise.all(paths.map((at) => call("GET", at, { key: owner.key })))).map((a) => a.body),
      );
    };
    const demoted = await call("PATCH", `/v4/users/${owner.id}`, {
      key: world.team.admin.key,
      body: { role: "member" },
    });
    expect(demoted.status, demoted.body.message).toBe(200);
    expect(await mine()).toContain("canary");
    await addRole(world.team, EVERY_TABLE, [owner.id]);
    expect(await mine()).not.toContain("canary");
  });

  it("shows its owner why it failed where an attempt never had a run of the doc", async () => {
    const world = await newWorld();
    const owner = await world.team.newMember("admin");
    const fields = { resourceType: "doc", resourceId: world.team.docId, name: "Owned", datasetKeys: ["one"] };
    const jobId = (await world.call("POST", "", fields, owner.key)).body.data.id;
    world.behaviour.unavailable = "start";
    const { id } = (await world.process(jobId)).body.data;
    await call("PATCH", `/v4/users/${owner.id}`, { key: world.team.admin.key, body: { role: "member" } });
    await addRole(world.team, EVERY_TABLE, [owner.id]);
    const path = `${JOBS}/${jobId}/runs/${id}/attempts`;
    const [attempt] = (await call("GET", path, { key: owner.key })).body.data.items;
    expect(attempt).toMatchObject({ state: "failed", error: expect.any(String) as string });
    // Once runs of docs of that time are forgotten, it is not known whether there was one.
    const old = new Date(Date.now() - DOC_LIMITS.runKeptMs).toISOString();
    await env.DB.prepare("update attempts set started_at = ? where run_id = ?").bind(old, id).run();
    expect((await call("GET", path, { key: owner.key })).body.data.items[0]).toMatchObject({ error: null });
  });
});
