// What PostgreSQL's values and errors look like when they arrive.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Bench } from "../../../support/node/sources/test-postgres.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
  await bench.admin.query(`
    DROP SCHEMA IF EXISTS held CASCADE; CREATE SCHEMA held; CREATE TABLE held.kept (n int);
    CREATE TYPE held.mood AS ENUM ('glad', 'so so'); CREATE DOMAIN held.positive AS int CHECK (VALUE > 0); CREATE TYPE held.pair AS (a int, b text)`);
});
afterAll(async () => {
  await bench.admin.query("DROP SCHEMA held CASCADE");
  await bench.close();
});

describe("values", () => {
  // [SQL, type, kind, the value's own text in the JSON document]
  it.each([
    ["true", "boolean", "boolean", "true"],
    ["'-32768'::int2", "smallint", "integer", "-32768"],
    ["2147483647", "integer", "integer", "2147483647"],
    ["9223372036854775807", "bigint", "bigint", "9223372036854775807"],
    ["4294967295::oid", "oid", "bigint", "4294967295"],
    [
      "12345678901234567890123456789.123456789::numeric(38,9)",
      "numeric(38,9)",
      "decimal",
      "12345678901234567890123456789.123456789",
    ],
    ["1.10::numeric", "numeric", "decimal", "1.10"],
    ["'NaN'::numeric", "numeric", "decimal", '"NaN"'],
    ["0.1::float4", "real", "float", "0.1"],
    ["0.1::float8 + 0.2::float8", "double precision", "float", "0.30000000000000004"],
    ["'-Infinity'::float8", "double precision", "float", '"-Infinity"'],
    ["1e300::float8", "double precision", "float", "1e+300"],
    ["''::text", "text", "text", '""'],
    ["null::text", "text", "text", "null"],
    [`E'a"b\\\\c\\nd\\te\\x01 ü 😀'`, "text", "text", JSON.stringify('a"b\\c\nd\te\u0001 ü 😀')],
    ["'ab'::varchar(20)", "character varying(20)", "text", '"ab"'],
    ["'ab'::char(3)", "character(3)", "text", '"ab "'],
    ["'2026-01-31'::date", "date", "date", '"2026-01-31"'],
    ["'infinity'::date", "date", "date", '"infinity"'],
    ["'0044-03-15 BC'::date", "date", "date", '"0044-03-15 BC"'],
    ["'10:00:00.5'::time", "time without time zone", "time", '"10:00:00.5"'],
    ["'10:00+02'::timetz", "time with time zone", "text", '"10:00:00+02"'],
    [
      "'2026-01-31 10:00:00.000001'::timestamp",
      "timestamp without time zone",
      "timestamp",
      '"2026-01-31T10:00:00.000001"',
    ],
    ["'2026-01-31 10:00'::timestamp(3)", "timestamp(3) without time zone", "timestamp", '"2026-01-31T10:00:00"'],
    ["'2026-01-31 10:00:00+02'::timestamptz", "timestamp with time zone", "timestamptz", '"2026-01-31T08:00:00Z"'],
    ["'-infinity'::timestamptz", "timestamp with time zone", "timestamptz", '"-infinity"'],
    ["'0044-03-15 10:00 BC'::timestamptz", "timestamp with time zone", "timestamptz", '"0044-03-15 10:00:00+00 BC"'],
    ["'294276-12-31 23:59:59'::timestamp", "timestamp without time zone", "timestamp", '"294276-12-31T23:59:59"'],
    ["'1 year -2 days 3:04:05.6'::interval", "interval", "text", '"P1Y-2DT3H4M5.6S"'],
    [String.raw`'\xdeadbeef00'::bytea`, "bytea", "binary", '"3q2+7wA="'],
    ["''::bytea", "bytea", "binary", '""'],
    ["'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid", "uuid", "text", '"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"'],
    [
      `E'{"b":\\n 12345678901234567890, "a":"x\\\\ny"}'::json`,
      "json",
      "json",
      '{"b":  12345678901234567890, "a":"x\\ny"}',
    ],
    [`'{"b": 1, "a": null}'::jsonb`, "jsonb", "json", '{"a": null, "b": 1}'],
    ["'null'::jsonb", "jsonb", "json", "null"],
    ["'10.0.0.1/8'::inet", "inet", "text", '"10.0.0.1/8"'],
    ["'[1,5)'::int4range", "int4range", "text", '"[1,5)"'],
    ["B'101'::bit(3)", "bit(3)", "text", '"101"'],
    ["'so so'::held.mood", "held.mood", "text", '"so so"'],
    ["7::held.positive", "integer", "integer", "7"],
    ["row(1,'x y')::held.pair", "held.pair", "text", '"(1,\\"x y\\")"'],
    ["'{}'::int[]", "integer[]", "json", "[]"],
    ["array[1,null,3]::bigint[]", "bigint[]", "json", "[1,null,3]"],
    ["array[[1,2],[3,null]]", "integer[]", "json", "[[1,2],[3,null]]"],
    ["'[0:1]={1,2}'::int[]", "integer[]", "json", "[1,2]"],
    [
      `array['a"b', 'c\\d', 'NULL', null, '', 'x,y', '{}']`,
      "text[]",
      "json",
      '["a\\"b","c\\\\d","NULL",null,"","x,y","{}"]',
    ],
    ["array[true,false,null]", "boolean[]", "json", "[true,false,null]"],
    ["array['NaN',1.50]::numeric(10,2)[]", "numeric(10,2)[]", "json", '["NaN",1.50]'],
    [
      "array['2026-01-31 10:00+00','infinity']::timestamptz[]",
      "timestamp with time zone[]",
      "json",
      '["2026-01-31T10:00:00Z","infinity"]',
    ],
    [String.raw`array['\x6162'::bytea]`, "bytea[]", "json", '["YWI="]'],
    [`array['{"a": [1, "x"]}'::jsonb]`, "jsonb[]", "json", '[{"a": [1, "x"]}]'],
    ["array['so so','glad']::held.mood[]", "held.mood[]", "json", '["so so","glad"]'],
    ["array[1,2]::held.positive[]", "held.positive[]", "json", "[1,2]"],
    ["array['(1,1),(0,0)'::box, '(3,3),(2,2)'::box]", "box[]", "json", '["(1,1),(0,0)","(3,3),(2,2)"]'],
  ])("%s arrives as it is", async (sql, type, kind, text) => {
    const answer = await bench.rowsOf(`select ${sql} as v`);
    expect(answer.types).toEqual([{ name: "v", type, kind }]);
    expect(answer.text).toContain(`\n{"v":${text}}\n`);
  });

  it("writes int64 and decimals as strings on request, and leaves smaller integers numbers", async () => {
    const { data } = await bench.rowsOf("select 1::bigint as a, 1.10::numeric as b, 1 as c, 'x' as d", {
      numbers: "string",
    });
    expect(data).toEqual([{ a: "1", b: "1.10", c: 1, d: "x" }]);
  });

  it("gives every column a name of its own", async () => {
    expect((await bench.rowsOf("select 1 as a, 2 as a, 3 as a")).data).toEqual([{ a: 1, a_2: 2, a_3: 3 }]);
  });

  it("carries a row of many megabytes whole, and refuses one past the bound", async () => {
    const { data } = await bench.rowsOf("select repeat('x', 20000000) as v, 1 as n union all select 'y', 2");
    expect([(data[0]!.v as string).length, data[1]!.v, data[1]!.n]).toEqual([20_000_000, "y", 2]);
    expect(await bench.failureOf(bench.statement("select repeat('x', 300000000)"))).toMatchObject({
      status: 400,
      code: "resources_exceeded",
    });
  });

  it("answers EXPLAIN, SHOW, VALUES and a result without columns or rows", async () => {
    expect((await bench.rowsOf("explain (costs off) select 1")).data).toEqual([{ "QUERY PLAN": "Result" }]);
    expect((await bench.rowsOf("show timezone")).data).toEqual([{ TimeZone: "UTC" }]);
    expect((await bench.rowsOf("values (1, 'a');")).data).toEqual([{ column1: 1, column2: "a" }]);
    expect((await bench.rowsOf("select from generate_series(1, 2)")).data).toEqual([{}, {}]);
    expect((await bench.rowsOf("select 1 where false")).data).toEqual([]);
  });
});

describe("errors of the database", () => {
  it.each([
    ["select nope from held.kept", "sql_error", /column "nope" does not exist/, 8],
    ["select * from held.nothing", "sql_error", /relation "held.nothing" does not exist/, 15],
    ["select 'ä' frm held.kept x y", "sql_error", /syntax error at or near "held"/, 16],
    ["select 'ä😀',\n nope from held.kept", "sql_error", /column "nope" does not exist/, 15],
    ["select 1/n from (values (0)) t(n)", "sql_error", /division by zero/, undefined],
    ["selec 1", "sql_error", /syntax error at or near "selec"/, 1],
    ["select (1", "sql_error", /syntax error at end of input/, 10],
    ["select 'x'::int", "sql_error", /invalid input syntax for type integer: "x"/, 8],
  ])("are reported with their position: %s", async (sql, code, message, position) => {
    const failure = await bench.failureOf(bench.statement(sql));
    expect(failure).toMatchObject({ status: 400, code, message: expect.stringMatching(message) });
    expect(failure.position).toBe(position);
  });

  it("are reported at the end of a JSON document that has begun", async () => {
    const response = await bench.ask(
      bench.statement(
        "select case when g < 50000 then g else 1/(g-50000) end as v, repeat('x', 50) as w from generate_series(1, 60000) g",
      ),
    );
    expect(response.status).toBe(200);
    const document = JSON.parse(await response.text()) as {
      success: boolean;
      error: { code: string };
      message: string;
    };
    expect(document).toMatchObject({
      success: false,
      error: { code: "query_failed", status: 400, retryable: false },
      message: expect.stringMatching(/division by zero/),
    });
  });

  it("break off a CSV answer that has begun", async () => {
    const response = await bench.ask(
      bench.statement(
        "select case when g < 50000 then g else 1/(g-50000) end as v, repeat('x', 50) as w from generate_series(1, 60000) g",
        { format: "csv" },
      ),
    );
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });
});
