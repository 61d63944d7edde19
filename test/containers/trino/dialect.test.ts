// Trino's dialect on DuckDB: values and types as Trino has them, and what is refused, with its place.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Refusal, type UserError } from "../../../src/features/trino-sql/refusal.ts";
import {
  BIGINT,
  DATE,
  decimal,
  DOUBLE,
  INTEGER,
  nameOf,
  VARCHAR,
  type Type,
} from "../../../src/features/trino-sql/trino-types.ts";
import { rowsOn, translated as translateTrino, type EncodedQuery } from "../../support/node/trino/on-duckdb.ts";

const TABLE: [string, Type, string][] = [
  ["i", INTEGER, "i::INTEGER"],
  ["b", BIGINT, "(i * 100000000000)::BIGINT"],
  ["d", decimal(12, 2), "(i / 4.0)::DECIMAL(12, 2)"],
  ["f", DOUBLE, "CASE WHEN i = 3 THEN 'nan'::DOUBLE ELSE i / 4.0::DOUBLE END"],
  ["s", VARCHAR, "CASE WHEN i = 5 THEN NULL ELSE 'n' || i END"],
  ["dt", DATE, "DATE '2024-01-31' + i::INTEGER"],
  ["ts", { kind: "timestamp", digits: 6 }, "TIMESTAMP '2024-01-05 10:00:00.123456' + to_seconds(i * 4000)"],
  ["tz", { kind: "timestamptz", digits: 6 }, "TIMESTAMPTZ '2024-01-05 23:00:00+00' + to_hours(i::INTEGER)"],
  ["a", { kind: "array", of: INTEGER }, "[i::INTEGER, NULL]"],
  ["r", { kind: "row", fields: [{ name: "x", type: decimal(3, 1) }] }, "{'x': i::DECIMAL(3, 1)}"],
];

let instance: DuckDBInstance;
let connection: DuckDBConnection;

beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  connection = await instance.connect();
  await connection.run(`SET TimeZone = 'UTC'; ATTACH ':memory:' AS "LAKE"; CREATE SCHEMA "LAKE".s`);
  const columns = TABLE.map(([name, , sql]) => `${sql} AS ${name}`).join(", ");
  await connection.run(`CREATE TABLE "LAKE".s.t AS SELECT ${columns} FROM range(6) AS x(i)`);
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

const findTable = () => ({
  sql: `LAKE."s"."t"`,
  qualifiers: ["lake", "s", "t"],
  columns: TABLE.map(([name, type]) => ({ name, type })),
});
const translated = (sql: string, timeZone = "UTC"): EncodedQuery =>
  translateTrino(sql, { findTable, now: new Date("2026-11-29T23:30:00.500Z"), timeZone });
const rowsOf = (sql: string, timeZone?: string): Promise<unknown[][]> => rowsOn(connection, translated(sql, timeZone));

/** A value of Trino's, its type, and what it is there: after Trino's documentation and source. */
const VALUES: [string, string, unknown][] = [
  ["7 / 2", "integer", 3],
  ["-7 / 2", "integer", -3],
  ["-7 % 2", "integer", -1],
  ["2147483647 + CAST(1 AS bigint)", "bigint", 2_147_483_648],
  ["2147483648", "bigint", 2_147_483_648],
  ["1.00 / 3", "decimal(3, 2)", "0.33"],
  ["2.00 / 3", "decimal(3, 2)", "0.67"],
  ["-2.00 / 3", "decimal(3, 2)", "-0.67"],
  ["10 / 4.0", "decimal(12, 1)", "2.5"],
  ["1.25 * 2.5", "decimal(5, 3)", "3.125"],
  ["1.5 + 1", "decimal(12, 1)", "2.5"],
  ["0.1 + 0.2 = 0.3", "boolean", true],
  ["1e0 / 0", "double", "Infinity"],
  ["0e0 / 0", "double", "NaN"],
  ["DECIMAL '1.50'", "decimal(3, 2)", "1.50"],
  ["CAST(2.5 AS integer)", "integer", 3],
  ["CAST(-2.5 AS integer)", "integer", -3],
  ["CAST(1.25 AS decimal(2, 1))", "decimal(2, 1)", "1.3"],
  ["CAST(12.340 AS varchar)", "varchar", "12.340"],
  ["0.125 * -0.5", "decimal(4, 4)", "-0.0625"],
  ["CAST(-0.5 AS varchar)", "varchar", "-0.5"],
  ["date_add('day', 1, DATE '9999-12-31')", "date", "+10000-01-01"],
  ["date_add('day', -1, DATE '0001-01-01')", "date", "0000-12-31"],
  ["date_add('year', -2, TIMESTAMP '0001-06-01 00:00:00')", "timestamp(0)", "-0001-06-01 00:00:00"],
  ["CAST(' 12 ' AS integer)", "integer", 12],
  ["CAST('abcdef' AS varchar(3))", "varchar(3)", "abc"],
  ["CAST(TIMESTAMP '2024-01-01 00:00:00.9995' AS timestamp(3))", "timestamp(3)", "2024-01-01 00:00:01.000"],
  ["CAST(TIMESTAMP '1969-12-31 23:59:59.9994' AS timestamp(3))", "timestamp(3)", "1969-12-31 23:59:59.999"],
  ["CAST(DATE '2024-02-29' AS timestamp)", "timestamp(3)", "2024-02-29 00:00:00.000"],
  ["greatest(1, NULL)", "integer", null],
  ["'a' || CAST(NULL AS varchar)", "varchar", null],
  ["coalesce(NULL, 1, 2.5)", "decimal(11, 1)", "1.0"],
  ["nullif(2, 1)", "integer", 2],
  ["if(false, 1)", "integer", null],
  ["CASE 2 WHEN 1 THEN 'a' WHEN 2 THEN 'bc' END", "varchar(2)", "bc"],
  ["upper('aßé\u{19b}')", "varchar(4)", "Aß\u{c9}\u{a7dc}"],
  ["lower('AẞÉ')", "varchar(3)", "aßé"],
  ["length('🤦🏼')", "bigint", 2],
  ["substr('abcd', 2, 2)", "varchar(4)", "bc"],
  ["substr('abcd', -3, 2)", "varchar(4)", "bc"],
  ["substr('abcd', 0)", "varchar(4)", ""],
  ["split_part('a-b', '-', 3)", "varchar(3)", null],
  ["trim('\u{2003} a \u{a0}')", "varchar(5)", "a \u{a0}"],
  ["lpad('é', 3, 'xy')", "varchar", "xyé"],
  ["TRY_CAST(concat('1', 'x') AS integer)", "integer", null],
  ["CAST(concat(' 1', '2 ') AS integer)", "integer", 12],
  ["CAST(2.5e0 AS integer)", "integer", 3],
  ["round(2.345e0, 2)", "double", 2.35],
  ["power(1, nan())", "double", "NaN"],
  ["ln(0)", "double", "-Infinity"],
  ["sign(-2.5)", "decimal(1, 0)", "-1"],
  ["date_format(TIMESTAMP '2024-02-03 04:05:06', '%d.%c.%Y %H:%i')", "varchar", "03.2.2024 04:05"],
  ["last_day_of_month(DATE '2024-02-03')", "date", "2024-02-29"],
  ["date_diff('month', DATE '2024-01-31', DATE '2024-02-29')", "bigint", 1],
  ["date_diff('year', DATE '2020-02-29', DATE '2021-02-28')", "bigint", 1],
  ["strpos('éab', 'b')", "bigint", 3],
  ["replace('abcb', 'b')", "varchar(4)", "ac"],
  ["'a\\%' LIKE 'a\\%'", "boolean", true],
  ["'a%' LIKE 'a#%' ESCAPE '#'", "boolean", true],
  ["'ab' LIKE 'a#%' ESCAPE '#'", "boolean", false],
  ["'a' = 'a '", "boolean", false],
  ["NULL IN (1)", "boolean", null],
  ["1 IS DISTINCT FROM NULL", "boolean", true],
  ["date_trunc('month', DATE '2024-02-29')", "date", "2024-02-01"],
  ["date_trunc('week', TIMESTAMP '2024-02-29 10:11:12.5')", "timestamp(1)", "2024-02-26 00:00:00.0"],
  ["date_diff('hour', TIMESTAMP '2024-01-01 00:59:00', TIMESTAMP '2024-01-01 01:01:00')", "bigint", 0],
  ["date_diff('day', DATE '2024-03-01', DATE '2024-02-28')", "bigint", -2],
  ["date_add('month', 1, DATE '2024-01-31')", "date", "2024-02-29"],
  ["DATE '2024-01-31' + INTERVAL '1' MONTH", "date", "2024-02-29"],
  ["TIMESTAMP '2024-03-01 00:00:00' - INTERVAL '1' DAY", "timestamp(3)", "2024-02-29 00:00:00.000"],
  ["day_of_week(DATE '2024-03-03')", "bigint", 7],
  ["week(DATE '2021-01-01')", "bigint", 53],
  ["EXTRACT(SECOND FROM TIMESTAMP '2024-01-01 00:00:59.9')", "bigint", 59],
  ["round(2.567, 2)", "decimal(5, 3)", "2.570"],
  ["round(-2.5e0)", "double", -3],
  ["floor(-2.5)", "decimal(2, 0)", "-3"],
  ["abs(-5)", "integer", 5],
  ["sqrt(-1)", "double", "NaN"],
  ["current_date", "date", "2026-11-29"],
  ["now()", "timestamp(3) with time zone", "2026-11-29 23:30:00.500 UTC"],
];

describe("a value", () => {
  it.each(VALUES)("%s is %s", async (sql, type, value) => {
    expect(translated(`SELECT ${sql}`).columns.map((column) => nameOf(column.type))).toEqual([type]);
    expect(await rowsOf(`SELECT ${sql}`)).toEqual([[value]]);
  });

  it("is of the session's day", async () => {
    const rows = await rowsOf("SELECT current_date, localtimestamp, current_timezone()", "Asia/Tokyo");
    expect(rows).toEqual([["2026-11-30", "2026-11-30 08:30:00.500", "Asia/Tokyo"]]);
  });
});

const QUERIES: [string, unknown[][]][] = [
  ["SELECT i FROM t WHERE f > 0.5 ORDER BY 1", [[4], [5]]],
  ["SELECT i FROM t WHERE f = f AND NOT f <> f ORDER BY i DESC LIMIT 2", [[5], [4]]],
  ["SELECT i FROM t WHERE f <> 1e0 ORDER BY f DESC LIMIT 1", [[3]]],
  ["SELECT max(f), min(f), max(i) FROM t", [[1.25, 0, 5]]],
  ["SELECT avg(d), avg(i), sum(d) / count(*), sum(b) FROM t", [["0.63", 2.5, "0.63", 1_500_000_000_000]]],
  ["SELECT count(s), count(*), count(DISTINCT i % 2), count(*) FILTER (WHERE i > 3) FROM t", [[5, 6, 2, 2]]],
  [
    "SELECT i % 2 AS k, count(*) FROM t GROUP BY 1 HAVING count(*) > 2 ORDER BY k DESC",
    [
      [1, 3],
      [0, 3],
    ],
  ],
  ["SELECT s FROM t ORDER BY s DESC LIMIT 1", [["n4"]]],
  ["SELECT s FROM t ORDER BY s DESC NULLS FIRST LIMIT 1", [[null]]],
  [
    "SELECT a.i, b.s FROM t a JOIN t AS b ON a.i + 1 = b.i ORDER BY 1 LIMIT 2",
    [
      [0, "n1"],
      [1, "n2"],
    ],
  ],
  [
    "SELECT i, x FROM t LEFT JOIN (VALUES (1, 'a')) AS v(i, x) USING (i) ORDER BY i LIMIT 2",
    [
      [0, null],
      [1, "a"],
    ],
  ],
  [
    "WITH v(n) AS (SELECT i FROM t WHERE d >= 1) SELECT n FROM v UNION SELECT 9.5 ORDER BY n",
    [["4.0"], ["5.0"], ["9.5"]],
  ],
  [
    "SELECT i FROM t WHERE i IN (SELECT i + 4 FROM t) AND EXISTS (SELECT 1 FROM t u WHERE u.i = t.i) ORDER BY 1",
    [[4], [5]],
  ],
  ["SELECT (SELECT max(i) FROM t), row_number() OVER (ORDER BY i DESC) FROM t ORDER BY 2 LIMIT 1", [[5, 1]]],
  ["SELECT sum(i) OVER (PARTITION BY i % 2 ORDER BY i) FROM t ORDER BY 1 DESC LIMIT 1", [[9]]],
  ["SELECT a, r FROM t WHERE i = 2", [[[2, null], ["2.0"]]]],
  ["SELECT ts, tz, day(tz) FROM t WHERE i = 1", [["2024-01-05 11:06:40.123456", "2024-01-06 00:00:00.000000 UTC", 6]]],
  ["SELECT i / (i + 1) FROM t ORDER BY 1 LIMIT 1", [[0]]],
  ["SELECT i FROM t ORDER BY f NULLS FIRST LIMIT 2", [[3], [0]]],
  ["SELECT i FROM t ORDER BY f DESC NULLS FIRST, i LIMIT 1", [[5]]],
  ["SELECT sum(i) OVER (ORDER BY i ROWS 1 PRECEDING) FROM t ORDER BY 1 DESC LIMIT 1", [[9]]],
  ["SELECT lag(i, 2, -1) OVER (ORDER BY i) FROM t ORDER BY i LIMIT 3", [[-1], [-1], [0]]],
  [
    "SELECT i % 2 AS k, count(*) FROM t GROUP BY ROLLUP (i % 2) ORDER BY 1",
    [
      [0, 3],
      [1, 3],
      [null, 6],
    ],
  ],
  ["SELECT max_by(s, d), array_agg(i ORDER BY i DESC) FROM t WHERE i < 3", [["n2", [2, 1, 0]]]],
  ["SELECT max(b * d) FROM t", [["625000000000.00"]]],
  ["SELECT stddev(i), stddev_pop(f) FROM t WHERE i IN (3, 5)", [[Math.SQRT2, "NaN"]]],
  ["SELECT DISTINCT i % 2 AS m FROM t ORDER BY m OFFSET 1", [[1]]],
  [
    "SELECT \"i\" FROM s.t WHERE dt BETWEEN DATE '2024-02-02' AND TIMESTAMP '2024-02-03 00:00:00' ORDER BY t.i",
    [[2], [3]],
  ],
];

describe("a query", () => {
  it.each(QUERIES)("%s", async (sql, rows) => expect(await rowsOf(sql)).toEqual(rows));

  it.each(["SELECT i / 0 FROM t", "SELECT i / i FROM t", "SELECT 1.0 / 0", "SELECT 2147483647 + 1"])(
    "fails as Trino does: %s",
    async (sql) => await expect(rowsOf(sql)).rejects.toThrow(/Division by zero|Overflow/),
  );

  it("names its columns as Trino does", () => {
    const { columns } = translated('SELECT I, 1 AS "One", 1 + 1, t.D AS Dd FROM T');
    expect(columns.map(({ name }) => name)).toEqual(["I", "One", "_col2", "Dd"]);
  });
});

const REFUSALS: [string, UserError, number][] = [
  ["SELECT soundex('a')", "FUNCTION_NOT_FOUND", 7],
  ["SELECT x FROM t", "COLUMN_NOT_FOUND", 7],
  ["SELECT i FROM t, t u", "AMBIGUOUS_NAME", 7],
  ["SELECT i AS k FROM t GROUP BY k", "COLUMN_NOT_FOUND", 30],
  ["SELECT s = 1 FROM t", "TYPE_MISMATCH", 9],
  ["SELECT CAST(f AS varchar) FROM t", "NOT_SUPPORTED", 7],
  ["SELECT a[1.5] FROM t", "TYPE_MISMATCH", 9],
  ["SELECT i FROM t FETCH FIRST 1 ROW WITH TIES", "NOT_SUPPORTED", 16],
  ["SELECT CAST(s AS boolean) FROM t", "NOT_SUPPORTED", 7],
  ["SELECT sum(i) OVER (ORDER BY i RANGE 1 PRECEDING) FROM t", "NOT_SUPPORTED", 37],
  ["SELECT sum(i) FILTER (WHERE i > 1) OVER () FROM t", "NOT_SUPPORTED", 7],
  ["SELECT i FROM t GROUP BY i, ROLLUP (i)", "NOT_SUPPORTED", 28],
  ["SELECT DISTINCT f FROM t ORDER BY f NULLS FIRST", "NOT_SUPPORTED", 34],
  ["SELECT i FROM t WHERE f IN (f, 1e0)", "NOT_SUPPORTED", 24],
  ["SELECT concat('a', NULL)", "NOT_SUPPORTED", 7],
  ["SELECT 'a' || NULL", "NOT_SUPPORTED", 11],
  ["SELECT lag(i) OVER () FROM t", "NOT_SUPPORTED", 7],
  ["SELECT i FROM t ORDER BY a", "NOT_SUPPORTED", 25],
  ["SELECT 1 1", "SYNTAX_ERROR", 9],
  ["SELECT 'a", "SYNTAX_ERROR", 7],
  ["SELECT DATE '2023-02-29'", "INVALID_LITERAL", 7],
  ["SELECT CAST(' 12 ' AS decimal(10, 0))", "INVALID_LITERAL", 7],
  ["SELECT 1; SELECT 2", "SYNTAX_ERROR", 10],
];

describe("a statement that is not proven to mean the same", () => {
  it.each(REFUSALS)("%s is refused as %s at %i", (sql, error, at) => {
    let refusal: unknown;
    try {
      translated(sql);
    } catch (caught) {
      refusal = caught;
    }
    expect(refusal).toBeInstanceOf(Refusal);
    expect([(refusal as Refusal).error, (refusal as Refusal).at]).toEqual([error, at]);
  });

  it("is one that is nested too deep", () => {
    expect(() => translated(`SELECT ${"(".repeat(10_000)}1${")".repeat(10_000)}`)).toThrow(Refusal);
  });
});
