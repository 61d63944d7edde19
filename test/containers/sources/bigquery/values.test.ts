// BigQuery's values as canonical text, by the engine's connection on the fake.

import { describe, expect, it } from "vitest";
import { connect, type BigQueryConnection } from "../../../../containers/engine/sources/bigquery/connection/connect.ts";
import { createCellReader } from "../../../../containers/engine/sources/bigquery/rows/cell-text.ts";
import { describeColumns } from "../../../../containers/engine/sources/bigquery/rows/column-types.ts";
import { withFakeBigquery } from "../../../support/node/sources/bigquery/with-fake.ts";

const never = new AbortController().signal;

const fake = withFakeBigquery(async ({ database }) => {
  await database.execute("CREATE SCHEMA shop");
  await database.execute(`CREATE TABLE shop.everything (
    i INT64, f FLOAT64, n NUMERIC, b BIGNUMERIC, t STRING, y BYTES, o BOOL, d DATE, dt DATETIME, tm TIME, ts TIMESTAMP,
    j JSON, g GEOGRAPHY, a BIGINT[], s STRUCT(id BIGINT, \`list\` VARCHAR[], \`at\` TIMESTAMP))`);
});

async function withConnection<T>(use: (connection: BigQueryConnection) => Promise<T>): Promise<T> {
  const connection = await connect(fake().source().credentials, never);
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

const run = (sql: string) =>
  withConnection(async (connection) => {
    const { columns, rows } = await connection.stream({ sql, signal: never });
    const all: (string | null)[][] = [];
    await rows((cells) => void all.push(cells));
    return { columns, rows: all };
  });

const cell = async (expression: string) => (await run(`SELECT ${expression} AS x`)).rows[0]![0];

describe("a value", () => {
  it.each([
    ["9223372036854775807", "9223372036854775807"],
    ["-9223372036854775807 - 1", "-9223372036854775808"],
    ["CAST('NaN' AS FLOAT64)", "NaN"],
    ["CAST('-inf' AS FLOAT64)", "-Infinity"],
    ["CAST('-0.0' AS FLOAT64)", "-0"],
    ["CAST(1e300 AS FLOAT64)", "1e+300"],
    ["CAST(0.1 AS FLOAT64)", "0.1"],
    ["CAST('99999999999999999999999999999.999999999' AS NUMERIC)", "99999999999999999999999999999.999999999"],
    ["CAST('1.500000000' AS NUMERIC)", "1.5"],
    [
      "BIGNUMERIC '578960446186580977117854925043439539266.34992332820282019728792003956564819967'",
      "578960446186580977117854925043439539266.34992332820282019728792003956564819967",
    ],
    ["'é\\u20ac\\n\"'", 'é€\n"'],
    ["b'\\x00\\xff'", "AP8="],
    ["TRUE", "true"],
    ["DATE '0001-01-01'", "0001-01-01"],
    ["DATETIME '9999-12-31 23:59:59.999999'", "9999-12-31T23:59:59.999999"],
    ["DATETIME '2026-01-31 10:00:00.500'", "2026-01-31T10:00:00.5"],
    ["TIME '00:00:00.000001'", "00:00:00.000001"],
    ["TIMESTAMP '2026-01-31 10:00:00.123456+00'", "2026-01-31T10:00:00.123456Z"],
    ["TIMESTAMP '1969-12-31 23:59:59.999999+00'", "1969-12-31T23:59:59.999999Z"],
    ["TIMESTAMP '0001-01-01 00:00:00+00'", "0001-01-01T00:00:00Z"],
    ["TIMESTAMP '9999-12-31 23:59:59.999999+00'", "9999-12-31T23:59:59.999999Z"],
    ["CAST('{\"a\": 12345678901234567890}' AS JSON)", '{"a": 12345678901234567890}'],
    ["GEOGRAPHY 'POINT(1 2)'", "POINT(1 2)"],
    ["[9223372036854775807, NULL]", "[9223372036854775807,null]"],
    ["CAST(NULL AS BIGINT[])", "[]"],
    ["CAST(NULL AS INT64)", null],
  ])("%s is %s", async (expression, text) => {
    expect(await cell(expression)).toBe(text);
  });

  it("of a STRUCT within an ARRAY is one JSON value with every digit", async () => {
    const struct =
      "{'id': 9007199254740993, 'at': TIMESTAMP '2026-01-31 10:00:00.000001+00', 'f': CAST('NaN' AS FLOAT64)}";
    expect(await cell(`[${struct}]`)).toBe('[{"id":9007199254740993,"at":"2026-01-31T10:00:00.000001Z","f":"NaN"}]');
  });
});

describe("a result", () => {
  it("names its columns' types in GoogleSQL's words", async () => {
    const { columns, rows } = await run("SELECT * FROM `shop-analytics.shop.everything`");
    expect(rows).toEqual([]);
    expect(columns.map(({ name, type, kind }) => [name, type, kind])).toEqual([
      ["i", "INT64", "bigint"],
      ["f", "FLOAT64", "float"],
      ["n", "NUMERIC", "decimal"],
      ["b", "BIGNUMERIC", "decimal"],
      ["t", "STRING", "text"],
      ["y", "BYTES", "binary"],
      ["o", "BOOL", "boolean"],
      ["d", "DATE", "date"],
      ["dt", "DATETIME", "timestamp"],
      ["tm", "TIME", "time"],
      ["ts", "TIMESTAMP", "timestamptz"],
      ["j", "JSON", "json"],
      ["g", "GEOGRAPHY", "text"],
      ["a", "ARRAY<INT64>", "json"],
      ["s", "STRUCT<id INT64, list ARRAY<STRING>, at TIMESTAMP>", "json"],
    ]);
  });

  it("comes whole in many pages", async () => {
    fake().jobs.pageRows = 1_000;
    const { rows } = await run("SELECT n FROM UNNEST(GENERATE_ARRAY(1, 12345)) AS n");
    expect(rows.map(([n]) => Number(n))).toEqual(Array.from({ length: 12_345 }, (_, i) => i + 1));
  });

  it("whose pages all look alike comes whole", async () => {
    fake().jobs.pageRows = 1_000;
    expect((await run("SELECT 1 AS one FROM UNNEST(GENERATE_ARRAY(1, 5000)) AS n")).rows).toHaveLength(5_000);
  });
});

/** What the service prints and DuckDB does not have. */
describe("a cell of the wire", () => {
  const read = (type: string, v: unknown, more: object = {}) => {
    const field = { name: "x", type, ...more };
    return createCellReader([field])({ f: [{ v }] })[0];
  };

  it.each([
    ["RANGE", "[2020-01-01, 2020-12-31)", { rangeElementType: { type: "DATE" } }, "[2020-01-01, 2020-12-31)"],
    [
      "RANGE",
      "[1577836800000001, UNBOUNDED)",
      { rangeElementType: { type: "TIMESTAMP" } },
      "[2020-01-01T00:00:00.000001Z, UNBOUNDED)",
    ],
    ["INTERVAL", "1-2 3 4:5:6.789", {}, "1-2 3 4:5:6.789"],
    ["FLOAT", "1.0E10", {}, "10000000000"],
    ["FLOAT", "+inf", {}, "Infinity"],
    ["FLOAT64", "Infinity", {}, "Infinity"],
    ["NUMERIC", "-0.000000001", {}, "-0.000000001"],
    ["STRING", "", {}, ""],
  ])("of %s: %s", (type, v, more, text) => {
    expect(read(type, v, more)).toBe(text);
  });

  it.each([
    ["INTEGER", "1.5"],
    ["INTEGER", 1],
    ["FLOAT", "0x10"],
    ["FLOAT", "1e999"],
    ["NUMERIC", "1e3"],
    ["BOOLEAN", "TRUE"],
    ["BYTES", "a-_b"],
    ["DATE", "31.01.2026"],
    ["TIME", "10:00"],
    ["DATETIME", "2026-01-31 10:00:00"],
    ["TIMESTAMP", "1.6725744001234560E9"],
    ["TIMESTAMP", "999999999999999999"],
    ["JSON", "{"],
    ["STRING", { f: [] }],
    ["RECORD", "text"],
  ])("of %s is not taken for one where it is %s", (type, v) => {
    expect(() => read(type, v, type === "RECORD" ? { fields: [] } : {})).toThrow(/form/);
  });

  it("is refused where it has more digits than can be read", () => {
    expect(() => read("TIMESTAMP", "1", { timestampPrecision: "12" })).toThrow(/Cast it to STRING/);
    expect(describeColumns([{ name: "x", type: "TIMESTAMP", timestampPrecision: "12" }])[0]!.type).toBe(
      "TIMESTAMP(12)",
    );
  });

  it("is missed where a row has too few, or holds none", () => {
    const reader = createCellReader([{ name: "x", type: "STRING" }]);
    for (const row of [{ f: [] }, { f: [{ v: "a" }, { v: "b" }] }, { f: [{}] }, {}, null])
      expect(() => reader(row)).toThrow(/row|cell/);
  });
});
