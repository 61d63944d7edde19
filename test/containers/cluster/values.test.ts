// A cluster's values, type by type: as DuckDB's are in every format, or in Trino's own form for its clients. A type
// that DuckDB has not is refused by its name.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { textOf } from "../../../containers/engine/lake/process/canonical-text.ts";
import { textReader } from "../../../containers/engine/cluster/rows/scalar-text.ts";
import type { ClusterTarget } from "../../../kernel/wire/statements/cluster.ts";
import {
  column,
  rowOf,
  signature,
  startFakeCluster,
  type FakeCluster,
} from "../../support/node/cluster/fake-cluster.ts";
import { aStatement, startEngine, type Engine } from "../../support/node/programs/engine.ts";

let engine: Engine;
let fake: FakeCluster;
let connection: DuckDBConnection;
beforeAll(async () => {
  engine = await startEngine({ hostsAllowed: "loopback" });
  fake = await startFakeCluster();
  connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run("SET TimeZone = 'UTC'");
});
afterAll(async () => {
  connection.closeSync();
  await engine.stop();
  await fake.close();
});
beforeEach(() => fake.reset());

const bigint = signature("bigint");
const decimal = (precision: number, scale: number) => signature("decimal", precision, scale);
const VARCHAR = signature("varchar", 2_147_483_647);
const MOMENT = signature("timestamp with time zone", 6);

/** The type, the value on the wire, and DuckDB's own value of it as an expression. */
const VALUES: [string, Parameters<typeof column>[1], string, string][] = [
  ["boolean", signature("boolean"), "true", "true"],
  ["tinyint", signature("tinyint"), "-128", "(-128)::TINYINT"],
  ["integer", signature("integer"), "2147483647", "2147483647"],
  ["bigint", bigint, "9223372036854775807", "9223372036854775807"],
  ["bigint, the least", bigint, "-9223372036854775808", "(-9223372036854775808)::BIGINT"],
  ["real", signature("real"), "0.1", "0.1::FLOAT"],
  ["double", signature("double"), "1.0E20", "1e20::DOUBLE"],
  ["double, whole", signature("double"), "3.0", "3::DOUBLE"],
  ["double, none", signature("double"), '"NaN"', "'nan'::DOUBLE"],
  ["double, endless", signature("double"), '"-Infinity"', "'-inf'::DOUBLE"],
  ["decimal", decimal(12, 2), '"-8.08"', "(-8.08)::DECIMAL(12, 2)"],
  ["decimal, a fraction", decimal(2, 2), '"0.07"', "0.07::DECIMAL(2, 2)"],
  ["decimal, wide", decimal(38, 0), `"${"9".repeat(38)}"`, `${"9".repeat(38)}::DECIMAL(38, 0)`],
  ["varchar", VARCHAR, '"ä\\n\\"💡\\u0000"', "'ä' || chr(10) || '\"💡' || chr(0)"],
  ["varbinary", signature("varbinary"), '"AP/+"', "from_hex('00fffe')"],
  ["date", signature("date"), '"2024-02-29"', "DATE '2024-02-29'"],
  ["date, late", signature("date"), '"+12024-02-29"', "DATE '12024-02-29'"],
  ["date, early", signature("date"), '"-0043-03-15"', "DATE '0044-03-15 (BC)'"],
  ["time", signature("time", 6), '"10:00:00.500000"', "TIME '10:00:00.5'"],
  ["timestamp", signature("timestamp", 6), '"2024-01-01 00:08:00.123456"', "TIMESTAMP '2024-01-01 00:08:00.123456'"],
  [
    "timestamp, early",
    signature("timestamp", 6),
    '"0000-01-01 00:00:00.000000"',
    "TIMESTAMP '0001-01-01 (BC) 00:00:00'",
  ],
  ["moment", MOMENT, '"2024-01-01 00:08:00.100000 UTC"', "TIMESTAMPTZ '2024-01-01 00:08:00.1+00'"],
  ["uuid", signature("uuid"), '"0e984725-c51c-4bf4-9960-e1c80e27aba0"', "UUID '0e984725-c51c-4bf4-9960-e1c80e27aba0'"],
  ["unknown", signature("unknown"), "null", "NULL"],
  ["array", signature("array", decimal(5, 1)), '["1.5", null]', "[1.5::DECIMAL(5, 1), NULL]"],
  ["array of doubles", signature("array", signature("double")), '["NaN", 2.0]', "['nan'::DOUBLE, 2]"],
  [
    "row",
    rowOf({ a: bigint, "b c": MOMENT, d: signature("array", signature("varbinary")) }),
    '[9007199254740993, "2024-01-01 00:00:00.000000 UTC", ["AA=="]]',
    "{'a': 9007199254740993, 'b c': TIMESTAMPTZ '2024-01-01 00:00:00+00', 'd': [from_hex('00')]}",
  ],
  ["map", signature("map", VARCHAR, bigint), '{"x":1,"y":null}', "MAP {'x': 1, 'y': NULL}"],
  ["map of dates", signature("map", signature("date"), VARCHAR), '{"2024-01-01":"x"}', "MAP {DATE '2024-01-01': 'x'}"],
];

const target = (more: Partial<ClusterTarget> = {}): ClusterTarget => ({
  kind: "cluster",
  cluster: { url: fake.url, username: "fjord", catalog: "lake" },
  ...{ edits: [], timeZone: "UTC", form: "cells", isParametric: true, ...more },
});

/** The bytes of a value on the wire are as they stand here. */
function serve(type: Parameters<typeof column>[1], value: string): void {
  const columns = JSON.stringify([column("v", type)]);
  fake.intercept = ({ method, path }, response) => {
    if (method !== "GET" || !path.endsWith("/0")) return false;
    const id = '"id":"20261130_000000_00001_fake1","stats":{"state":"FINISHED"}';
    response.writeHead(200).end(`{${id},"columns":${columns},"data":[[${value}]]}`);
    return true;
  };
  fake.pages = [{}];
}

async function lineOf(more: Partial<ClusterTarget> = {}, form: { isLists?: true } = {}): Promise<string> {
  const response = await engine.call(
    "POST",
    "/statements",
    aStatement({ sql: "x", format: "ndjson", ...form, target: target(more) }),
  );
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text.trimEnd();
}

describe("a value of the cluster's", () => {
  it.each(VALUES)("is DuckDB's: %s", async (_, type, value, expression) => {
    serve(type, value);
    const given = (JSON.parse(await lineOf(), numbersAsTexts) as { v: unknown }).v;
    const reader = await connection.runAndReadAll(`SELECT (${expression}) AS v`);
    const text = await connection.runAndReadAll(
      `SELECT ${textOf(reader.columnType(0), "v")} FROM (SELECT (${expression}) AS v)`,
    );
    const [[own]] = text.getRowsJson() as [[string | null]];
    if (own !== null && typeof given === "object") expect(given).toEqual(JSON.parse(own, numbersAsTexts));
    else expect(given === null ? null : String(given)).toBe(own);
  });

  it.each(VALUES)("is as Trino has it for its own clients: %s", async (_, type, value) => {
    serve(type, value);
    const line = await lineOf({ form: "trino" }, { isLists: true });
    const wire = (text: string): unknown => JSON.parse(text, numbersAsTexts);
    expect(line.at(-1)).toBe(",");
    const [shown] = wire(line.slice(0, -1)) as unknown[];
    expect(sameNumbers(shown)).toEqual(sameNumbers(wire(value)));
  });

  it("that is a double is a number for Trino's clients beside a whole number that no double holds", async () => {
    serve(signature("array", signature("double")), '[12345678901234567, 1.0E22, 0.1, "NaN"]');
    expect(await lineOf({ form: "trino" }, { isLists: true })).toBe('[[1.2345678901234568e+16,1e+22,0.1,"NaN"]],');
  });

  it("that is a double is printed as DuckDB prints it", async () => {
    const read = textReader({ kind: "double" });
    const doubles = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), { numRuns: 2_000, seed: 7 });
    const edges = [0, -0, 1e15, 1e16, 123456789012345680, 1e-4, 1e-5, 0.00012345, 5e-324, 1.7976931348623157e308, 1e21];
    const all = [...doubles, ...edges, ...edges.map((each) => -each)];
    const list = all.map((each) => (Object.is(each, -0) ? "'-0.0'::DOUBLE" : `'${each}'::DOUBLE`)).join(",");
    const answer = await connection.runAndReadAll(`SELECT CAST(v AS VARCHAR) FROM (SELECT unnest([${list}]) AS v)`);
    expect(all.map(read)).toEqual(answer.getRowsJson().map(([text]) => text));
  });

  it.each([
    ["interval day to second", signature("interval day to second")],
    ["char(3)", signature("char", 3)],
    ["ipaddress", signature("ipaddress")],
    ["timestamp(9)", signature("timestamp", 9)],
    ["array(ipaddress)", signature("array", signature("ipaddress"))],
    ["map(array(bigint), bigint)", signature("map", signature("array", bigint), bigint)],
  ])("is refused by its type's name where DuckDB has not its like: %s", async (name, type) => {
    fake.pages = [{ columns: [column("v", type, name)], data: [] }];
    const response = await engine.call("POST", "/statements", aStatement({ sql: "x", target: target() }));
    expect(response.status).toBe(400);
    expect(((await response.json()) as { message: string }).message).toContain(`the type ${name}`);
  });

  it("that is a moment in another zone is refused as a cell, and given to Trino's clients", async () => {
    serve(MOMENT, '"2024-01-01 01:00:00.000000 Europe/Berlin"');
    const response = await engine.call("POST", "/statements", aStatement({ sql: "x", target: target() }));
    expect(response.status).toBe(400);
    const line = await lineOf({ form: "trino" }, { isLists: true });
    expect(line).toBe('["2024-01-01 01:00:00.000000 Europe/Berlin"],');
  });
});

const numbersAsTexts = ((_: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === "number" ? context!.source : value) as (key: string, value: unknown) => unknown;

/** `1.0E20` and `1e+20` are one number. */
const sameNumbers = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sameNumbers);
  return typeof value === "string" && /^-?[\d.]+[eE][+-]?\d+$/.test(value) ? Number(value) : value;
};
