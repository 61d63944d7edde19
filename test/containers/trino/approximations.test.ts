// Aggregates that Trino approximates, on DuckDB: the exact answer, and Trino's types.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nameOf } from "../../../src/features/trino-sql/trino-types.ts";
import { rowsOn, translated } from "../../support/node/trino/on-duckdb.ts";

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:", { threads: "2" })).connect();
});
afterAll(() => connection.closeSync());

const rowsOf = (sql: string): Promise<unknown[][]> => rowsOn(connection, translated(sql));

const VALUES: [string, string, string, unknown][] = [
  ["approx_distinct(x)", "(VALUES 1, 2, 2, NULL) t(x)", "bigint", 2],
  ["approx_distinct(x, 0.01)", "(VALUES 'a', 'b', 'a') t(x)", "bigint", 2],
  ["approx_distinct(x)", "(VALUES 1) t(x) WHERE x > 1", "bigint", 0],
  ["approx_distinct(x) FILTER (WHERE x > 1)", "(VALUES 1, 2, 3) t(x)", "bigint", 2],
  ["approx_percentile(x, 0.5)", "(VALUES 4, 1, NULL, 3, 2) t(x)", "bigint", 3],
  ["approx_percentile(x, 0)", "(VALUES 4, 1, 3, 2) t(x)", "bigint", 1],
  ["approx_percentile(x, 1)", "(VALUES 4, 1, 3, 2) t(x)", "bigint", 4],
  ["approx_percentile(x, 0.9e0)", "(VALUES 4, 1, 3, 2) t(x)", "bigint", 4],
  ["approx_percentile(x, 0.24)", "(VALUES 4, 1, 3, 2) t(x)", "bigint", 1],
  ["approx_percentile(x, 0.5)", "(VALUES 1.5, 2.5, 3.5) t(x)", "real", 2.5],
  ["approx_percentile(x, 0.5)", "(VALUES CAST(1.5e0 AS real), CAST(2.5e0 AS real)) t(x)", "real", 2.5],
  // Both the digits and their quotient are rounded: 20000001 is no float.
  ["approx_percentile(x, 0)", "(VALUES 200000.01, 200002.97) t(x)", "real", 200000],
  ["approx_percentile(x, 0.5)", "(VALUES 1) t(x) WHERE x > 1", "bigint", null],
  ["approx_percentile(x, ARRAY[0, 0.5, 1])", "(VALUES 1e0, 2e0, 3e0) t(x)", "array(double)", [1, 2, 3]],
  ["approx_percentile(x, ARRAY[0.5])", "(VALUES 1) t(x) WHERE x > 1", "array(bigint)", null],
];

describe("an approximation", () => {
  it.each(VALUES)("%s of %s is exact", async (sql, from, type, value) => {
    const query = `SELECT ${sql} FROM ${from}`;
    expect(translated(query).columns.map((column) => nameOf(column.type))).toEqual([type]);
    expect(await rowsOf(query)).toEqual([[value]]);
  });

  it("is of each group", async () => {
    const rows = "(VALUES ('a', 1), ('a', 5), ('b', 7)) t(k, x)";
    expect(
      await rowsOf(`SELECT k, approx_percentile(x, 0.5), approx_distinct(x) FROM ${rows} GROUP BY k ORDER BY k`),
    ).toEqual([
      ["a", 5, 2],
      ["b", 7, 1],
    ]);
  });

  it.each(["nan()", "infinity()"])("fails of %s, which has no place among the others", async (value) => {
    const sql = `SELECT approx_percentile(x, 0.5) FROM (VALUES 1e0, ${value}) t(x)`;
    await expect(rowsOf(sql)).rejects.toThrow(/not finite/);
  });

  it.each([
    ["approx_percentile(1, 2, 0.5)", "This form of approx_percentile is not supported here."],
    ["approx_percentile(1, 1.5)", "This must be in [0, 1]: 1.5"],
    ["approx_percentile(1, rand())", "Function 'rand' is not supported here."],
    ["approx_percentile('a', 0.5)", "approx_percentile of varchar(1) is not supported here."],
    ["approx_percentile(1, '0.5')", "A fraction that is no number in its words is not supported here."],
    ["approx_percentile(1, '')", "A fraction that is no number in its words is not supported here."],
    ["approx_percentile(CAST(1 AS decimal(19, 0)), 0.5)", "approx_percentile of decimal(19, 0) is not supported here."],
    [
      `approx_percentile(length('${"x".repeat(8_000)}'), ARRAY[${"0,".repeat(8_000)}0])`,
      "The statement is too long once it is translated.",
    ],
    ["approx_distinct(1, 0.5)", "This must be in [0.0040625, 0.26]: 0.5"],
    ["approx_distinct(MAP())", "Telling values of map(unknown, unknown) apart is not supported here."],
  ])("%s is refused", (sql, message) => {
    expect(() => translated(`SELECT ${sql}`)).toThrow(message);
  });
});
