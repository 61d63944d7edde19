// Which statements mean the same whenever they are run on the same tables.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Gate } from "../../../containers/engine/lake/sql/gate.ts";

let gate: Gate;
let duckdb: DuckDBConnection;
beforeAll(async () => {
  gate = await Gate.open();
  duckdb = await (await DuckDBInstance.create(":memory:")).connect();
  await duckdb.run("SET TimeZone = 'UTC'");
});
afterAll(() => duckdb.closeSync());

const isSteady = async (sql: string): Promise<boolean> => (await gate.analyse(sql)).isSteady;

describe("a statement is steady", () => {
  it.each([
    "SELECT 1",
    "SELECT a, sum(b) FROM t WHERE c > DATE '2026-01-01' GROUP BY ALL ORDER BY a LIMIT 10",
    "SELECT nullif(a, 0), split_part(b, ',', 1), list_sum(c), unnest(d), range(5), repeat('x', 2) FROM t",
    "FROM range(3), generate_series(1, 2), unnest([1]), json_each('[1]')",
    "SELECT age(a, b), a AT TIME ZONE 'Europe/Berlin', a::TIMESTAMP WITH TIME ZONE, '12:00'::TIME FROM t",
    "SELECT any_value(a), arg_max(a, b), median(a), approx_count_distinct(a) FROM t",
    "SELECT row_number() OVER (ORDER BY a) FROM t QUALIFY rank() OVER (ORDER BY b) = 1",
    "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT * FROM r",
    "SUMMARIZE t",
    `SELECT from_json('{"a": "\\/"}', '{"a": "VARCHAR"}'), json_transform(a, '["INT"]') FROM t`,
    "SELECT list_aggregate(a, 'quantile', 0.5), list_aggr(a || b, 'string_agg', ', ') FROM t",
  ])("%s", async (sql) => expect(await isSteady(sql)).toBe(true));
});

describe("a statement is not steady that asks for", () => {
  it.each([
    ["the time", "SELECT now()"],
    ["the time by a word", "SELECT a FROM t WHERE b < CURRENT_TIMESTAMP"],
    ["the day by a word", "SELECT a FROM t WHERE b < current_date"],
    ["the time of day", "SELECT localtime"],
    ["the time by a function that DuckDB calls consistent", "SELECT current_localtimestamp()"],
    ["the time of day by one", "SELECT current_localtime()"],
    ["the time within a macro", "SELECT ago(INTERVAL 1 DAY)"],
    ["the time in a name that is quoted", 'SELECT "now"()'],
    ["the time with its schema", "SELECT main.now()"],
    ["the time in a window", "SELECT sum(extract(epoch FROM now())) OVER () FROM t"],
    ["an age until today", "SELECT age(a) FROM t"],
    ["an age until today as a method", "SELECT a.age() FROM t"],
    ["chance", "SELECT random()"],
    ["chance in an order", "SELECT a FROM t ORDER BY random() LIMIT 1"],
    ["chance in a lambda", "SELECT list_transform([1], lambda x: x + random())"],
    ["chance in a query within", "SELECT * FROM (SELECT uuid() AS id)"],
    ["an id", "SELECT gen_random_uuid(), uuidv7()"],
    ["a sample of a query", "SELECT a FROM t USING SAMPLE 10"],
    ["a sample of a table", "SELECT a FROM t TABLESAMPLE 10%"],
    ["a sample with its seed", "SELECT a FROM t TABLESAMPLE reservoir(10 ROWS) REPEATABLE (1)"],
    ["a sample's quantile", "SELECT reservoir_quantile(a, 0.5) FROM t"],
    ["a sample's quantile of a list", "SELECT list_aggregate(a, 'reservoir_quantile', 0.5) FROM t"],
    ["the session", "SELECT current_schema()"],
    ["the zones' present offsets", "FROM pg_timezone_names()"],
    ["a zone's present offset", "SELECT '12:00+00'::TIMETZ AT TIME ZONE 'Europe/Berlin'"],
    ["the same by the type's long name", "SELECT a::TIME WITH TIME ZONE AT TIME ZONE 'Europe/Berlin' FROM t"],
    ["the same of a list", "SELECT (a::TIMETZ[])[1] AT TIME ZONE 'Europe/Berlin' FROM t"],
    [
      "the same by a type in a text",
      `SELECT json_transform(a, '{"x": "timetz"}').x AT TIME ZONE 'Europe/Berlin' FROM t`,
    ],
    ["the same by a type in a text that is computed", `SELECT from_json(a, '{"x": "time' || 'tz"}') FROM t`],
    ["the same by one that is escaped", String.raw`SELECT json_transform_strict(a, '{"x": "time\u0074z"}') FROM t`],
    ["the same by one with a comment", `SELECT from_json(a, '["time/**/with/**/time/**/zone"]') FROM t`],
    ["the same as a method", `SELECT a.json_transform('{"x": "time' || 'tz"}') FROM t`],
    [
      "a sample's quantile by a name that is computed",
      "SELECT list_aggr(a, concat('reservoir', '_quantile'), 0.5) FROM t",
    ],
    ["the same as a method", "SELECT a.aggregate('reservoir' || '_quantile', 0.5) FROM t"],
  ])("%s: %s", async (_, sql) => expect(await isSteady(sql)).toBe(false));
});

it("knows every function without arguments whose value is another in the next statement", async () => {
  const reader = await duckdb.runAndReadAll(
    `SELECT DISTINCT function_name FROM duckdb_functions()
     WHERE function_type IN ('scalar', 'macro') AND len(parameters) = 0`,
  );
  const valueOf = async (name: string): Promise<string | undefined> =>
    duckdb.runAndReadAll(`SELECT ${name}()::VARCHAR`).then(
      (read) => String(read.getRows()[0]![0]),
      () => undefined,
    );
  const others: string[] = [];
  for (const [name] of reader.getRows()) {
    const sql = `SELECT ${String(name)}()`;
    const passes = await gate.analyse(sql).then(
      (analysis) => analysis,
      () => undefined,
    );
    if (!passes) continue;
    const before = await valueOf(String(name));
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.now());
    if (before === (await valueOf(String(name)))) continue;
    others.push(String(name));
    expect(passes.isSteady, String(name)).toBe(false);
  }
  expect(others).toEqual(expect.arrayContaining(["now", "random", "uuid", "current_localtimestamp"]));
});
