// Arrays, regular expressions, zones and texts of moments in Trino's dialect, on DuckDB: the values are Trino 476's.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseSql } from "../../../src/features/trino-sql/parse/parse-statement.ts";
import { Refusal } from "../../../src/features/trino-sql/refusal.ts";
import { nameOf } from "../../../src/features/trino-sql/trino-types.ts";
import { rowsOn, translated } from "../../support/node/trino/on-duckdb.ts";

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:", { threads: "2" })).connect();
  await connection.run("SET TimeZone = 'UTC'");
});
afterAll(() => connection.closeSync());

const rowsOf = (sql: string, timeZone = "UTC"): Promise<unknown[][]> =>
  rowsOn(connection, translated(sql, { timeZone }));

/** What tools for dashboards send by themselves. */
const OF_TOOLS: [string, string, unknown][] = [
  [
    "date_trunc('minute', TIMESTAMP '2024-07-01 10:13:59') - interval '1' minute * (minute(TIMESTAMP '2024-07-01 10:13:59') % 5)",
    "timestamp(3)",
    "2024-07-01 10:10:00.000",
  ],
  ["DATE '2024-02-28' + 2 * INTERVAL '1' DAY", "date", "2024-03-01"],
  ["from_unixtime(1700000000.0005e0)", "timestamp(3) with time zone", "2023-11-14 22:13:20.001 UTC"],
  ["from_unixtime(-0.0005e0)", "timestamp(3) with time zone", "1970-01-01 00:00:00.000 UTC"],
  ["from_unixtime(nan())", "timestamp(3) with time zone", "1970-01-01 00:00:00.000 UTC"],
  ["from_unixtime(86400, '+02:00')", "timestamp(3) with time zone", "1970-01-02 02:00:00.000 +02:00"],
  ["TIMESTAMP '2024-07-01 10:00 Z'", "timestamp(0) with time zone", "2024-07-01 10:00:00 UTC"],
  ["TIMESTAMP '2024-07-01 10:00:00.5+05:30'", "timestamp(1) with time zone", "2024-07-01 10:00:00.5 +05:30"],
  ["TIMESTAMP '2024-07-01 10:00 Europe/Berlin'", "timestamp(0) with time zone", "2024-07-01 10:00:00 Europe/Berlin"],
  ["TIMESTAMP '2024-07-01 10:00:00' < TIMESTAMP '2024-07-01 10:00 -01:00'", "boolean", true],
  ["DATE '2024-07-01' IN (TIMESTAMP '2024-07-01 00:00 UTC')", "boolean", true],
  ["date_diff('hour', DATE '2024-07-01', TIMESTAMP '2024-07-02 01:30:00')", "bigint", 25],
  [
    "with_timezone(TIMESTAMP '2024-07-01 10:00:00', 'Asia/Tokyo')",
    "timestamp(0) with time zone",
    "2024-07-01 10:00:00 Asia/Tokyo",
  ],
  ["to_unixtime(TIMESTAMP '1969-12-31 23:59:59.5 UTC')", "double", -0.5],
  ["CAST(TIMESTAMP '2024-07-01 23:59:59.9996' AS time)", "time(3)", "00:00:00.000"],
  ["CAST('2024-07-01 10:00:00.9996' AS timestamp)", "timestamp(3)", "2024-07-01 10:00:01.000"],
  ["CAST(DECIMAL '12345678901234567890.5' AS double)", "double", 12345678901234567000],
  ["CAST(1.4E-45 AS real)", "real", 1.4e-45],
  ["CAST(1E39 AS real)", "real", "Infinity"],
  ["-9223372036854775808", "bigint", -9223372036854776000],
  ["-2147483648", "integer", -2147483648],
  ["from_utf8(from_hex('C3A9'))", "varchar", "é"],
  ["sequence(5, 1, -2)", "array(bigint)", [5, 3, 1]],
  ["sequence(DATE '2024-02-28', DATE '2024-03-01')", "array(date)", ["2024-02-28", "2024-02-29", "2024-03-01"]],
];

const VALUES: [string, string, unknown][] = [
  ...OF_TOOLS,
  ["ARRAY[1, 2.5, NULL]", "array(decimal(11, 1))", ["1.0", "2.5", null]],
  ["regexp_like('a\n', 'a$')", "boolean", true],
  ["regexp_like('a\nb', 'a$')", "boolean", false],
  ["regexp_like('b\na', '^a')", "boolean", false],
  ["regexp_like('\n', '^.$')", "boolean", false],
  ["regexp_like('\u000b', '\\s')", "boolean", true],
  ["regexp_like('\u00a0', '\\s')", "boolean", false],
  ["regexp_like('٣', '\\d')", "boolean", false],
  ["regexp_like('é', '\\w')", "boolean", false],
  ["regexp_extract('abc', 'x')", "varchar(3)", null],
  ["regexp_extract('2024-02-29', '(\\d{4})-(\\d+)', 2)", "varchar(10)", "02"],
  ["regexp_extract_all('a1b22', '[0-9]+')", "array(varchar(5))", ["1", "22"]],
  ["regexp_split('a,b,,c,', ',')", "array(varchar(7))", ["a", "b", "", "c", ""]],
  ["regexp_count('aXbX', 'X')", "bigint", 2],
  ["regexp_replace('a1b2', '[0-9]', '<$0>')", "varchar(44)", "a<1>b<2>"],
  ["regexp_replace('a1b2', '[0-9]')", "varchar(4)", "ab"],
  ["regexp_replace('ab', '(a)(b)', '$2$1')", "varchar(14)", "ba"],
  ["regexp_replace('ab', '(a)(b)', '$1$1$2')", "varchar(20)", "aab"],
  ["current_timezone()", "varchar", "UTC"],
  [
    "from_iso8601_timestamp('2024-01-02T03:04:05.678912')",
    "timestamp(3) with time zone",
    "2024-01-02 03:04:05.678 UTC",
  ],
  [
    "from_iso8601_timestamp(concat('2024-01-02T03:04', ':05Z'))",
    "timestamp(3) with time zone",
    "2024-01-02 03:04:05.000 UTC",
  ],
  ["date_parse('05/01/2024 23:59:58', '%d/%m/%Y %T')", "timestamp(3)", "2024-01-05 23:59:58.000"],
  ["date_parse('20240105', '%Y%m%d')", "timestamp(3)", "2024-01-05 00:00:00.000"],
  [
    "TIMESTAMP '2024-07-01 12:00:00 UTC' AT TIME ZONE 'Europe/Berlin'",
    "timestamp(0) with time zone",
    "2024-07-01 14:00:00 Europe/Berlin",
  ],
  ["TIMESTAMP '2024-07-01 12:00:00.5' AT TIME ZONE 'UTC'", "timestamp(1) with time zone", "2024-07-01 12:00:00.5 UTC"],
  ["CAST(TIMESTAMP '2024-07-01 23:00:00 UTC' AT TIME ZONE 'Europe/Berlin' AS date)", "date", "2024-07-02"],
  [
    "CAST(TIMESTAMP '2024-07-01 23:00:00 UTC' AT TIME ZONE 'Europe/Berlin' AS timestamp)",
    "timestamp(3)",
    "2024-07-02 01:00:00.000",
  ],
  ["hour(TIMESTAMP '2024-07-01 23:00:00 UTC' AT TIME ZONE 'Asia/Kolkata')", "bigint", 4],
  [
    "TIMESTAMP '2024-07-01 12:00:00 UTC' AT TIME ZONE '-05:30'",
    "timestamp(0) with time zone",
    "2024-07-01 06:30:00 -05:30",
  ],
  [
    "date_trunc('day', TIMESTAMP '2024-07-01 22:30:00 UTC' AT TIME ZONE 'Europe/Berlin')",
    "timestamp(0) with time zone",
    "2024-07-02 00:00:00 Europe/Berlin",
  ],
  [
    "date_add('day', 1, TIMESTAMP '2024-03-30 12:00:00 UTC' AT TIME ZONE 'Europe/Berlin')",
    "timestamp(0) with time zone",
    "2024-03-31 13:00:00 Europe/Berlin",
  ],
  [
    "TIMESTAMP '2024-03-30 12:00:00 UTC' AT TIME ZONE 'Europe/Berlin' + INTERVAL '24' HOUR",
    "timestamp(3) with time zone",
    "2024-03-31 14:00:00.000 Europe/Berlin",
  ],
  [
    "date_diff('day', TIMESTAMP '2024-07-01 21:00:00 UTC' AT TIME ZONE 'Europe/Berlin', TIMESTAMP '2024-07-02 21:30:00 UTC')",
    "bigint",
    1,
  ],
  [
    "TIMESTAMP '2024-07-01 12:00:00 UTC' AT TIME ZONE 'Asia/Tokyo' = TIMESTAMP '2024-07-01 12:00:00 UTC'",
    "boolean",
    true,
  ],
];

describe("a value", () => {
  it.each(VALUES)("%s is %s", async (sql, type, value) => {
    expect(translated(`SELECT ${sql}`).columns.map((column) => nameOf(column.type))).toEqual([type]);
    expect(await rowsOf(`SELECT ${sql}`)).toEqual([[value]]);
  });

  it.each(["date_parse('2024-1-5', '%Y-%m-%d')", "from_iso8601_timestamp(concat('2024-01-02T', '03:04+02:00'))"])(
    "fails where it is in another form: %s",
    async (sql) => await expect(rowsOf(`SELECT ${sql}`)).rejects.toThrow("is not read here"),
  );

  it.each([
    ["from_iso8601_timestamp('2024-01-02')", "2024-01-02 00:00:00.000 Asia/Tokyo"],
    ["TIMESTAMP '2024-01-02 00:00:00' AT TIME ZONE 'UTC'", "2024-01-01 15:00:00 UTC"],
    ["from_unixtime(1700000000)", "2023-11-15 07:13:20.000 Asia/Tokyo"],
    ["TIMESTAMP '2024-01-02 09:00:00' = TIMESTAMP '2024-01-02 00:00:00 UTC'", true],
    ["DATE '2024-01-02' < TIMESTAMP '2024-01-01 15:00:01 UTC'", true],
  ])("%s is of the session's zone: %s", async (sql, value) => {
    expect(await rowsOf(`SELECT ${sql}`, "Asia/Tokyo")).toEqual([[value]]);
  });

  it.each([
    ["CAST(TIMESTAMP '1969-12-31 23:59:59.9' AS time)", "before 1970"],
    ["from_unixtime(1e300)", "are no moment"],
    ["sequence(1, 10001)", "at most 10000 entries"],
    ["with_timezone(TIMESTAMP '2024-03-31 02:30:00', 'Europe/Berlin')", "show this time never"],
  ])(
    "fails where Trino's is another, or fails: %s",
    async (sql, message) => await expect(rowsOf(`SELECT ${sql}`)).rejects.toThrow(message),
  );

  it("fails before the years whose zones are known", async () => {
    const sql = "SELECT TIMESTAMP '1969-07-01 12:00:00 UTC' AT TIME ZONE 'Europe/Berlin'";
    await expect(rowsOf(sql)).rejects.toThrow("from 1970 to 2037");
  });
});

const ROWS = "(VALUES (1, ARRAY[10, 20], ARRAY['p']), (2, NULL, ARRAY['q', 'r']), (3, NULL, NULL)) t(id, a, b)";
const QUERIES: [string, unknown[][]][] = [
  ["SELECT * FROM UNNEST(ARRAY[3, 1]) AS t(x) ORDER BY x", [[1], [3]]],
  [
    "SELECT id, x FROM T CROSS JOIN UNNEST(a) AS u(x) ORDER BY 1, 2",
    [
      [1, 10],
      [1, 20],
    ],
  ],
  [
    "SELECT id, x, y, n FROM T, UNNEST(a, t.b) WITH ORDINALITY AS u(x, y, n) ORDER BY id, n",
    [
      [1, 10, "p", 1],
      [1, 20, null, 2],
      [2, null, "q", 1],
      [2, null, "r", 2],
    ],
  ],
  [
    "SELECT id, x, n FROM T LEFT JOIN UNNEST(a) WITH ORDINALITY AS u(x, n) ON TRUE ORDER BY id, n",
    [
      [1, 10, 1],
      [1, 20, 2],
      [2, null, null],
      [3, null, null],
    ],
  ],
  [
    "SELECT x, y FROM T CROSS JOIN UNNEST(a) u(x) CROSS JOIN UNNEST(b) v(y) ORDER BY x",
    [
      [10, "p"],
      [20, "p"],
    ],
  ],
  ["SELECT (SELECT sum(x) FROM UNNEST(a) u(x)) FROM T ORDER BY id LIMIT 1", [[30]]],
];

describe("UNNEST", () => {
  it.each(QUERIES)("%s", async (sql, rows) =>
    expect(await rowsOf(sql.replace(/FROM T\b/, `FROM ${ROWS}`))).toEqual(rows),
  );
});

const REFUSALS: [string, number][] = [
  ["SELECT regexp_like('a', concat('a', 'b'))", 24],
  ...[
    "(?i)a",
    "a(?=b)",
    "\\bA",
    "a++",
    "(a*)*",
    "[[:alpha:]]",
    "[a&&b]",
    "\\p{L}",
    "a{1001}",
    "(a)\\1",
    "^a|b$",
    "a$b",
    "(?<n>a)",
    "[a-é]",
  ].map((pattern): [string, number] => [`SELECT regexp_like('a', '${pattern}')`, 24]),
  ["SELECT regexp_extract('a', 'a$')", 27],
  ["SELECT regexp_extract('a', '(b)?a', 1)", 36],
  ["SELECT regexp_extract('a', '(a)|(b)', 1)", 38],
  ["SELECT regexp_split('a', 'x*')", 25],
  ["SELECT regexp_replace('a', 'a', '\\\\')", 32],
  ["SELECT regexp_replace('a', 'a', '$1')", 32],
  ["SELECT regexp_replace('a', '(a)', '${n}')", 34],
  ["SELECT date_parse('1', '%e')", 23],
  ["SELECT DATE '2024-02-28' + 2 * INTERVAL '1' MONTH", 31],
  ["SELECT DATE '2024-02-28' + 2.5 * INTERVAL '1' DAY", 27],
  ["SELECT from_unixtime(1, concat('U', 'TC'))", 24],
  ["SELECT from_utf8(to_utf8('a'))", 17],
  ["SELECT from_utf8(X'FF')", 17],
  ["SELECT date_parse('10:00', '%H:%i')", 27],
  ["SELECT date_parse('2024', '%Y%Y')", 26],
  ["SELECT from_iso8601_timestamp('2024-01-02T03:04:05 Europe/Berlin')", 30],
  ["SELECT TIMESTAMP '2024-07-01 12:00:00 UTC' AT TIME ZONE 'EST'", 56],
  ["SELECT TIMESTAMP '2024-07-01 12:00:00 UTC' AT TIME ZONE 'Africa/Casablanca'", 56],
  ["SELECT TIMESTAMP '2024-07-01 12:00:00 UTC' AT TIME ZONE concat('U', 'TC')", 56],
  ["SELECT * FROM (VALUES 1) t(x) RIGHT JOIN UNNEST(ARRAY[1]) u(y) ON TRUE", 30],
  ["SELECT * FROM (VALUES 1) t(x) JOIN UNNEST(ARRAY[1]) u(y) ON x = y", 30],
];

describe("a statement that is not proven to mean the same", () => {
  it.each(REFUSALS)("%s is refused at %i", (sql, at) => {
    const refusal = (() => {
      try {
        return translated(sql);
      } catch (caught) {
        return caught;
      }
    })();
    expect(refusal).toBeInstanceOf(Refusal);
    expect([(refusal as Refusal).error, (refusal as Refusal).at]).toEqual(["NOT_SUPPORTED", at]);
  });

  it.each(["$12", "$", "$$1", "$x", "$10"])("is one that replaces by %s", (by) => {
    expect(() => translated(`SELECT regexp_replace('ab', '(a)(b)', '${by}')`)).toThrow("in a replacement");
  });

  it("is one that grows beyond what may run, before it has grown", () => {
    const zones = Array.from({ length: 40 }, (_, i) => ` AT TIME ZONE '${i % 2 ? "UTC" : "Europe/Berlin"}'`).join("");
    expect(() => translated(`SELECT TIMESTAMP '2024-01-02 03:04:05' ${zones}`)).toThrow("too long once");
    expect(() => translated(`SELECT regexp_like('a', '${"a{1}".repeat(5_000)}')`)).toThrow("over 1000 characters");
    expect(() => parseSql("PREPARE a FROM ".repeat(2_000) + "SELECT 1")).toThrow("no PREPARE");
    expect(() => parseSql("EXPLAIN PREPARE a FROM ".repeat(20_000) + "SELECT 1")).toThrow("anything but a query");
    expect(
      translated(`SELECT TIMESTAMP '2024-01-02 03:04:05'${" AT TIME ZONE 'Europe/Berlin'".repeat(40)}`).sql.length,
    ).toBeLessThan(2_000);
  });

  it("is one of a type with a fraction of digits", () => {
    expect(() => translated("SELECT CAST(TIMESTAMP '2024-01-02 03:04:05' AS timestamp(1.5))")).toThrow("This type");
  });

  it("is one whose array does not stand before it", () => {
    expect(() => translated("SELECT 1 FROM (VALUES ARRAY[1]) t(a), (SELECT * FROM UNNEST(a)) u")).toThrow(
      "cannot be resolved",
    );
  });
});
