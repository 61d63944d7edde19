// A statement in Trino's SQL by /v1/query.

import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openLake } from "../../../../src/lake/lake.ts";
import { addPostgres } from "../../../support/unit/databases.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { call } from "../../../support/unit/http.ts";
import { recordingEngine } from "../../../support/unit/query/recording-engine.ts";
import { column, createTable, newWriter } from "../../../support/unit/lake.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

let team: TestTeam;
let other: string;
beforeAll(async () => {
  team = await newTeam();
  const body = { type: "lake", name: "Other", credentials: {} };
  other = (await call("POST", "/v1/api/integrations", { key: team.admin.key, body })).body.integration.id;
  const own = await env.DB.prepare("select id from integrations where team_id = ? and is_default = 1")
    .bind(team.id)
    .first<string>("id");
  for (const lakeId of [own!, other]) {
    const writer = await newWriter({ teamId: team.id, lakeId, catalog: openLake(env, lakeId) });
    await writer.commit([createTable("main", "orders", [column(1, "id")])]);
  }
});

let engine: ReturnType<typeof recordingEngine>;
beforeEach(() => void (engine = recordingEngine()));

const run = (sql: string, more: object = {}, key = team.member.key) =>
  callWith(engine.bindings, "POST", "/v1/query", { key, body: { sql, dialect: "trino", ...more } });
const sentSql = async (sql: string, more: object = {}): Promise<[number, string | undefined]> => {
  const { status } = await run(sql, more);
  return [status, engine.asked.at(-1)?.body.sql];
};

describe("runQuery in the dialect trino", () => {
  it("has the engine run what the text means in Trino, by the names that Trino gives", async () => {
    expect(await sentSql('SELECT 7 / 2, 1 AS "H"')).toEqual([
      200,
      expect.stringMatching(/^SELECT q\.c0 AS "_col0", q\.c1 AS "H" FROM \(SELECT .*7.*\/\/.*2/),
    ]);
  });

  it("reads the lake's tables, with and without their schema", async () => {
    for (const name of ["orders", "main.orders", "lake.main.ORDERS"])
      expect(await sentSql(`SELECT count(*) AS n FROM ${name}`)).toEqual([
        200,
        expect.stringContaining('FROM LAKE."main"."orders"'),
      ]);
  });

  it.each([
    ["what does not mean the same here", "SELECT 1,\n  approx_most_frequent(1, 2, 3)", { line: 2, column: 3 }],
    ["a table that is not there", "SELECT * FROM nothing", { line: 1, column: 15 }],
    ["what is no Trino's", "SELECT * EXCLUDE (id) FROM orders", { line: 1 }],
    ["what is of a session", "SET SESSION a = 1", { line: 1, column: 1 }],
    ["a procedure", "CALL system.sync()", { line: 1, column: 6 }],
    ["the end of another statement", "CALL system.runtime.kill_query('a')", { line: 1, column: 1 }],
    ["a place for a value", "SELECT ?", {}],
  ])("refuses %s, with its place", async (_, sql, place) => {
    const { status, body } = await run(sql);
    expect([status, body.error?.code]).toEqual([422, "validation_failed"]);
    expect(body.error).toMatchObject({ flaws: [{ pointer: "/sql", ...place }], ...place });
  });

  it("says of the text that was made of it that its places are nobody's", async () => {
    await run("SELECT 1");
    await run("SELECT 1", { dialect: "duckdb" });
    expect(engine.asked.map(({ body }) => body.isTranslated)).toEqual([true, undefined]);
  });

  it("writes for whoever may, and for nobody else", async () => {
    expect((await run("INSERT INTO orders VALUES (1)")).status).toBe(403);
    expect((await run("INSERT INTO nothing VALUES (1)", {}, team.admin.key)).status).toBe(422);
    expect(engine.asked).toEqual([]);
    expect((await run("INSERT INTO orders VALUES (1)", {}, team.admin.key)).status).toBe(200);
    expect(engine.asked[0]!.body.sql).toMatch(/^INSERT INTO LAKE\."main"\."orders"/);
  });

  it("is of one lake: of the one that is named beside it, or in it", async () => {
    const named = `SELECT count(*) AS n FROM "${other}".main.orders`;
    expect((await run(named)).status).toBe(200);
    expect((await run(named, { integration_id: other.toUpperCase() })).status).toBe(200);
    expect(engine.asked.map(({ body }) => body.target.lake.lakeId)).toEqual([other, other]);
    expect((await run("SELECT * FROM lake.main.orders", { integration_id: other })).body.error.flaws).toMatchObject([
      { pointer: "/integration_id" },
    ]);
    const postgres = await addPostgres(team, { database: "shop" });
    expect((await run("SELECT 1", { integration_id: postgres })).status).toBe(422);
    const stranger = await newTeam();
    expect((await run(named, {}, stranger.admin.key)).status).toBe(422);
  });

  it("is told what it will read", async () => {
    engine.answers["/estimates"] = { tables: [], readsDrive: false, writes: false };
    const body = { sql: "SELECT * FROM lake.main.orders", dialect: "trino" };
    await callWith(engine.bindings, "POST", "/v1/query/estimate", { key: team.member.key, body });
    expect(engine.asked[0]!.body.sql).toContain('FROM LAKE."main"."orders"');
  });

  it.each([
    [{ sql: "SELECT 1", engine: "trino" }, "/engine"],
    [{ sql: "SELECT 1", engine: "auto" }, "/engine"],
    [{ sql: "SELECT 1", dialect: "duckdb", engine: "auto" }, "/engine"],
    [{ sql: "SELECT 1", dialect: "mysql" }, "/dialect"],
    [{ sql: "SELECT 1", engine: "spark" }, "/engine"],
    [{ sql: "SELECT 1", dialect: "trino", parameters: { a: 1 } }, "/parameters"],
    [{ cube_query: { measures: ["a.b"] }, dialect: "trino" }, "/dialect"],
  ])("is refused where the request contradicts itself: %j", async (body, pointer) => {
    const answer = await callWith(engine.bindings, "POST", "/v1/query", { key: team.member.key, body });
    expect(answer.status).toBe(422);
    expect(answer.body.error.flaws.map((flaw: { pointer: string }) => flaw.pointer)).toContain(pointer);
  });
});
