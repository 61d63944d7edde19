// Lists of runs and attempts, their logs, and the log that is followed.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { AUTOMATION_LIMITS } from "../../../../src/features/automations/limits.ts";
import { LIMITS } from "../../../../src/core/limits.ts";
import { ACCESS_LIMITS } from "../../../../src/features/access/limits.ts";
import { rightsOf } from "../../../../src/core/scope.ts";
import { mayReadOutput } from "../../../../src/features/automations/logs/read-output.ts";
import { openDb } from "../../../../src/platform/db/client.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { JOBS, newDoc, newWorld, type World } from "../../../support/unit/automations.ts";
import { addRole } from "../../../support/unit/data-access/roles.ts";
import { call, send } from "../../../support/unit/http.ts";
import { scopeOf } from "../../../support/unit/team.ts";

const somewhere = `${JOBS}/${crypto.randomUUID()}/runs`;
const elsewhere = `${somewhere}/${crypto.randomUUID()}`;

/** A job with a run that failed once, said something in its dataset, and then succeeded. */
async function newHistory() {
  const world = await newWorld();
  const jobId = await world.newJob({ retry: { attempts: 2, backoffSeconds: 1 }, datasetKeys: ["one"] });
  const { id } = (await world.process(jobId)).body.data;
  await say(world, "first try");
  await world.finish(world.sandbox.seen.orders[0]!, { datasets: { one: { success: false, error: "no" } } });
  await world.step(id, 10_000);
  await world.step(id, 30_000);
  await say(world, "second try");
  await world.finish(world.sandbox.seen.orders[1]!);
  await world.step(id, 60_000);
  return { world, jobId, id, path: `${JOBS}/${jobId}/runs/${id}` };
}

const say = async ({ sandbox }: World, text: string) => {
  const order = sandbox.seen.orders.at(-1)!;
  const line = { at: new Date().toISOString(), stream: "stdout", text };
  await sandbox.senderOf(order)("log", { executionId: order.datasets[0]!.executionId, lines: [line] });
};

const follow = async (path: string, key: string, lastSeen?: string) => {
  const headers = lastSeen === undefined ? {} : { "last-event-id": lastSeen };
  const response = await send("GET", `${path}/logs`, { key, headers });
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
};

describe("listAutomationRuns", () => {
  refusesStrangers("listAutomationRuns", (key) => call("GET", somewhere, { key }), { right: "jobs:read" });

  it("is newest first, and filters by state and time", async () => {
    const { world, jobId, id } = await newHistory();
    await world.call("PATCH", `/${jobId}`, { overlap: "queue" });
    const { id: newer } = (await world.process(jobId)).body.data;
    const list = async (query: string) =>
      (await world.call("GET", `/${jobId}/runs?${query}`)).body.data.items.map((run: { id: string }) => run.id);
    expect(await list("")).toEqual([newer, id]);
    expect(await list("ascending=true&limit=1")).toEqual([id]);
    expect(await list("state=succeeded")).toEqual([id]);
    expect(await list("state=running&state=succeeded")).toEqual([newer, id]);
    expect(await list("state=skipped")).toEqual([]);
    expect(await list("createdBefore=2020-01-01T00:00:00%2B01:00")).toEqual([]);
    expect(await list("createdFrom=2020-01-01T00:00:00Z")).toEqual([newer, id]);
    for (const wrong of ["state=done", "createdFrom=yesterday", "limit=101", "orderedBy=state"])
      expect((await world.call("GET", `/${jobId}/runs?${wrong}`)).status).toBe(422);
  });
});

describe("getAutomationRun", () => {
  refusesStrangers("getAutomationRun", (key) => call("GET", elsewhere, { key }), { right: "jobs:read" });

  it("does not find a run under another job", async () => {
    const { world, id } = await newHistory();
    const other = await world.newJob();
    expect((await world.call("GET", `/${other}/runs/${id}`)).status).toBe(404);
  });
});

describe("listAutomationAttempts", () => {
  refusesStrangers("listAutomationAttempts", (key) => call("GET", `${elsewhere}/attempts`, { key }), {
    right: "jobs:read",
  });

  it("is newest first, each with its state, its reason and its doc's run", async () => {
    const { world, path, id } = await newHistory();
    const [first, second] = world.sandbox.seen.orders;
    const { data } = (await call("GET", `${path}/attempts`, { key: world.team.admin.key })).body;
    expect(data).toMatchObject({
      total: 2,
      items: [
        { id: 2, runId: id, state: "succeeded", docRunId: second!.runId, engineJobId: null, error: null },
        { id: 1, runId: id, state: "failed", docRunId: first!.runId, error: "Dataset failed. one: no" },
      ],
    });
    for (const { durationMs } of data.items) expect(durationMs).toEqual(expect.any(Number));
  });
});

describe("listAutomationLogs", () => {
  refusesStrangers("listAutomationLogs", (key) => call("GET", `${elsewhere}/attempts/1/logs`, { key }), {
    right: "jobs:read",
  });

  it("is what the attempt and its datasets said, oldest first", async () => {
    const { world, path } = await newHistory();
    const logs = async (attempt: string, key = world.team.admin.key) =>
      (await call("GET", `${path}/attempts/${attempt}/logs`, { key })).body.data;
    const { items, total } = await logs("1");
    expect(items.map(({ source, message }: Record<string, string>) => [source, message])).toEqual([
      ["platform", "Attempt 1 has started."],
      ["one", "first try"],
      ["platform", expect.stringMatching(/^Attempt 1 has failed/)],
    ]);
    expect(total).toBe(3);
    expect((await logs("2")).items.map(({ message }: Record<string, string>) => message)).toContain("second try");
    const newest = await call("GET", `${path}/attempts/2/logs?ascending=false&limit=1`, { key: world.team.admin.key });
    expect(newest.body.data.items).toMatchObject([{ message: "The run has succeeded.", attempt: 2 }]);
    const warnings = await call("GET", `${path}/attempts/1/logs?level=warning`, { key: world.team.admin.key });
    expect(warnings.body.data).toMatchObject({ total: 1, items: [{ level: "warning" }] });
  });

  it("shows what datasets print to the owner and to admins alone", async () => {
    const { world, path } = await newHistory();
    const { data } = (await call("GET", `${path}/attempts/1/logs`, { key: world.team.member.key })).body;
    expect(data.items.map(({ message }: { message: string }) => message)).toEqual(["Attempt 1 has started."]);
    expect(data.total).toBe(1);
  });

  it("says to nobody else why datasets fail, wherever runs are shown", async () => {
    const world = await newWorld();
    const jobId = await world.newJob({ datasetKeys: ["one"] });
    const { id } = (await world.process(jobId)).body.data;
    const docRun = world.sandbox.seen.orders[0]!;
    await world.finish(docRun, { datasets: { one: { success: false, error: "ValueError: canary" } } });
    await world.step(id, 10_000);
    const failed = `${JOBS}/${jobId}/runs/${id}`;
    const seenBy = async (key: string) => {
      const docPath = `/v4/docs/${world.team.docId}/runs`;
      const paths = [
        ...[JOBS, `${JOBS}/${jobId}`, `${JOBS}/${jobId}/runs`, failed, `${failed}/attempts`],
        ...[`${failed}/attempts/1/logs`, `${failed}/attempts/1/logs?level=warning&level=error`],
        ...[docPath, `${docPath}/${docRun.runId}`, `/v4/executions/${docRun.datasets[0]!.executionId}`],
      ];
      const answers = await Promise.all(paths.map((at) => call("GET", at, { key })));
      expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
      return [...answers.map(({ body }) => JSON.stringify(body)), (await follow(failed, key)).text];
    };
    expect((await seenBy(world.team.member.key)).filter((text) => text.includes("canary"))).toEqual([]);
    const shown = (await seenBy(world.team.admin.key)).filter((text) => text.includes("canary"));
    expect(shown.length).toBeGreaterThanOrEqual(9);
  });

  it("says of a lake's maintenance nothing of tables to whom roles bind", async () => {
    const world = await newWorld();
    const lakeId = await env.DB.prepare("select id from integrations where team_id = ? and type = 'lake'")
      .bind(world.team.id)
      .first<string>("id");
    const name = { teamId: world.team.id, id: crypto.randomUUID() };
    const run = { ...name, resourceType: "lake_integration_maintenance" as const, resourceId: lakeId!, ownerId: "" };
    const may = async () => {
      const scope = { ...scopeOf(world.team.id, world.team.member.id, false), role: "member" as const };
      return mayReadOutput({ db: openDb(env.DB), scope: { ...scope, rights: rightsOf("member", false) } }, run);
    };
    expect(await may()).toBe(true);
    await addRole(world.team, [{ integration_id: "*", schema: "*" }], []);
    expect(await may()).toBe(false);
  });

  it("takes what a dataset by the name of the platform prints for a dataset's all the same", async () => {
    const world = await newWorld();
    const docId = await newDoc(world.team, { platform: { engine: "python", code: "print(secret)" } });
    const jobId = await world.newJob({ resourceId: docId });
    const { id } = (await world.process(jobId)).body.data;
    const order = world.sandbox.seen.orders[0]!;
    const lines = [{ at: new Date().toISOString(), stream: "stdout", text: "a secret" }];
    await world.begin(order);
    await world.sandbox.senderOf(order)("log", { executionId: order.datasets[0]!.executionId, lines });
    const read = async (key: string) =>
      (await call("GET", `${JOBS}/${jobId}/runs/${id}/attempts/1/logs`, { key })).body.data.items;
    expect(await read(world.team.admin.key)).toContainEqual(
      expect.objectContaining({ source: "dataset platform", message: "a secret" }),
    );
    expect(JSON.stringify(await read(world.team.member.key))).not.toContain("a secret");
  });

  it.each(["0", "3", "-1", "1.0", "01", "one", "9999999999", crypto.randomUUID()])(
    "does not find the attempt %s",
    async (attempt) => {
      const { world, path } = await newHistory();
      expect((await call("GET", `${path}/attempts/${attempt}/logs`, { key: world.team.admin.key })).status).toBe(404);
    },
  );
});

describe("cancelAutomationRun", () => {
  refusesStrangers("cancelAutomationRun", (key) => call("POST", `${elsewhere}/cancel`, { key }), {
    right: "jobs:write",
  });

  it("ends the run, its doc's run, and what runs in the sandbox", async () => {
    const world = await newWorld();
    const jobId = await world.newJob();
    const { id } = (await world.process(jobId)).body.data;
    const [order] = world.sandbox.seen.orders;
    await world.begin(order!);
    const asked = await world.call("POST", `/${jobId}/runs/${id}/cancel`);
    expect([asked.status, asked.body.data]).toEqual([202, expect.objectContaining({ isCancelling: true })]);
    expect(world.sent.at(-1)).toBe(id);
    expect(await world.step(id)).toBe("stop");
    expect(await world.runOf(jobId, id)).toMatchObject({ state: "cancelled", error: "Cancelled by Ada." });
    expect(world.sandbox.seen.cancelled).toEqual([order!.runId]);
    const docRun = await call("GET", `/v4/docs/${world.team.docId}/runs/${order!.runId}`, {
      key: world.team.admin.key,
    });
    expect(docRun.body.data.state).toBe("cancelled");
    expect((await world.call("POST", `/${jobId}/runs/${id}/cancel`)).status).toBe(409);
  });

  it("ends a run that waits, without an attempt", async () => {
    const world = await newWorld({ unavailable: "full" });
    const jobId = await world.newJob();
    const { id } = (await world.process(jobId)).body.data;
    await world.call("POST", `/${jobId}/runs/${id}/cancel`);
    expect(await world.step(id)).toBe("end");
    expect(await world.runOf(jobId, id)).toMatchObject({ state: "cancelled", attempt: 0 });
  });

  it("is what becomes of a run whose job is deleted", async () => {
    const world = await newWorld();
    const jobId = await world.newJob();
    const { id } = (await world.process(jobId)).body.data;
    expect((await world.call("DELETE", `/${jobId}`)).status).toBe(204);
    expect(world.sent.at(-1)).toBe(id);
    expect(await world.step(id)).toBe("stop");
    expect(world.sandbox.seen.cancelled).toEqual([world.sandbox.seen.orders[0]!.runId]);
  });
});

describe("the history of a deleted job", () => {
  it("stays readable by its runs, and starts nothing more", async () => {
    const world = await newWorld();
    const jobId = await world.newJob({ datasetKeys: ["one"] });
    const { id } = (await world.process(jobId)).body.data;
    const [order] = world.sandbox.seen.orders;
    await world.finish(order!);
    await world.step(id, 20_000);
    expect((await world.call("DELETE", `/${jobId}`)).status).toBe(204);
    const read = async (path: string) => (await world.call("GET", `/${jobId}${path}`)).body.data;
    expect((await world.call("GET", `/${jobId}`)).status).toBe(404);
    expect(await read("/runs")).toMatchObject({ total: 1, items: [{ id, jobId, state: "succeeded" }] });
    expect(await read(`/runs/${id}`)).toMatchObject({ id, state: "succeeded", docRunId: order!.runId });
    expect(await read(`/runs/${id}/attempts`)).toMatchObject({ total: 1 });
    expect(await read(`/runs/${id}/attempts/1/logs`)).toMatchObject({ items: expect.arrayContaining([]) });
    expect((await world.call("POST", `/${jobId}/runs/${id}/replay`)).status).toBe(404);
    const never = crypto.randomUUID();
    expect((await world.call("GET", `/${never}/runs`)).body.message).toBe(`Job ${never} was not found.`);
    expect((await world.call("GET", `/${never}/runs/${id}`)).status).toBe(404);
  });

  it("is its team's alone, and goes as the history of other jobs does", async () => {
    const world = await newWorld();
    const other = await newWorld();
    const jobId = await world.newJob();
    const { id } = (await world.process(jobId)).body.data;
    await world.call("DELETE", `/${jobId}`);
    for (const path of ["/runs", `/runs/${id}`, `/runs/${id}/attempts`])
      expect((await other.call("GET", `/${jobId}${path}`)).status).toBe(404);
    await env.DB.prepare("delete from automation_runs where id = ?").bind(id).run();
    expect((await world.call("GET", `/${jobId}/runs`)).status).toBe(404);
  });
});

describe("replayAutomationRun", () => {
  refusesStrangers("replayAutomationRun", (key) => call("POST", `${elsewhere}/replay`, { key }), {
    right: "jobs:write",
  });

  it("runs the same datasets again in a new run", async () => {
    const world = await newWorld();
    const jobId = await world.newJob();
    const { id } = (await world.process(jobId, { datasetKeys: ["two"] })).body.data;
    const replay = () => world.call("POST", `/${jobId}/runs/${id}/replay`);
    expect((await replay()).status).toBe(409);
    await world.finish(world.sandbox.seen.orders[0]!);
    await world.step(id, 20_000);
    const { status, body } = await replay();
    expect([status, body.data]).toEqual([
      202,
      expect.objectContaining({ replayOf: id, cause: "replay", state: "running", datasetKeys: ["two"] }),
    ]);
    expect(world.sandbox.seen.orders[1]!.datasets.map(({ key }) => key)).toEqual(["two"]);
    const again = await replay();
    expect([again.status, again.body.message]).toEqual([409, expect.stringContaining(body.data.id)]);
  });
});

describe("followAutomationRun", () => {
  refusesStrangers("followAutomationRun", (key) => call("GET", `${elsewhere}/logs`, { key }), { right: "jobs:read" });

  const idsIn = (text: string) => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

  it("sends each line once, then the end, and goes on behind what was seen", async () => {
    const { world, path } = await newHistory();
    const all = await follow(path, world.team.admin.key);
    expect([all.status, all.type]).toEqual([200, "text/event-stream; charset=utf-8"]);
    const ids = idsIn(all.text);
    expect(ids).toEqual(ids.map((_, index) => index));
    expect(all.text).toContain('"message":"second try"');
    expect(all.text.trimEnd()).toMatch(/event: end\ndata: \{"state":"succeeded","error":null\}$/);
    expect(idsIn((await follow(path, world.team.admin.key, "1")).text)).toEqual(ids.slice(2));
    expect((await follow(path, world.team.admin.key, String(ids.at(-1)))).status).toBe(204);
    expect((await follow(path, world.team.admin.key, "x")).status).toBe(422);
    expect((await follow(path, world.team.member.key)).text).not.toContain("second try");
  });

  it("is asked for anew as often as a key is, so that who may no more hears no more", () => {
    expect(AUTOMATION_LIMITS.logFollowMs).toBeLessThanOrEqual(Math.min(LIMITS.keyCacheMs, ACCESS_LIMITS.cacheMs));
  });

  it("ends with a run that ends while it is followed", async () => {
    const world = await newWorld();
    const jobId = await world.newJob();
    const { id } = (await world.process(jobId)).body.data;
    const followed = follow(`${JOBS}/${jobId}/runs/${id}`, world.team.admin.key);
    await world.finish(world.sandbox.seen.orders[0]!);
    await world.step(id, 20_000);
    const { text } = await followed;
    expect(text).toContain("The run has succeeded.");
    expect(text).toContain("event: end");
  });

  it("ends with the reason that the run shows", async () => {
    const world = await newWorld();
    const jobId = await world.newJob();
    const { id } = (await world.process(jobId)).body.data;
    await world.call("POST", `/${jobId}/runs/${id}/cancel`);
    await world.step(id);
    const { text } = await follow(`${JOBS}/${jobId}/runs/${id}`, world.team.admin.key);
    expect(text.trimEnd()).toMatch(/data: \{"state":"cancelled","error":"Cancelled by Ada."\}$/);
  });
});
