// Arrow streams as deliveries read them: the cells that the engine's JSON has of the same rows, whoever wrote them.

import "../../support/node/seed.ts";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { streamResult } from "../../../containers/engine/lake/process/results/stream-result.ts";
import { readResult } from "../../../src/features/deliveries/render/result/read-result.ts";
import type { ResultTable } from "../../../kernel/docs/draw/result-table.ts";
import { UnreadableResult } from "../../../src/features/deliveries/render/result/unreadable.ts";
import { ARROW_RESULT, arrowOf, describeSql, gather } from "../../support/node/lake/batch-results.ts";
import { pyarrowOf } from "../../support/node/sandbox/pyarrow.ts";

let instance: DuckDBInstance;
let connection: DuckDBConnection;

beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

/** The engine's JSON of the rows, whole numbers and decimals as strings. */
async function jsonOf(sql: string): Promise<Record<string, unknown>[]> {
  const { order } = await describeSql(connection, sql);
  const result = { ...ARROW_RESULT, format: "ndjson", numbers: "string" } as const;
  const bytes = await gather((take) => streamResult(connection, { ...order, result }, take));
  const lines = Buffer.from(bytes).toString().trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** A cell as that JSON has it. */
const asJson = (table: ResultTable, row: number, column: number): unknown => {
  const cell = table.cell(row, column);
  if (cell === null) return null;
  if (table.columns[column]!.kind === "json") return JSON.parse(String(cell)) as unknown;
  if (typeof cell === "number") return Number.isFinite(cell) ? cell : String(cell);
  return typeof cell === "bigint" ? String(cell) : cell;
};

const rowsOf = (table: ResultTable): Record<string, unknown>[] =>
  Array.from({ length: table.rowCount }, (_, row) =>
    Object.fromEntries(table.columns.map(({ name }, column) => [name, asJson(table, row, column)])),
  );

async function expectSame(sql: string): Promise<void> {
  const table = readResult(await arrowOf(connection, sql));
  const { shape } = await describeSql(connection, sql);
  expect(table.columns).toEqual(shape.columns.map(({ name, kind }) => ({ name, kind })));
  expect(rowsOf(table)).toEqual(await jsonOf(sql));
}

/** Expressions of a type, among them its bounds. */
const VALUES: [type: string, expressions: string[]][] = [
  ["BOOLEAN", ["true", "false"]],
  ["TINYINT", ["-128", "127"]],
  ["SMALLINT", ["-32768", "32767"]],
  ["INTEGER", ["-2147483648", "2147483647"]],
  ["BIGINT", ["-9223372036854775808", "9223372036854775807"]],
  ["HUGEINT", ["9".repeat(38), `-${"9".repeat(38)}`, "-1"]],
  ["UTINYINT", ["255"]],
  ["USMALLINT", ["65535"]],
  ["UINTEGER", ["4294967295"]],
  ["UBIGINT", ["18446744073709551615"]],
  ["UHUGEINT", ["9".repeat(38)]],
  ["BIGNUM", ["9".repeat(50), "-1"]],
  ["FLOAT", ["0.1", "-3.4028235e38", "1e-45", "'nan'", "'inf'", "'-inf'", "123456.79"]],
  ["DOUBLE", ["0.1", "1.7976931348623157e308", "5e-324", "'nan'", "'-inf'", "1e21"]],
  ["DECIMAL(4,2)", ["-99.99", "-0.01", "0"]],
  ["DECIMAL(3,3)", ["-0.999", "0.001"]],
  ["DECIMAL(38,10)", [`-${"9".repeat(28)}.9999999999`, "1234567890123456789012345678.0123456789"]],
  ["DATE", ["'0001-01-01'", "'1969-12-31'", "'2024-02-29'", "'9999-12-31'", "'12345-06-07'"]],
  ["TIME", ["'00:00:00'", "'10:00:00.5'", "'23:59:59.999999'"]],
  ["TIMETZ", ["'10:00:00.25+01:30'"]],
  ["TIMESTAMP", ["'0001-01-01 00:00:00'", "'1969-12-31 23:59:59.999999'", "'2026-01-31 10:00:00.5'"]],
  ["TIMESTAMP_S", ["'1969-12-31 23:59:59'"]],
  ["TIMESTAMP_MS", ["'1969-12-31 23:59:59.01'"]],
  ["TIMESTAMP_NS", ["'2262-04-11 23:47:16.854775'"]],
  ["TIMESTAMPTZ", ["'2026-01-31 10:00:00+02'", "'1582-10-04 00:00:00Z'"]],
  ["INTERVAL", ["'1 month -3 days 2.5 seconds'", "'0 seconds'", "'-1 year -11 months'"]],
  ["UUID", ["'00000000-0000-0000-0000-0000000000ff'"]],
  ["BLOB", ["''", "'\\xFF\\x00\\xAA'", "repeat('a', 100000)"]],
  ["VARCHAR", ["''", "'é😀\"<\\'", "chr(65279) || 'mark'", "chr(0)"]],
  ["JSON", ['\'{"a":1.10,"b":[null]}\'', "'null'"]],
  ["ENUM('red', 'green', 'blå')", ["'red'", "'blå'"]],
  ["BIT", ["'101'"]],
  ["INTEGER[]", ["[1, NULL, 3]", "[]"]],
  ["VARCHAR[][]", ["[['a\"', NULL], [], NULL]"]],
  ["DOUBLE[2]", ["[0.1, 'nan'::DOUBLE]"]],
  [
    'STRUCT(a INTEGER, "b c" DECIMAL(5,2), d TIMESTAMP)',
    ["{'a': 1, 'b c': 2.5, 'd': '2026-01-01'}", "{'a': NULL, 'b c': NULL, 'd': NULL}"],
  ],
  ["STRUCT(l BLOB[], u UUID, e ENUM('x', 'y'))", ["{'l': ['\\xFF'], 'u': NULL, 'e': 'y'}"]],
  ["MAP(VARCHAR, BIGINT)", ["MAP {'a': 9007199254740993, 'b': NULL}", "MAP {}"]],
  ["MAP(INTEGER, STRUCT(j JSON)[])", ["MAP {1: [{'j': '{\"k\":[1]}'}]}"]],
  ["UNION(k DOUBLE, l VARCHAR)", ["union_value(k := 1.5::DOUBLE)"]],
];

const selectOf = (type: string, expressions: readonly string[]): string =>
  ["NULL", ...expressions, "NULL"].map((value) => `SELECT CAST(${value} AS ${type}) AS v`).join(" UNION ALL ");

describe("a result of the engine", () => {
  it.each(VALUES)("has the engine's cells of %s", (type, expressions) => expectSame(selectOf(type, expressions)));

  it("has all cells of many batches and many columns", () =>
    expectSame(
      "SELECT range AS i, range::VARCHAR AS t, CASE WHEN range % 3 = 0 THEN NULL ELSE range / 7 END AS f, " +
        "[range, NULL] AS l, {'a': range % 5} AS s, (range % 2 = 0) AS b, DATE '2000-01-01' + (range % 9999)::INTEGER AS d " +
        "FROM range(40000)",
    ));

  it("has no rows and its columns where there are none", () => expectEmpty("SELECT 1 AS a, 'x' AS b WHERE false"));
});

async function expectEmpty(sql: string): Promise<void> {
  const table = readResult(await arrowOf(connection, sql));
  expect(table.rowCount).toBe(0);
  expect(table.columns).toEqual([
    { name: "a", kind: "integer" },
    { name: "b", kind: "text" },
  ]);
}

describe("a frame of a Python dataset", () => {
  it("has pyarrow's values of every type that pandas makes", async () => {
    const table = readResult(
      await pyarrowOf(`
import datetime, decimal
table = pa.table({
  "words": pa.array(["x", None, "y", "x"]).dictionary_encode(),
  "large": pa.array(["a", None, "é", ""], pa.large_string()),
  "ns": pa.array([1, None, 1_700_000_000_123_456_789, -1], pa.timestamp("ns")),
  "oslo": pa.array([0, None, 1, 2], pa.timestamp("s", tz="Europe/Oslo")),
  "ms": pa.array([0, None, 86_400_000, -86_400_000], pa.date64()),
  "time": pa.array([0, None, 1_500, 3], pa.time32("ms")),
  "span": pa.array([0, None, 90_061_500_000, -1], pa.duration("us")),
  "month": pa.array([(14, 3, 4_000_000_000), None, (0, 0, 0), (-1, 0, 0)], pa.month_day_nano_interval()),
  "none": pa.nulls(4),
  "half": pa.array([0.5, None, 65504, -2.0], pa.float16()),
  "fixed": pa.array([b"ab", None, b"cd", b"ef"], pa.binary(2)),
  "wide": pa.array([decimal.Decimal("1.5"), None, decimal.Decimal("-9" * 1 + "9" * 70 + ".5"), 0], pa.decimal256(76, 1)),
  "list": pa.array([[1, None], None, [], [2]], pa.large_list(pa.int8())),
  "pairs": pa.array([[("k", 1)], None, [], [("l", None)]], pa.map_(pa.string(), pa.int64())),
  "words in lists": pa.array([["a", "b"], None, [], ["a"]], pa.list_(pa.dictionary(pa.int8(), pa.string()))),
})`),
    );
    expect(table.columns.map(({ kind }) => kind).join()).toBe(
      "text,text,timestamp,timestamptz,date,time,text,text,text,float,binary,decimal,json,json,json",
    );
    const cells = (row: number) => table.columns.map((_, column) => table.cell(row, column));
    expect([0, 1, 2, 3].map(cells)).toEqual([
      [
        "x",
        "a",
        "1970-01-01T00:00:00.000000001",
        "1970-01-01T00:00:00Z",
        "1970-01-01",
        "00:00:00",
        "00:00:00",
        "1 year 2 months 3 days 00:00:04",
        null,
        0.5,
        "YWI=",
        "1.5",
        "[1,null]",
        '{"k":1}',
        '["a","b"]',
      ],
      Array.from({ length: 15 }, () => null),
      [
        "y",
        "é",
        "2023-11-14T22:13:20.123456789",
        "1970-01-01T00:00:01Z",
        "1970-01-02",
        "00:00:01.5",
        "1 day 01:01:01.5",
        "00:00:00",
        null,
        65504,
        "Y2Q=",
        `-${"9".repeat(71)}.5`,
        "[]",
        "{}",
        "[]",
      ],
      [
        "x",
        "",
        "1969-12-31T23:59:59.999999999",
        "1970-01-01T00:00:02Z",
        "1969-12-31",
        "00:00:00.003",
        "-00:00:00.000001",
        "-1 month",
        null,
        -2,
        "ZWY=",
        "0.0",
        "[2]",
        '{"l":null}',
        '["a"]',
      ],
    ]);
  });

  it("keeps the words of dictionaries that grow and that are replaced between batches", async () => {
    const table = readResult(
      await pyarrowOf(
        `
table = [pa.table({"w": pa.array(words).dictionary_encode()}) for words in (["a", "b"], ["a", "b", "c"], ["z"])]`,
        "emit_dictionary_deltas=True",
      ),
    );
    expect(Array.from({ length: 6 }, (_, row) => table.cell(row, 0))).toEqual(["a", "b", "a", "b", "c", "z"]);
  });

  it.each(["lz4", "zstd"])("is refused where its batches are compressed by %s", async (codec) => {
    const bytes = await pyarrowOf(`table = pa.table({"a": [1] * 10000})`, `compression="${codec}"`);
    expect(() => readResult(bytes)).toThrow(expect.objectContaining({ reason: "unsupported" }));
  });

  it("is refused where it has a union", async () => {
    const bytes = await pyarrowOf(
      `table = pa.table({"u": pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1])])})`,
    );
    expect(() => readResult(bytes)).toThrow(expect.objectContaining({ reason: "unsupported" }));
  });
});

describe("a damaged stream", () => {
  const sql =
    "SELECT range AS i, range::VARCHAR AS t, [range] AS l, {'a': 'x' || range} AS s, 1.5::DECIMAL(9,2) AS d, " +
    "CASE WHEN range % 2 = 0 THEN 'a' ELSE 'b' END::ENUM('a', 'b') AS e, MAP {'k': range} AS m FROM range(20)";
  const readAll = (bytes: Uint8Array): void => void rowsOf(readResult(bytes));
  /** What reading it throws; undefined where it reads. */
  function failureOf(bytes: Uint8Array): unknown {
    try {
      readAll(bytes);
      return undefined;
    } catch (error) {
      // JSON of a damaged text is the test's own reading.
      return error instanceof SyntaxError ? undefined : error;
    }
  }

  it("is refused wherever it is cut off", async () => {
    const bytes = await arrowOf(connection, sql);
    readAll(bytes);
    for (let length = 0; length < bytes.length; length++)
      expect(failureOf(bytes.subarray(0, length)), `${length} bytes`).toMatchObject({ reason: "damaged" });
  });

  it("is read or refused with a reason, whichever bytes are others", async () => {
    const bytes = await arrowOf(connection, sql);
    const changes = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(changes, (changed) => {
        const other = Uint8Array.from(bytes);
        for (const [at, byte] of changed) other[at] = byte;
        const failure = failureOf(other);
        if (failure !== undefined) expect(failure).toBeInstanceOf(UnreadableResult);
      }),
      { numRuns: 3_000 },
    );
  });

  it("is refused where anything follows its end", async () => {
    const bytes = await arrowOf(connection, sql);
    expect(failureOf(Buffer.concat([bytes, bytes]))).toMatchObject({ reason: "damaged" });
  });
});

it("refuses a result of more columns than it reads", async () => {
  const bytes = await pyarrowOf(`table = pa.table({f"c{i}": [i] for i in range(10_001)})`);
  expect(() => readResult(bytes)).toThrow(expect.objectContaining({ reason: "too_large" }));
});

it("refuses a nested value that a dictionary makes much of", async () => {
  const bytes = await pyarrowOf(`
words = pa.array(["x" * 1_000_000])
table = pa.table({"l": pa.ListArray.from_arrays(pa.array([0, 1000], pa.int32()), pa.DictionaryArray.from_arrays(pa.array([0] * 1000, pa.int8()), words))})`);
  expect(() => readResult(bytes).cell(0, 0)).toThrow(expect.objectContaining({ reason: "too_large" }));
});
