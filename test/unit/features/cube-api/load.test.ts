// What clients of Cube hear of a query's rows: while it runs, when it has ended, and when they ask once more.

import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ASYNC_QUERY_LIMITS } from "../../../../src/features/query/async/limits.ts";
import { SEMANTIC_LIMITS } from "../../../../src/features/semantic/limits.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { addRole } from "../../../support/unit/data-access/roles.ts";
import { addPostgres } from "../../../support/unit/databases.ts";
import { patientEngine, reportEnd, storeResult } from "../../../support/unit/query/async-queries.ts";
import { addCube, cubeFile, metaOf, newCompiler } from "../../../support/unit/semantic/models.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const file = cubeFile("orders");
let team: TestTeam;
let postgres: string;
let engine: ReturnType<typeof patientEngine>;
beforeAll(async () => {
  team = await newTeam();
  postgres = await addPostgres(team);
  const compiler = newCompiler((model) => ({
    meta: metaOf(model).map((cube) => ({ ...cube, dimensions: [{ name: `${cube.name}.at`, type: "time" }] })),
  }));
  await compiler.put(team, await addCube(team, postgres), [
    {
      ...file,
      content: file.content.replace("    measures:", "      - {name: at, sql: at, type: time}\n    measures:"),
    },
  ]);
});
beforeEach(() => void (engine = patientEngine()));

let names = 0;
/** Asks the same in other words each time, so that no test finds another's run. */
const newQuery = () => ({ measures: ["orders.count"], offset: names++ });
type Query = ReturnType<typeof newQuery>;

const RESULT = JSON.stringify({
  query: { measures: ["orders.count"] },
  annotation: { measures: {}, dimensions: {}, segments: {}, timeDimensions: {} },
  data: [{ "orders.count": "3" }],
});
const WAITING = { status: 200, body: { error: "Continue wait" } };

type LoadRequest = { key?: string; span?: string; queryType?: string; path?: string };
const load = (
  query: Query | Query[],
  { key = team.member.key, span, queryType = "multi", path = "load" }: LoadRequest = {},
) =>
  callWith(
    engine.bindings,
    "GET",
    `/cubejs-api/v1/${path}?${new URLSearchParams({ query: JSON.stringify(query), queryType })}`,
    { key, headers: span === undefined ? {} : { "x-request-id": span } },
  );
const lastId = () => engine.sent.at(-1)!.statement.id;
const finish = (id = lastId()) => storeResult(engine, team, id, RESULT);
const rowsOf = ({ body }: Awaited<ReturnType<typeof load>>) => body.results?.[0].data;
const results = async () => (await env.BUCKET.list({ prefix: `${team.id}/queries/` })).objects.map(({ key }) => key);
const kept = () => env.DB.prepare("select count(*) n from async_queries where team_id = ?").bind(team.id).first("n");

describe("a load", () => {
  it("is to be repeated while it runs, and the same request then finds its result", async () => {
    const query = newQuery();
    expect(await load(query)).toMatchObject(WAITING);
    const [sent] = engine.sent;
    expect(sent).toMatchObject({
      waitMs: ASYNC_QUERY_LIMITS.repeatedQueryWaitMs,
      leaseMs: ASYNC_QUERY_LIMITS.repeatedQueryLeaseMs,
      statement: { format: "json", numbers: "string", isWhole: true, sender: team.member.id },
    });
    expect(await load(query)).toMatchObject(WAITING);
    expect(engine.asked).toContain(`POST /statements/${lastId()}/lease`);
    await finish();
    const { status, body } = await load(query);
    expect([status, Object.keys(body)]).toEqual([200, ["queryType", "results", "pivotQuery", "slowQuery"]]);
    expect(body).toMatchObject({
      queryType: "regularQuery",
      results: [JSON.parse(RESULT)],
      pivotQuery: { ...query, queryType: "regularQuery", limit: SEMANTIC_LIMITS.rowsDefault, timezone: "UTC" },
      slowQuery: false,
    });
    expect(engine.sent).toHaveLength(1);
  });

  it("is answered at once where it ends soon, as one result to a client that asks for no list", async () => {
    engine.onSent = async ({ statement }) => (await finish(statement.id)) === 204;
    expect(rowsOf(await load(newQuery()))).toEqual([{ "orders.count": "3" }]);
    expect((await load(newQuery(), { queryType: "" })).body).toEqual(JSON.parse(RESULT));
    expect(rowsOf(await load(newQuery(), { path: "subscribe" }))).toEqual([{ "orders.count": "3" }]);
  });

  it("is of several queries, each a run of its own, once all have ended", async () => {
    const byDay = { dimension: "orders.at", granularity: "day" };
    const one = { ...newQuery(), timeDimensions: [byDay] };
    const list = [one, one, { ...newQuery(), timeDimensions: [byDay] }];
    expect(await load(list)).toMatchObject(WAITING);
    const ids = engine.sent.map(({ statement }) => statement.id);
    expect([new Set(ids).size, engine.sent.map(({ statement }) => statement.isBlended)]).toEqual([
      3,
      [true, true, true],
    ]);
    await finish(ids[0]);
    await finish(ids[1]);
    expect(await load(list)).toMatchObject(WAITING);
    await finish(ids[2]);
    const result = JSON.parse(RESULT);
    expect(await load(list)).toMatchObject({
      status: 200,
      body: {
        queryType: "blendingQuery",
        results: [result, result, result],
        pivotQuery: {
          measures: ["orders.count"],
          dimensions: [],
          timeDimensions: [{ dimension: "time", granularity: "day" }],
          queryType: "blendingQuery",
        },
      },
    });
    expect(engine.sent).toHaveLength(3);
    expect(await load(list)).toMatchObject(WAITING);
    expect(engine.sent).toHaveLength(6);
  });

  it("hands a result on once, keeps none of it, and then runs anew", async () => {
    engine.onSent = async ({ statement }) => (await finish(statement.id)) === 204;
    const query = newQuery();
    const before = await kept();
    for (let count = 1; count <= 3; count++) {
      expect(rowsOf(await load(query))).toEqual([{ "orders.count": "3" }]);
      expect(engine.sent).toHaveLength(count);
    }
    expect(await kept()).toBe(before);
    expect((await results()).filter((key) => key.includes(lastId()))).toEqual([]);
  });

  it("is one run for the requests of one call of Cube's client, and another for its next call", async () => {
    const query = newQuery();
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
    await load(query, { span: `${one}-span-1` });
    const first = lastId();
    await load(query, { span: `${other}-span-1` });
    expect(lastId()).not.toBe(first);
    await finish(first);
    expect(rowsOf(await load(query, { span: `${one}-span-2` }))).toHaveLength(1);
    expect(engine.sent).toHaveLength(2);
  });

  it("is another run for another key, and the same whatever else names a request", async () => {
    const query = newQuery();
    await load(query, { span: crypto.randomUUID() });
    await load(query, { key: team.admin.key });
    expect(engine.sent).toHaveLength(2);
    const [{ statement }] = engine.sent as [(typeof engine.sent)[number]];
    await finish(statement.id);
    expect(rowsOf(await load(query, { span: crypto.randomUUID() }))).toHaveLength(1);
    expect(engine.sent).toHaveLength(2);
  });

  it("is one run for two requests that come at the same time", async () => {
    const query = newQuery();
    const answering = Promise.all([load(query), load(query)]);
    await expect.poll(() => engine.sent.length).toBe(1);
    await expect.poll(() => engine.running.size).toBe(1);
    await finish();
    const rows = (await answering).map((answer) => rowsOf(answer) ?? answer.body.error);
    expect(rows).toContainEqual([{ "orders.count": "3" }]);
    expect(engine.sent).toHaveLength(1);
  });

  it("fails with one text, once, and then runs anew", async () => {
    const query = newQuery();
    await load(query);
    await reportEnd(engine, team, lastId(), {
      outcome: "failed",
      failure: { code: "sql_error", message: "No column." },
    });
    expect(await load(query)).toMatchObject({ status: 400, body: { error: "No column." } });
    expect(await load(query)).toMatchObject(WAITING);
    expect(engine.sent).toHaveLength(2);
  });

  it("takes no result that was left alone, nor one that was cancelled for that", async () => {
    const query = newQuery();
    await load(query);
    await finish();
    await env.DB.prepare("update async_queries set ended_at = ? where id = ?")
      .bind(new Date(Date.now() - ASYNC_QUERY_LIMITS.repeatedQueryResultMs - 1_000).toISOString(), lastId())
      .run();
    expect(await load(query)).toMatchObject(WAITING);
    const lapsed = { code: "cancelled" as const, message: "Nobody waits for it any more." };
    await reportEnd(engine, team, lastId(), { outcome: "failed", failure: lapsed });
    expect(await load(query)).toMatchObject(WAITING);
    expect(engine.sent).toHaveLength(3);
  });

  it("runs anew where its result is gone", async () => {
    const query = newQuery();
    await load(query);
    await finish();
    await env.BUCKET.delete((await results()).filter((key) => key.includes(lastId())));
    expect(await load(query)).toMatchObject(WAITING);
    expect(engine.sent).toHaveLength(2);
  });

  it("tells a client that the engine can't take its query now, and asks it anew", async () => {
    engine.refusal = "queue_full";
    const query = newQuery();
    const { status, body, headers } = await load(query);
    expect([status, body]).toEqual([429, { error: "As asked." }]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    engine.refusal = undefined;
    expect(await load(query)).toMatchObject(WAITING);
  });

  it("shows nobody what roles have hidden meanwhile", async () => {
    const other = await newTeam();
    const base = await addPostgres(other);
    await newCompiler().put(other, await addCube(other, base), [cubeFile("orders")]);
    const query = newQuery();
    await load(query, { key: other.member.key });
    await storeResult(engine, other, lastId(), RESULT);
    await addRole(other, [{ integration_id: base, schema: "sample", table: "orders" }], [other.member.id]);
    const { status, body } = await load(query, { key: other.member.key });
    expect([status, body]).toEqual([403, { error: expect.stringContaining("Send it again") }]);
    expect(await load(query, { key: other.member.key })).toMatchObject(WAITING);
  });
});
