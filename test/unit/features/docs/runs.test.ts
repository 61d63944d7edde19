import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { RunOrder } from "../../../../kernel/wire/sandbox.ts";
import { DOC_LIMITS } from "../../../../src/features/docs/limits.ts";
import { sweepDocRuns } from "../../../../src/features/docs/runs/sweep.ts";
import { mintToken } from "../../../../src/platform/crypto/token.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { fakeSandbox, reportOf, type Behaviour, type SendReport } from "../../../support/unit/fake-sandbox.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";
import { openClients } from "../../../../src/clients/clients.ts";

const DATASETS = {
  sales: {
    engine: "cube",
    cube: "Orders",
    measures: ["count", "Items.sum"],
    filters: [{ or: [{ member: "city", operator: "equals", values: ["x"] }] }],
    constructor: "kept",
  },
  score: { engine: "python", code: "result = 1", inputs: [{ ref: "sales", as: "s" }] },
};
let team: TestTeam;
let doc: string;
beforeAll(async () => {
  team = await newTeam();
  doc = (
    await call("POST", "/v4/docs", {
      key: team.admin.key,
      body: { version: 1, kind: "pipeline", metadata: { name: "Runs" }, datasets: DATASETS },
    })
  ).body.data.id;
});

/** Starts a run by `key` and answers it as it is when its order has been worked on. */
async function run(behaviour: Behaviour = {}, key = team.member.key) {
  const sandbox = fakeSandbox(behaviour);
  const { status, body } = await callWith(sandbox.bindings, "POST", `/v4/docs/${doc}/run`, { key, body: {} });
  expect(status).toBe(202);
  return {
    ...sandbox,
    id: body.data.id as string,
    order: sandbox.seen.orders[0]!,
    now: async () => (await call("GET", `/v4/docs/${doc}/runs/${body.data.id}`, { key })).body.data,
  };
}
/** What is seen while a run goes on. */
const during = async <Seen>(
  look: (order: RunOrder, send: SendReport) => Promise<Seen>,
  key?: string,
): Promise<Seen> => {
  let seen: Seen | undefined;
  await run({ during: async (order, send) => void (seen = await look(order, send)) }, key);
  return seen!;
};
const end = (id: string, set: string) => env.DB.prepare(`update doc_runs set ${set} where id = ?`).bind(id).run();

describe("runDoc", () => {
  it("runs datasets of any engine and tells how it went", async () => {
    const { now, order } = await run({ datasets: { score: { success: false, error: "KeyError: 'x'" } } });
    expect(await now()).toMatchObject({
      state: "failed",
      cause: "manual",
      user_id: team.member.id,
      results: { sales: { success: true }, score: { success: false, error: "KeyError: 'x'" } },
    });
    expect(order).toMatchObject({
      hasEnvelope: false,
      datasets: [
        {
          engine: "cube",
          query: {
            measures: ["Orders.count", "Items.sum"],
            filters: [{ or: [{ member: "Orders.city" }] }],
            constructor: "kept",
          },
        },
        { key: "score" },
      ],
    });
    expect((await call("GET", `/v4/docs/${doc}/runs?limit=1`, { key: team.member.key })).body.data).toMatchObject({
      limit: 1,
      items: [{ doc_id: doc }],
    });
  });

  it("refuses a dataset there is not, and a doc that is archived", async () => {
    const answer = await fakeSandbox().post(`/v4/docs/${doc}/run`, team.member.key, { datasetKeys: ["nope"] });
    expect(answer).toMatchObject({ status: 422, body: { error: { flaws: [{ pointer: "/datasetKeys/0" }] } } });
  });
});

describe("a run's key", () => {
  const me = (key: string) => call("GET", "/v4/me", { key });

  it("has its starter's shape and rights, less what opens doors or starts runs, and dies with the run", async () => {
    const seen = await during(async ({ apiKey, runId }) => ({ apiKey, runId, me: await me(apiKey) }), team.admin.key);
    expect(seen.apiKey).toMatch(new RegExp(`^${team.admin.id}-[A-Za-z0-9]{32}$`));
    expect(seen.me.body.data).toMatchObject({ user: { id: team.admin.id }, team: { id: team.id }, key_id: seen.runId });
    const { rights } = seen.me.body.data;
    expect(rights).toEqual(expect.arrayContaining(["query", "docs:read", "store", "secrets:read", "secrets:write"]));
    for (const right of ["team:manage", "integrations:write", "docs:run", "docs:write", "platform:operate"])
      expect(rights).not.toContain(right);
    expect((await me(seen.apiKey)).status).toBe(401);
  });

  it("mints no key and starts no run", async () => {
    const statuses = await during(async ({ apiKey: key }) => {
      const mint = await call("POST", `/v4/users/${team.admin.id}/keys`, { key, body: { name: "more" } });
      const again = await call("POST", `/v4/docs/${doc}/run`, { key, body: {} });
      return [mint.status, again.status];
    }, team.admin.key);
    expect(statuses).toEqual([403, 403]);
  });

  it("writes no doc, its own least of all, and no webhook secret, whoever started it", async () => {
    const definition = { version: 1, kind: "pipeline", metadata: { name: "Other" }, datasets: DATASETS };
    const other = (await call("POST", "/v4/docs", { key: team.admin.key, body: definition })).body.data.id as string;
    const version = async (id: string) =>
      (await call("GET", `/v4/docs/${id}`, { key: team.admin.key })).body.data.version as number;
    const before = [await version(doc), await version(other)];
    const statuses = await during(async ({ apiKey: key }) => {
      const tries = [doc, other].flatMap((id) => [
        call("PUT", `/v4/docs/${id}`, { key, body: definition }),
        call("DELETE", `/v4/docs/${id}`, { key }),
        call("POST", `/v4/docs/${id}/restore`, { key }),
        call("PUT", `/v4/docs/${id}/webhook-secret`, { key, body: {} }),
        call("DELETE", `/v4/docs/${id}/webhook-secret`, { key }),
      ]);
      return (await Promise.all([...tries, call("POST", "/v4/docs", { key, body: definition })])).map(
        ({ status }) => status,
      );
    }, team.admin.key);
    expect(statuses).toEqual(Array(11).fill(403));
    expect([await version(doc), await version(other)]).toEqual(before);
    await call("DELETE", `/v4/docs/${other}`, { key: team.admin.key });
  });

  it("reads what its starter's runs left behind, and nobody else's, though an admin started it", async () => {
    const [others, own] = [await run(), await run({}, team.admin.key)];
    const statuses = await during(async ({ apiKey: key }) => {
      const logs = [others, own].map(({ order }) =>
        call("GET", `/v4/executions/${order.datasets[0]!.executionId}/logs`, { key }),
      );
      return (await Promise.all(logs)).map(({ status }) => status);
    }, team.admin.key);
    expect(statuses).toEqual([403, 200]);
  });

  it("is dead at its run's deadline, and when its user is gone", async () => {
    const leaver = await team.newMember();
    expect(
      await during(async ({ apiKey, runId }) => {
        const before = (await me(apiKey)).status;
        await end(runId, "deadline_at = '2000-01-01T00:00:00.000Z'");
        return [before, (await me(apiKey)).status];
      }),
    ).toEqual([200, 401]);
    expect(
      await during(async ({ apiKey }) => {
        await call("DELETE", `/v4/users/${leaver.id}`, { key: team.admin.key });
        return (await me(apiKey)).status;
      }, leaver.key),
    ).toBe(401);
  });

  it("is named by what it does in the audit, and stored as a hash alone", async () => {
    const { order } = await run(
      {
        during: async ({ apiKey }) =>
          void (await call("POST", "/v1/api/secret/audited", { key: apiKey, body: { value: "x" } })),
      },
      team.admin.key,
    );
    expect(
      await env.DB.prepare("select actor_id, run_id from audit_events where subject_id = 'audited'").first(),
    ).toEqual({ actor_id: team.admin.id, run_id: order.runId });
    const row = await env.DB.prepare("select * from doc_runs where id = ?").bind(order.runId).first();
    expect(JSON.stringify(row)).not.toContain(order.apiKey.slice(-32));
  });
});

describe("what a run tells", () => {
  it("moves it on: running, its datasets one by one, its end", async () => {
    const states = await during(async (order, send) => {
      const state = async () =>
        (await call("GET", `/v4/docs/${doc}/runs/${order.runId}`, { key: team.member.key })).body.data;
      const before = await state();
      expect((await send("heartbeat", { running: [order.datasets[0]!.executionId] })).body).toEqual({
        cancelled: false,
      });
      const running = await state();
      return [
        before.state,
        before.results,
        running.state,
        running.executions.map((execution: { state: string }) => execution.state),
      ];
    });
    expect(states).toEqual(["starting", null, "running", ["running", "queued"]]);
  });

  it("is kept as its log, live, with its own instants and streams", async () => {
    const at = new Date(Date.now() - 5_000).toISOString();
    const { order } = await run({
      during: async ({ datasets: [first] }, send) => {
        const { executionId } = first!;
        await send("log", {
          executionId,
          lines: [
            { at, stream: "stdout", text: "one" },
            { at, stream: "stderr", text: "two" },
            { at, stream: "system", text: "three" },
          ],
        });
        const live = await call("GET", `/v4/executions/${executionId}/logs?limit=2`, { key: team.member.key });
        expect(live.body.data).toMatchObject({
          total: 3,
          items: [{ offset: 0, at, stream: "stdout", message: "one" }, { stream: "stderr" }],
        });
        expect(
          (await send("log", { executionId: crypto.randomUUID(), lines: [{ at, stream: "stdout", text: "x" }] }))
            .status,
        ).toBe(404);
      },
    });
    const path = `/v4/executions/${order.datasets[0]!.executionId}/logs`;
    expect((await call("GET", `${path}?offset=2`, { key: team.admin.key })).body.data.items).toMatchObject([
      { stream: "system", message: "three" },
    ]);
    expect((await call("GET", path, { key: (await team.newMember()).key })).status).toBe(403);
  });

  it("is kept in the log of the attempt, too, where an automation ran the doc", async () => {
    const [at, attempt] = [new Date(Date.now() - 5_000).toISOString(), crypto.randomUUID()];
    const { order } = await run({
      during: async ({ runId, datasets: [first] }, send) => {
        await env.DB.prepare(
          "INSERT INTO attempts (run_id, attempt, team_id, state, job_id, started_at) VALUES (?, 2, ?, 'running', ?, ?)",
        )
          .bind(attempt, team.id, runId, at)
          .run();
        const lines = [{ at, stream: "stderr", text: "careful" }];
        expect((await send("log", { executionId: first!.executionId, lines })).status).toBe(204);
      },
    });
    const { lines } = await openClients(env).openLog(team.id).query(attempt, { limit: 10 });
    const [dataset] = order.datasets;
    expect(lines).toEqual([{ offset: 0, at, level: "warning", attempt: 2, source: dataset!.key, message: "careful" }]);
  });

  it("leaves a result that its starter and admins can fetch, below the run's own prefix", async () => {
    const result = {
      kind: "frame" as const,
      rows: 2,
      bytes: 10,
      columns: [{ name: "a", type: "int64" }],
      path: "anything/else",
    };
    const { order } = await run({
      datasets: { score: { result } },
      during: async ({ runId, datasets }, send) => {
        const { executionId } = datasets[1]!;
        const { body } = await send("results", {
          executionId,
          contentType: "application/vnd.apache.arrow.stream",
          bytes: 10,
        });
        expect(body.path).toBe(`runs/${runId}/${executionId}`);
        expect(new URL(body.url).pathname).toBe(`/fjord/${team.id}/runs/${runId}/${executionId}`);
        expect(
          (await send("results", { executionId, contentType: "x", bytes: DOC_LIMITS.runResultBytesMax + 1 })).status,
        ).toBe(413);
      },
    });
    const { executionId } = order.datasets[1]!;
    const get = async (key: string) => (await call("GET", `/v4/executions/${executionId}`, { key })).body.data;
    const own = await get(team.member.key);
    expect(own).toMatchObject({
      run_id: order.runId,
      dataset_key: "score",
      state: "succeeded",
      result: { kind: "frame", rows: 2, columns: [{ name: "a" }] },
    });
    expect(new URL(own.result.download_url).pathname).toBe(`/fjord/${team.id}/runs/${order.runId}/${executionId}`);
    expect(await get((await team.newMember()).key)).toMatchObject({ state: "succeeded", result: null });
  });

  it("counts for nothing once the run has ended, and the end counts once", async () => {
    const sandbox = await run();
    const send = (what: string, body: unknown) =>
      call("POST", `/internal/runs/${sandbox.id}/${what}`, {
        raw: JSON.stringify(body),
        headers: {
          authorization: `Bearer ${sandbox.order.token}`,
          "content-length": String(JSON.stringify(body).length),
        },
      });
    const { executionId } = sandbox.order.datasets[0]!;
    expect((await send("heartbeat", { running: [] })).body).toEqual({ cancelled: true });
    expect(
      (await send("log", { executionId, lines: [{ at: new Date().toISOString(), stream: "stdout", text: "x" }] }))
        .status,
    ).toBe(401);
    expect((await send("results", { executionId, contentType: "x", bytes: 1 })).status).toBe(401);
    expect((await send("finish", { runId: sandbox.id, outcome: "failed", error: "late", datasets: [] })).status).toBe(
      204,
    );
    expect(await sandbox.now()).toMatchObject({ state: "succeeded", error: null });
  });

  it("is heard only from the run's own token", async () => {
    const { id, order } = await run();
    const ask = (token: string, runId = id) =>
      call("POST", `/internal/runs/${runId}/heartbeat`, {
        raw: '{"running":[]}',
        headers: { authorization: `Bearer ${token}`, "content-length": "14" },
      });
    expect((await ask(order.apiKey)).status).toBe(401);
    expect(
      (await ask(await mintToken(env, { use: "drive", teamId: team.id, expiresAt: Date.now() + 1_000 }))).status,
    ).toBe(401);
    expect((await ask(order.token, (await run()).id)).status).toBe(404);
  });
});

describe("cancelDocRun", () => {
  const cancel = (id: string, key: string, behaviour = fakeSandbox()) =>
    callWith(behaviour.bindings, "POST", `/v4/docs/${doc}/runs/${id}/cancel`, { key });

  it("ends a run that no sandbox knows, and is told to one that does", async () => {
    const known = fakeSandbox();
    const { now } = await run({
      vanish: true,
      during: async ({ runId }, send) => {
        expect((await cancel(runId, (await team.newMember()).key)).status).toBe(403);
        await send("heartbeat", { running: [] });
        expect((await cancel(runId, team.member.key, known)).status).toBe(202);
        expect(known.seen.cancelled).toEqual([runId]);
        expect((await send("heartbeat", { running: [] })).body).toEqual({ cancelled: true });
      },
    });
    expect(await now()).toMatchObject({
      state: "cancelled",
      results: { score: { success: false, error: "The run was cancelled." } },
    });
  });

  it("is 409 for a run that has ended", async () =>
    expect((await cancel((await run()).id, team.member.key)).status).toBe(409));
});

describe("the sweep", () => {
  it("ends what lost its sandbox and what is out of time, and forgets what is old with its results", async () => {
    const [lost, late, old] = [await run(), await run(), await run()];
    await end(
      lost.id,
      "ended_at = null, state = 'running', lease_until = '2000-01-01T00:00:00.000Z', deadline_at = '2999-01-01T00:00:00.000Z'",
    );
    await end(
      late.id,
      "ended_at = null, state = 'running', lease_until = '2999-01-01T00:00:00.000Z', deadline_at = '2000-01-01T00:00:00.000Z'",
    );
    await end(old.id, "ended_at = '2000-01-01T00:00:00.000Z'");
    const result = `${team.id}/runs/${old.id}/${old.order.datasets[0]!.executionId}`;
    await env.BUCKET.put(result, "sent, and never told of");
    const sandbox = fakeSandbox();
    expect(await sweepDocRuns(openClients({ ...env, ...sandbox.bindings }), new Date())).toEqual({
      docRunsEnded: 2,
      docRunsForgotten: 1,
    });
    expect(await lost.now()).toMatchObject({ state: "failed", error: expect.stringContaining("sandbox stopped") });
    expect(await late.now()).toMatchObject({ state: "timed_out" });
    expect(await env.BUCKET.head(result)).toBeNull();
    expect((await call("GET", `/v4/docs/${doc}/runs/${old.id}`, { key: team.member.key })).status).toBe(404);
    expect(
      (await call("GET", `/v4/executions/${old.order.datasets[0]!.executionId}`, { key: team.member.key })).status,
    ).toBe(404);
    expect(sandbox.seen.cancelled.sort()).toEqual([lost.id, late.id].sort());
  });

  it("ends no run that its sandbox still works on, and takes the end of one that it could not report", async () => {
    const [going, done] = [await run(), await run()];
    for (const { id } of [going, done])
      await end(
        id,
        "ended_at = null, state = 'running', lease_until = '2000-01-01T00:00:00.000Z', deadline_at = '2999-01-01T00:00:00.000Z'",
      );
    const { executionId } = going.order.datasets[0]!;
    await env.DB.prepare("update executions set state = 'running' where id = ?").bind(executionId).run();
    const report = reportOf(done.order, { datasets: { score: { success: false, error: "KeyError: 'x'" } } });
    const sandbox = fakeSandbox({
      knows: (id) => (id === going.id ? { report: null } : id === done.id ? { report } : undefined),
    });
    expect(await sweepDocRuns(openClients({ ...env, ...sandbox.bindings }), new Date())).toMatchObject({
      docRunsEnded: 1,
    });
    expect(await going.now()).toMatchObject({ state: "running", ended_at: null });
    const log = await call("GET", `/v4/executions/${executionId}/logs`, { key: team.member.key });
    const message = expect.stringMatching(
      /^The platform was away from 1999-12-31T23:59:40Z to .*; the dataset goes on\.$/,
    );
    expect(log.body.data.items).toContainEqual(expect.objectContaining({ message, stream: "system" }));
    expect(await done.now()).toMatchObject({ state: "failed", error: null, ended_at: expect.any(String) });
    expect(await sweepDocRuns(openClients({ ...env, ...sandbox.bindings }), new Date())).toMatchObject({
      docRunsEnded: 0,
    });
    // A sandbox that has it no more ends it.
    await end(going.id, "lease_until = '2000-01-01T00:00:00.000Z'");
    expect(await sweepDocRuns(openClients({ ...env, ...fakeSandbox().bindings }), new Date())).toMatchObject({
      docRunsEnded: 1,
    });
  });
});

refusesStrangers("runDoc", (key) => call("POST", `/v4/docs/${crypto.randomUUID()}/run`, { key, body: {} }), {
  right: "docs:run",
});
refusesStrangers("getExecution", (key) => call("GET", `/v4/executions/${crypto.randomUUID()}`, { key }), {
  right: "docs:read",
});
refusesStrangers(
  "setWebhookSecret",
  (key) => call("PUT", `/v4/docs/${crypto.randomUUID()}/webhook-secret`, { key, body: {} }),
  { right: "docs:write" },
);
