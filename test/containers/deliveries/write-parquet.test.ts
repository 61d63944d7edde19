// Parquet files of deliveries, read by DuckDB: the values and types that the result had.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeParquet } from "../../../src/features/deliveries/render/files/parquet.ts";
import { readResult } from "../../../src/features/deliveries/render/result/read-result.ts";
import { arrowOf } from "../../support/node/lake/batch-results.ts";

let instance: DuckDBInstance;
let connection: DuckDBConnection;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parquet-"));
  instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
});
afterAll(async () => {
  connection.closeSync();
  instance.closeSync();
  await rm(folder, { recursive: true, force: true });
});

/** The file's columns as SQL, and how many rows of the statement it lacks or has besides. */
async function roundTrip(sql: string): Promise<{ types: Record<string, string>; differing: number }> {
  const file = join(folder, "rows.parquet");
  await writeFile(file, writeParquet(readResult(await arrowOf(connection, sql))));
  const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM '${file}'`);
  const types = Object.fromEntries(described.getRows().map(([name, type]) => [String(name), String(type)]));
  const text = "COLUMNS(*)::VARCHAR";
  const both = (one: string, other: string) => `SELECT ${text} FROM (${one}) EXCEPT ALL SELECT ${text} FROM (${other})`;
  const read = `SELECT * FROM '${file}'`;
  const differing = await connection.runAndReadAll(
    `SELECT count(*)::INTEGER FROM ((${both(sql, read)}) UNION ALL (${both(read, sql)}))`,
  );
  return { types, differing: Number(differing.getRows()[0]![0]) };
}

const row = (values: Record<string, string>): string =>
  `SELECT ${Object.entries(values)
    .map(([name, value]) => `${value} AS ${name}`)
    .join(", ")}`;

it("keeps values and types, NULL among them, over many row groups", async () => {
  const sql =
    "SELECT (range % 2 = 0) AS b, CASE WHEN range % 3 > 0 THEN range::INTEGER END AS i, range AS n, range / 7 AS f, " +
    "(range / 100.0)::DECIMAL(18, 2) AS d, DATE '1969-01-01' + range::INTEGER AS day, " +
    "TIME '00:00:00' + to_microseconds(range * 1001) AS at, TIMESTAMP '1969-12-31' + to_microseconds(range * 1000003) AS ts, " +
    "to_timestamp(range * 3601.5) AS tz, 'é' || range AS t FROM range(25000)";
  expect(await roundTrip(sql)).toEqual({
    types: {
      b: "BOOLEAN",
      i: "INTEGER",
      n: "BIGINT",
      f: "DOUBLE",
      d: "DECIMAL(38,2)",
      day: "DATE",
      at: "TIME",
      ts: "TIMESTAMP",
      tz: "TIMESTAMP WITH TIME ZONE",
      t: "VARCHAR",
    },
    differing: 0,
  });
});

it("keeps the bounds of types exactly", async () => {
  const sql = `${row({
    i: "(-2147483648)::INTEGER",
    u: "4294967295::UINTEGER",
    n: "(-9223372036854775808)::BIGINT",
    un: "18446744073709551615::UBIGINT",
    huge: `${"9".repeat(38)}::HUGEINT`,
    d: `(-${"9".repeat(28)}.9999999999)::DECIMAL(38, 10)`,
    day: "DATE '9999-12-31'",
    ts: "TIMESTAMP '0001-01-01 00:00:00.000001'",
    blob: "'\\x00\\xFF'::BLOB",
    j: `'{"a":[1.10]}'::JSON`,
    l: "[1, NULL]",
  })} UNION ALL ${row({ i: "NULL", u: "NULL", n: "NULL", un: "NULL", huge: "NULL", d: "NULL", day: "NULL", ts: "NULL", blob: "NULL", j: "NULL", l: "NULL" })}`;
  const { types, differing } = await roundTrip(`SELECT * REPLACE (l::JSON AS l) FROM (${sql})`);
  expect(types).toEqual({
    i: "INTEGER",
    u: "BIGINT",
    n: "BIGINT",
    un: "UBIGINT",
    huge: "DECIMAL(38,0)",
    d: "DECIMAL(38,10)",
    day: "DATE",
    ts: "TIMESTAMP",
    blob: "BLOB",
    j: "VARCHAR",
    l: "VARCHAR",
  });
  expect(differing).toBe(0);
});

it("writes as text what no type of Parquet holds", async () => {
  const sql = row({
    wide: `'${"9".repeat(60)}'::BIGNUM`,
    zoned: "'10:00:00+01:30'::TIMETZ",
    span: "INTERVAL '1 month 2 days'",
    far: "DATE '300000-01-01'",
  });
  const { types } = await roundTrip(`SELECT * FROM (${sql})`);
  expect(types).toEqual({ wide: "VARCHAR", zoned: "VARCHAR", span: "VARCHAR", far: "VARCHAR" });
});

it("has its columns where there are no rows", async () => {
  expect(await roundTrip("SELECT 1 AS a, 'x' AS b WHERE false")).toEqual({
    types: { a: "INTEGER", b: "VARCHAR" },
    differing: 0,
  });
});
