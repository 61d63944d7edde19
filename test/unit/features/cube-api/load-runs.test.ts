// Which run a load belongs to, and what its rows and results cost the team.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { app } from "../../../../src/app.ts";
import { ASYNC_QUERY_LIMITS } from "../../../../src/features/query/async/limits.ts";
import { findQuery } from "../../../../src/features/query/async/store.ts";
import { sweepAsyncQueries } from "../../../../src/features/query/async/sweep.ts";
import { endTaking } from "../../../../src/features/query/async/take.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { addPostgres } from "../../../support/unit/databases.ts";
import { patientEngine, reportEnd, sendAsync, storeResult } from "../../../support/unit/query/async-queries.ts";
import { addCube, cubeFile, newCompiler } from "../../../support/unit/semantic/models.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

let team: TestTeam;
let postgres: string;
let engine: ReturnType<typeof patientEngine>;
beforeAll(async () => {
  team = await newTeam();
  postgres = await addPostgres(team);
  await newCompiler().put(team, await addCube(team, postgres), [cubeFile("orders")]);
});
beforeEach(async () => {
  engine = patientEngine();
  await exec("delete from async_queries where team_id = ?", team.id);
  const { objects } = await env.BUCKET.list({ prefix: `${team.id}/queries/` });
  await env.BUCKET.delete(objects.map(({ key }) => key));
});

const QUERY = { measures: ["orders.count"] };
const RESULT = JSON.stringify({ query: QUERY, annotation: {}, data: [{ "orders.count": "3" }] });
const LOADED = { status: 200, body: JSON.parse(RESULT) };
const LAPSED = { code: "cancelled" as const, message: "Nobody waits for it any more." };
const WAITING = { status: 200, body: { error: "Continue wait" } };

const addressOf = (query: object) => `/cubejs-api/v1/load?${new URLSearchParams({ query: JSON.stringify(query) })}`;
const load = (query: object = QUERY, more: Partial<Env> = {}) =>
  callWith({ ...(engine.bindings as object), ...more }, "GET", addressOf(query), { key: team.member.key });
const rows = () => env.DB.prepare("select count(*) n from async_queries where team_id = ?").bind(team.id).first("n");
const lastId = () => engine.sent.at(-1)!.statement.id;
const finish = (id = lastId()) => storeResult(engine, team, id, RESULT);
const clients = () => openClients({ ...env, ...(engine.bindings as object) } as Env);
const find = async (id = lastId()) => (await findQuery(clients().db, team.id, id))!;
const exec = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();
const fill = (count: number, endedAt: string | null) =>
  exec(
    `insert into async_queries (team_id, id, user_id, integration_id, asked_by, format, created_at, deadline_at, ended_at)
     with recursive t(n) as (select 1 union all select n + 1 from t where n < ?4)
     select ?1, n, 'u', 'i', 'sql', 'json', ?2, ?2, ?3 from t`,
    team.id,
    new Date(Date.now() + 60_000).toISOString(),
    endedAt,
    count,
  );

describe("a run of a load", () => {
  it("keeps its result when an earlier run of the same load is forgotten late", async () => {
    await load();
    await finish();
    const earlier = await find();
    expect(await load()).toMatchObject(LOADED);
    expect(await load()).toMatchObject(WAITING);
    await finish();
    await endTaking(clients(), earlier, true);
    expect(await load()).toMatchObject(LOADED);
    expect(engine.sent).toHaveLength(2);
  });

  it("does not end by a report of an earlier run of the same load", async () => {
    await load();
    const { createdAt } = await find();
    await exec("delete from async_queries where id = ?", lastId());
    await load();
    expect(await reportEnd(engine, team, lastId(), { outcome: "failed", failure: LAPSED, createdAt })).toBe(404);
    expect(await find()).toMatchObject({ endedAt: null });
  });

  it("is a new one where it was given up just as its caller asked again", async () => {
    await load();
    const asking = load();
    await expect.poll(() => engine.asked).toContain(`POST /statements/${lastId()}/lease`);
    await reportEnd(engine, team, lastId(), { outcome: "failed", failure: LAPSED });
    expect(await asking).toMatchObject(WAITING);
    expect(engine.sent).toHaveLength(2);
  });

  it("is never a query that somebody else sent under its id, or that was sent otherwise", async () => {
    for (const change of ["user_id = 'another'", "is_repeated = 0"]) {
      await load();
      await exec(`update async_queries set ${change} where id = ?`, lastId());
      await finish();
      expect((await load()).status).toBe(409);
      expect(await find()).toMatchObject({ problem: null, bytes: RESULT.length });
      await exec("delete from async_queries where id = ?", lastId());
    }
  });

  it("is waited for where an earlier one of the same load has not left the engine yet", async () => {
    engine.refusal = "id_running";
    expect(await load()).toMatchObject(WAITING);
    engine.refusal = undefined;
    expect(await load()).toMatchObject(WAITING);
    expect(await find()).toMatchObject({ endedAt: null });
  });

  it("is one for two who ask at once, of whom the second asks anew where the first has taken its result", async () => {
    engine.onSent = async ({ statement: { id } }) => {
      await finish(id);
      return true;
    };
    const answers = await Promise.all([load(), load()]);
    expect(answers).toContainEqual(expect.objectContaining(LOADED));
    for (const { status } of answers) expect(status).toBe(200);
    expect(await load()).toMatchObject(LOADED);
  });

  it("is none for a query that the model does not answer", async () => {
    expect((await load({ measures: ["orders.none"] })).status).toBe(400);
    expect([await rows(), engine.sent]).toEqual([0, []]);
  });
});

describe("a result of a load", () => {
  beforeEach(async () => {
    await load();
    await finish();
  });

  it("is there for whoever asks again where its bytes could not be read", async () => {
    const bucket = new Proxy(env.BUCKET, {
      get: (target, name) =>
        name === "get"
          ? () => Promise.reject(new Error("The bucket is away."))
          : Reflect.get(target, name).bind(target),
    });
    expect((await load(QUERY, { BUCKET: bucket })).status).toBe(500);
    expect(await load()).toMatchObject(LOADED);
    expect(engine.sent).toHaveLength(1);
  });

  it("is there for whoever asks again where it did not reach its caller", async () => {
    const context = createExecutionContext();
    const headers = { authorization: `Bearer ${team.member.key}` };
    const request = new Request(`https://fjord.test${addressOf(QUERY)}`, { headers });
    const answer = await app.fetch(request, { ...env, ...(engine.bindings as object) }, context);
    await answer.body!.cancel();
    await waitOnExecutionContext(context);
    expect(await load()).toMatchObject(LOADED);
    expect([engine.sent.length, await rows()]).toEqual([1, 0]);
  });
});

describe("what a load leaves", () => {
  it("is forgotten with its result once it is of no use", async () => {
    await load();
    await finish();
    const { deps, now } = { deps: clients(), now: Date.now() };
    await sweepAsyncQueries(deps, new Date(now + ASYNC_QUERY_LIMITS.repeatedQueryResultMs - 10_000));
    expect(await find()).toBeDefined();
    await sweepAsyncQueries(deps, new Date(now + ASYNC_QUERY_LIMITS.repeatedQueryResultMs + 10_000));
    expect(await find()).toBeUndefined();
    expect((await env.BUCKET.list({ prefix: `${team.id}/queries/` })).objects).toEqual([]);
  });

  it("takes no place among the queries that are kept, nor needs one", async () => {
    await fill(ASYNC_QUERY_LIMITS.keptMax - 1, new Date().toISOString());
    await load();
    await finish();
    const { status } = await sendAsync(engine, team.member.key, { body: { integration_id: postgres } });
    expect(status).toBe(202);
    expect(await load()).toMatchObject(LOADED);
    expect(await load()).toMatchObject(WAITING);
  });
});

describe("a load", () => {
  it("waits while as many queries of the team run as may", async () => {
    await fill(ASYNC_QUERY_LIMITS.runningMax, null);
    expect(await load()).toMatchObject(WAITING);
    expect(engine.sent).toHaveLength(0);
    await exec("delete from async_queries where team_id = ?", team.id);
    expect(await load()).toMatchObject(WAITING);
    expect(engine.sent).toHaveLength(1);
  });
});
