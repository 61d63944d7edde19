// Row filters as SQL, run by DuckDB over columns of every type that a lake has.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FilterOperator, RowCondition } from "../../../kernel/access/access.ts";
import { FILTER_OPERATORS } from "../../../kernel/access/access.ts";
import { DUCKDB_FILTERS, duckdbFilterColumn } from "../../../containers/engine/access/duckdb-filters.ts";
import { ALWAYS, conditionSql, NEVER } from "../../../containers/engine/access/row-filter-sql.ts";
import { duckdbType } from "../../../containers/engine/parquet/lake-types.ts";
import { quoteLiteral } from "../../../containers/engine/duckdb/quoting.ts";

let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:");
  connection = await instance.connect();
  await connection.run("SET TimeZone = 'America/New_York'");
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

const columnOf = (type: string) => ({ id: 1, name: "c", type, nullable: true, children: [] });

/** Which of `rows`, by index, a filter on a column of the type lets through. */
async function kept(type: string, rows: readonly (string | null)[], condition: RowCondition): Promise<number[]> {
  const column = columnOf(type);
  const where = conditionSql(condition, new Map([[1, duckdbFilterColumn(column, '"c"')]]), DUCKDB_FILTERS);
  const values = rows.map((row, i) => `(${i}, ${row === null ? "NULL" : quoteLiteral(row)})`);
  const reader = await connection.runAndReadAll(
    `SELECT i FROM (SELECT i, CAST(c AS ${duckdbType(column)}) AS c FROM (VALUES ${values.join(", ")}) AS v(i, c))
      WHERE ${where} ORDER BY i`,
  );
  return reader.getRows().map(([i]) => Number(i));
}

type Filter = [operator: FilterOperator, ...values: (string | null)[]];
const asCondition = ([operator, ...values]: Filter): RowCondition => ({ column: 1, operator, values });

const TEXTS = ["Oslo", "oslo", "Oslo fjord", "50%", "5_0", "a\\b", "", "Ålesund", "O'Hara", null];
const NUMBERS = ["-2", "-1", "0", "1", "2", "100", null];
const DAYS = ["2025-12-31", "2026-01-01", "2026-01-02", "2026-01-31", "2026-02-01", null];
const INSTANTS = [
  "2025-12-31 23:59:59.999999",
  "2026-01-01 00:00:00",
  "2026-01-01 23:59:59.9995",
  "2026-01-02 00:00:00",
  "2026-01-31 12:00:00",
  "2026-02-01 00:00:00",
  null,
];

describe("conditionSql", () => {
  it.each<[string, readonly (string | null)[], Filter, number[]]>([
    ["varchar", TEXTS, ["equals", "Oslo"], [0]],
    ["varchar", TEXTS, ["equals", "Oslo", null], [0, 9]],
    ["varchar", TEXTS, ["equals", null], [9]],
    ["varchar", TEXTS, ["equals", ""], [6]],
    ["varchar", TEXTS, ["in", "oslo", "O'Hara", "a\\b"], [1, 5, 8]],
    ["varchar", TEXTS, ["notEquals", "Oslo"], [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ["varchar", TEXTS, ["notEquals", "Oslo", null], [1, 2, 3, 4, 5, 6, 7, 8]],
    ["varchar", TEXTS, ["notEquals", null], [0, 1, 2, 3, 4, 5, 6, 7, 8]],
    ["varchar", TEXTS, ["notIn", "Oslo", "oslo", ""], [2, 3, 4, 5, 7, 8, 9]],
    ["varchar", TEXTS, ["contains", "SLO"], [0, 1, 2]],
    ["varchar", TEXTS, ["contains", "%"], [3]],
    ["varchar", TEXTS, ["contains", "_"], [4]],
    ["varchar", TEXTS, ["contains", "\\"], [5]],
    ["varchar", TEXTS, ["contains", "åle"], [7]],
    ["varchar", TEXTS, ["contains", "'"], [8]],
    ["varchar", TEXTS, ["contains", "fjord", null], [2, 9]],
    ["varchar", TEXTS, ["notContains", "o"], [3, 4, 5, 6, 7, 9]],
    ["varchar", TEXTS, ["notContains", "o", null], [3, 4, 5, 6, 7]],
    ["varchar", TEXTS, ["startsWith", "OSLO"], [0, 1, 2]],
    ["varchar", TEXTS, ["notStartsWith", "oslo", "5"], [5, 6, 7, 8, 9]],
    ["varchar", TEXTS, ["endsWith", "D"], [2, 7]],
    ["varchar", TEXTS, ["notEndsWith", "d", "o"], [3, 4, 5, 6, 8, 9]],
    ["varchar", TEXTS, ["set"], [0, 1, 2, 3, 4, 5, 6, 7, 8]],
    ["varchar", TEXTS, ["notSet"], [9]],
    // An empty text is part of every text: who writes it means none of them.
    ["varchar", TEXTS, ["contains", ""], []],
    ["varchar", TEXTS, ["notContains", ""], []],
    ["varchar", TEXTS, ["gt", "A"], []],
    ["varchar", TEXTS, ["equals", "Oslo\0"], []],
    ["varchar", TEXTS, ["notEquals", "\ud800"], []],
    ["varchar", TEXTS, ["equals"], []],
    ["varchar", TEXTS, ["notEquals"], []],
    ["varchar", TEXTS, ["inDateRange", "2026-01-01"], []],
    ["int32", NUMBERS, ["equals", "1"], [3]],
    ["int32", NUMBERS, ["equals", " 1.0 "], [3]],
    ["int32", NUMBERS, ["equals", "1e2"], [5]],
    ["int32", NUMBERS, ["equals", "1.5"], []],
    ["int32", NUMBERS, ["equals", "1; DROP"], []],
    ["int32", NUMBERS, ["equals", "x", "1"], [3]],
    ["int32", NUMBERS, ["notEquals", "x", "1"], []],
    ["int32", NUMBERS, ["notEquals", "1"], [0, 1, 2, 4, 5, 6]],
    ["int32", NUMBERS, ["equals", "4294967297"], []],
    ["int32", NUMBERS, ["lt", "4294967297"], []],
    ["int32", NUMBERS, ["gt", "1.5"], [4, 5]],
    ["int32", NUMBERS, ["gte", "1.5"], [4, 5]],
    ["int32", NUMBERS, ["lt", "1.5"], [0, 1, 2, 3]],
    ["int32", NUMBERS, ["lte", "-1.5"], [0]],
    ["int32", NUMBERS, ["gt", "-1.5"], [1, 2, 3, 4, 5]],
    ["int32", NUMBERS, ["gte", "1"], [3, 4, 5]],
    ["int32", NUMBERS, ["lte", "0"], [0, 1, 2]],
    ["int32", NUMBERS, ["gt", null], []],
    ["int32", NUMBERS, ["gt", "0", "1"], []],
    ["int32", NUMBERS, ["contains", "1"], []],
    ["uint8", ["0", "255", null], ["gte", "-1"], []],
    ["int64", ["9007199254740993", "9007199254740992"], ["equals", "9007199254740993"], [0]],
    ["int128", ["170141183460469231731687303715884105727"], ["equals", "170141183460469231731687303715884105727"], [0]],
    ["decimal(10,2)", ["1.50", "1.55", "1.56", null], ["equals", "1.5"], [0]],
    ["decimal(10,2)", ["1.50", "1.55", "1.56", null], ["equals", "1.555"], []],
    ["decimal(10,2)", ["1.50", "1.55", "1.56", null], ["gt", "1.555"], [2]],
    ["decimal(10,2)", ["-1.50", "-1.55", "-1.56", null], ["gt", "-1.555"], [0, 1]],
    ["decimal(10,2)", ["1.50"], ["lt", "1e9"], []],
    ["float64", ["0.1", "1e300", "-0.5", null], ["gte", "0.1"], [0, 1]],
    ["float32", ["0.1", "2", null], ["equals", "0.1"], [0]],
    ["float32", ["0.1", "2", null], ["lt", "1e300"], []],
    ["float64", ["NaN", "1"], ["equals", "NaN"], []],
    ["boolean", ["true", "false", null], ["equals", "true"], [0]],
    ["boolean", ["true", "false", null], ["notEquals", "TRUE"], [1, 2]],
    ["boolean", ["true", "false", null], ["equals", "yes"], []],
    ["uuid", ["8f1f5a0e-3c5b-4b0e-9d5c-0a1b2c3d4e5f", null], ["equals", "8F1F5A0E-3C5B-4B0E-9D5C-0A1B2C3D4E5F"], [0]],
    ["uuid", ["8f1f5a0e-3c5b-4b0e-9d5c-0a1b2c3d4e5f", null], ["notEquals", "8f1f"], []],
    ["date", DAYS, ["equals", "2026-01-01"], [1]],
    ["date", DAYS, ["equals", "2026-01-01T00:00:00Z"], [1]],
    ["date", DAYS, ["equals", "2026-01-01T10:00:00Z"], []],
    ["date", DAYS, ["inDateRange", "2026-01-01", "2026-01-31"], [1, 2, 3]],
    ["date", DAYS, ["inDateRange", "2026-01-01"], [1]],
    ["date", DAYS, ["inDateRange", "2026-01-01T10:00:00", "2026-02-01T10:00:00"], [2, 3, 4]],
    ["date", DAYS, ["notInDateRange", "2026-01-01", "2026-01-31"], [0, 4]],
    ["date", DAYS, ["onTheDate", "2026-01-02"], [2]],
    ["date", DAYS, ["beforeDate", "2026-01-02"], [0, 1]],
    ["date", DAYS, ["beforeOrOnDate", "2026-01-02"], [0, 1, 2]],
    ["date", DAYS, ["afterDate", "2026-01-02"], [3, 4]],
    ["date", DAYS, ["afterOrOnDate", "2026-01-02"], [2, 3, 4]],
    ["date", DAYS, ["gt", "2026-01-31"], [4]],
    ["date", DAYS, ["inDateRange", "last week"], []],
    ["date", DAYS, ["notInDateRange", "2026-02-30"], []],
    ["date", DAYS, ["inDateRange", "2026-01-01", null], []],
    ["date", DAYS, ["beforeDate", "2026-01-02", "2026-01-03"], []],
    ["timestamp", INSTANTS, ["onTheDate", "2026-01-01"], [1, 2]],
    ["timestamp", INSTANTS, ["onTheDate", "2026-01-01", "2026-01-02"], []],
    ["timestamp", INSTANTS, ["inDateRange", "2026-01-01", "2026-01-31"], [1, 2, 3, 4]],
    ["timestamp", INSTANTS, ["inDateRange", "2026-01-01T00:00:00", "2026-01-02T00:00:00.000"], [1, 2, 3]],
    ["timestamp", INSTANTS, ["notInDateRange", "2026-01-01", "2026-01-31"], [0, 5]],
    ["timestamp", INSTANTS, ["beforeDate", "2026-01-01"], [0]],
    ["timestamp", INSTANTS, ["beforeOrOnDate", "2026-01-01"], [0, 1, 2]],
    ["timestamp", INSTANTS, ["afterDate", "2026-01-01"], [3, 4, 5]],
    ["timestamp", INSTANTS, ["afterOrOnDate", "2026-01-01"], [1, 2, 3, 4, 5]],
    ["timestamp", INSTANTS, ["equals", "2026-01-31T12:00:00Z"], [4]],
    ["timestamp", INSTANTS, ["equals", "2026-01-31T12:00:00+01:00"], []],
    ["timestamp", INSTANTS, ["beforeOrOnDate", "9999-12-31"], []],
    ["timestamptz", INSTANTS.map((at) => at && `${at}+00`), ["onTheDate", "2026-01-01"], [1, 2]],
    ["timestamptz", INSTANTS.map((at) => at && `${at}+00`), ["notEquals", "2026-01-01"], [0, 2, 3, 4, 5, 6]],
    ["timestamp_s", ["2026-01-01 00:00:00", "2026-01-01 00:00:01"], ["equals", "2026-01-01T00:00:00.5"], []],
    ["timestamp_s", ["2026-01-01 00:00:00", "2026-01-01 00:00:01"], ["gt", "2026-01-01T00:00:00.5"], [1]],
    ["timestamp_ms", ["2026-01-01 00:00:00.001"], ["gt", "2026-01-01T00:00:00.0015"], []],
    ["timestamp_ns", ["2026-01-01 00:00:00.000000001"], ["onTheDate", "2026-01-01"], [0]],
    ["timestamp_ns", ["2026-01-01 00:00:00"], ["beforeDate", "3000-01-01"], []],
    ["json", ['"a"', null], ["equals", '"a"'], []],
    ["json", ['"a"', null], ["set"], [0]],
    ["blob", ["a", null], ["notEquals", "b"], []],
    ["time", ["10:00:00", null], ["notSet"], [1]],
  ])("%s of %j by %j keeps %j", async (type, rows, filter, expected) => {
    expect(await kept(type, rows, asCondition(filter))).toEqual(expected);
  });

  it("nests groups, of which none of all holds always and none of some never", async () => {
    const oslo = asCondition(["startsWith", "oslo"]);
    const fjord = asCondition(["endsWith", "fjord"]);
    expect(await kept("varchar", TEXTS, { and: [oslo, fjord] })).toEqual([2]);
    expect(await kept("varchar", TEXTS, { or: [fjord, { and: [asCondition(["notSet"])] }] })).toEqual([2, 9]);
    const sql = (condition: RowCondition) => conditionSql(condition, new Map(), DUCKDB_FILTERS);
    expect([sql({ and: [] }), sql({ or: [] }), sql({ or: [{ and: [] }] })]).toEqual([ALWAYS, NEVER, ALWAYS]);
  });

  it("keeps nothing by a column that is not there", () => {
    for (const operator of FILTER_OPERATORS)
      expect(conditionSql({ column: 2, operator, values: ["1"] }, new Map(), DUCKDB_FILTERS)).toBe(NEVER);
  });

  it("lets no value say SQL", async () => {
    const marks = [`' OR 1=1 --`, `\\' OR 1=1 --`, `"; SELECT 1; --`, `$$`, `E'\\''`, `*/`, `%`, `x' || 'y`];
    for (const mark of marks)
      for (const operator of ["equals", "contains", "startsWith", "endsWith"] as const)
        expect(await kept("varchar", ["a", mark, "b"], asCondition([operator, mark]))).toEqual([1]);
  });
});
