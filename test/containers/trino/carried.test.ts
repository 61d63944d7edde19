// Types that DuckDB has not, as values of Trino's dialect on DuckDB: the texts are Trino 476's.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nameOf, signatureOf } from "../../../src/features/trino-sql/trino-types.ts";
import { rowsOn, translated } from "../../support/node/trino/on-duckdb.ts";

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:", { threads: "2" })).connect();
  await connection.run("SET TimeZone = 'UTC'");
});
afterAll(() => connection.closeSync());

const rowsOf = (sql: string): Promise<unknown[][]> => rowsOn(connection, translated(sql));

const VALUES: [string, string, unknown][] = [
  ["CAST('ccc' AS char)", "char(1)", "c"],
  ["CAST('ccc' AS char(5))", "char(5)", "ccc  "],
  ["CAST(concat('🤦🏼', 'b') AS char(4))", "char(4)", "🤦🏼b "],
  ["CHAR 'trino'", "char(5)", "trino"],
  // Its size is that of UTF-16.
  ["CHAR '🤦'", "char(2)", "🤦 "],
  ["U&'caf\\00e9 \\+01F600'", "varchar(6)", "café 😀"],
  ['JSON \' { "b": 1, "a" : [] } \'', "json", '{"a":[],"b":1}'],
  ['JSON \'{"9": 1, "10": 2}\'', "json", '{"10":2,"9":1}'],
  ["CAST('a \" b' AS json)", "json", '"a \\" b"'],
  ["CAST(concat('a', '\"') AS json)", "json", '"a\\""'],
  ['JSON \'{"🤦": "é"}\'', "json", '{"\\uD83E\\uDD26":"é"}'],
  ["typeof(INTERVAL '1' DAY)", "varchar", "interval day to second"],
  ["CAST(12 AS json)", "json", "12"],
  ["json_format(JSON '[1, 2]')", "varchar", "[1,2]"],
  [`json_extract_scalar('{"a": {"b": "x"}}', '$.a.b')`, "varchar(17)", "x"],
  [`json_extract_scalar(concat('{"a": 1', '}'), '$.a')`, "varchar", "1"],
  [`json_extract_scalar('{"a": [1]}', '$.a')`, "varchar(10)", null],
  [`json_extract_scalar('{"d":"2024-01-05","t":"-08:00","n":1}', '$.n')`, "varchar(37)", "1"],
  [`json_extract_scalar('{"m":"[1,2,]"}', '$.m')`, "varchar(14)", "[1,2,]"],
  [`json_extract_scalar('{"m":"a \\" ,]","n":2}', '$.n')`, "varchar(21)", "2"],
  ["TIME '01:02:03.1234567'", "time(7)", "01:02:03.1234567"],
  ["TIME '01:02:03.456 -08:00'", "time(3) with time zone", "01:02:03.456-08:00"],
  ["TIMESTAMP '2024-02-29 10:11:12.123456789012'", "timestamp(12)", "2024-02-29 10:11:12.123456789012"],
  ["CAST('2024-02-29 10:11:12.5' AS timestamp(9))", "timestamp(9)", "2024-02-29 10:11:12.500000000"],
  [
    "TIMESTAMP '2022-10-30 02:59:59.999999999 Europe/Brussels'",
    "timestamp(9) with time zone",
    "2022-10-30 02:59:59.999999999 Europe/Brussels",
  ],
  ["TIMESTAMP '0001-01-01 01:23:45 Europe/Berlin'", "timestamp(0) with time zone", "0001-01-01 01:23:45 Europe/Berlin"],
  ["TIMESTAMP '2024-01-01 00:00:00 UTC-05:30'", "timestamp(0) with time zone", "2024-01-01 00:00:00 -05:30"],
  // Two moments are shown so by the clocks: it is the earlier one.
  ["to_unixtime(TIMESTAMP '2022-10-30 02:30:00 Europe/Berlin')", "double", 1_667_089_800],
  ["INTERVAL '30' MONTH", "INTERVAL YEAR TO MONTH", "2-6"],
  ["INTERVAL '-178956970-8' YEAR TO MONTH", "INTERVAL YEAR TO MONTH", "-178956970-8"],
  ["INTERVAL '1 11:11:11.116555' DAY TO SECOND", "INTERVAL DAY TO SECOND", "1 11:11:11.116"],
  ["INTERVAL -'2' DAY", "INTERVAL DAY TO SECOND", "-2 00:00:00.000"],
  ["INTERVAL '1' DAY = INTERVAL '24' HOUR", "boolean", true],
  ["CAST(NULL AS interval day to second)", "INTERVAL DAY TO SECOND", null],
  ["IPADDRESS '2001:0DB8:0:0::1'", "ipaddress", "2001:db8::1"],
  ["DATE '-2001-08-22'", "date", "-2001-08-22"],
  ["DATE '1-01-01'", "date", "0001-01-01"],
  ["DATE '10000-02-29'", "date", "+10000-02-29"],
  ["ARRAY[CHAR 'a', NULL]", "array(char(1))", ["a", null]],
  ["max(x) FROM (VALUES TIME '01:00:00.1234567', TIME '01:00:00.1234568') t(x)", "time(7)", "01:00:00.1234568"],
];

describe("a value", () => {
  it.each(VALUES)("%s is %s", async (sql, type, value) => {
    expect(translated(`SELECT ${sql}`).columns.map((column) => nameOf(column.type))).toEqual([type]);
    expect(await rowsOf(`SELECT ${sql}`)).toEqual([[value]]);
  });

  it("has the signature by which clients read it", () => {
    const { columns } = translated("SELECT CHAR 'ab', TIME '01:02:03 +01:00', INTERVAL '1' DAY");
    expect(columns.map(({ type }) => signatureOf(type))).toEqual([
      { rawType: "char", arguments: [{ kind: "LONG", value: 2 }] },
      { rawType: "time with time zone", arguments: [{ kind: "LONG", value: 0 }] },
      { rawType: "interval day to second", arguments: [] },
    ]);
  });
});

describe("what is not proven of a text", () => {
  it.each([
    "JSON '1' = JSON '1'",
    "JSON '1' IN (JSON '1', JSON '2')",
    "ARRAY[JSON '1'] = ARRAY[JSON '1']",
    "count(DISTINCT x) FROM (VALUES JSON '1') t(x)",
    "x FROM (VALUES JSON '1') t(x) GROUP BY x",
    "DISTINCT JSON '1'",
    "TIME '01:00:00 +01:00' = TIME '00:00:00 +00:00'",
    "TIME '01:00:00 +01:00' IS DISTINCT FROM TIME '00:00:00 +00:00'",
    "x FROM (VALUES TIME '01:00:00 +01:00') t(x) ORDER BY x",
    "nullif(TIME '01:00:00 +01:00', TIME '00:00:00 +00:00')",
    "max(x) FROM (VALUES INTERVAL '1' DAY) t(x)",
    "INTERVAL '1' DAY < INTERVAL '2' DAY",
    "INTERVAL '1' DAY + INTERVAL '2' DAY",
    "INTERVAL '1' DAY * 2",
    "-INTERVAL '1' DAY",
    "DATE '2024-01-01' + INTERVAL '1-1' YEAR TO MONTH",
    "TIMESTAMP '2024-01-01 00:00:00.1234567' + INTERVAL '1' DAY",
    "date_trunc('day', TIMESTAMP '2024-01-01 00:00:00.1234567')",
    "TIMESTAMP '2024-01-01 00:00:00.1234567' = TIMESTAMP '2024-01-01 00:00:00.123456'",
    "TIMESTAMP '0001-01-01 00:00:00 Europe/Berlin' = TIMESTAMP '2024-01-01 00:00:00 Europe/Berlin'",
    "CAST(TIMESTAMP '2024-01-01 00:00:00.1234567' AS varchar)",
    "CAST(TIMESTAMP '2024-01-01 00:00:00.1234567' AS timestamp(3))",
    "CHAR 'a' = 'a'",
    "CHAR 'a' || 'b'",
    "CHAR 'a' LIKE 'a'",
    "length(CHAR 'a')",
    "CHAR 'a' = CHAR 'ab'",
    "MAP(ARRAY[CHAR 'a'], ARRAY[1])",
    "json_extract_scalar('[1]', '$[0]')",
    "json_extract_scalar('{}', concat('$', '.a'))",
    "JSON '1.50'",
    "JSON '1e2'",
    "JSON '{'",
    "JSON '\"\\u0001\"'",
    "json_parse(concat('1', '2'))",
    "CAST(JSON '\"a\"' AS varchar)",
    "CAST(1.5 AS json)",
    "TIMESTAMP '2024-01-01 00:00:00.1234567890123'",
    "TIME '25:00:00.1234567'",
    "TIME '01:00:00 +15:00'",
    "INTERVAL '1 2' DAY TO SECOND",
    "INTERVAL '3000000000' MONTH",
    "U&'\\d83d'",
    "U&'\\12'",
    "DATE '2023-02-29'",
    "DATE '-0001-02-29'",
    "IPADDRESS '1.2.3'",
    "TRY_CAST(' 10.0.0.1 ' AS ipaddress)",
    "TRY_CAST(' 10:11:12.5' AS time(9))",
    "TRY_CAST(' true ' AS boolean)",
    "CAST(U&'\\00a02024-02-29 10:11:12.5' AS timestamp(9))",
    "IPADDRESS '::ffff:1.2.3.4'",
    // Nothing is looked for from each of its characters.
    `CAST('${"1".repeat(500_000)}x' AS decimal(38, 0))`,
    `JSON '${'"'.repeat(500_001)}'`,
    `CHAR '${"a".repeat(70_000)}'`,
  ])("SELECT %.80s is refused", (sql) => {
    expect(() => translated(`SELECT ${sql}`)).toThrow(
      expect.objectContaining({ name: "Refusal", at: expect.any(Number) }),
    );
  });

  it.each([
    ["TIMESTAMP '2022-03-27 02:30:00.123456789 Europe/Berlin'", /show this time never/],
    ["TIMESTAMP '1940-01-01 00:00:00.123456789 Europe/Berlin'", /beyond the years/],
    ["CAST(concat('🤦', '') AS json)", /no JSON/],
    [`json_extract_scalar('{"a": 1.50}', '$.a')`, /fraction/],
    [`json_extract_scalar('{"a": -0}', '$.a')`, /fraction/],
    [`json_extract_scalar('{"b": [1,], "a": 1}', '$.a')`, /no JSON/],
    [`json_extract_scalar('{"b": NaN, "a": 1}', '$.a')`, /no JSON/],
    [`json_extract_scalar('{"a": 1} x', '$.a')`, /no JSON/],
  ])("%s fails", async (sql, message) => {
    await expect(rowsOf(`SELECT ${sql}`)).rejects.toThrow(message);
  });
});
