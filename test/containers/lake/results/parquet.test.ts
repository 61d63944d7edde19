// Results as Parquet files, read back by DuckDB: the values and types that the statement gave.

import "../../../support/node/seed.ts";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import fc from "fast-check";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textOf } from "../../../../containers/engine/lake/process/canonical-text.ts";
import { isRead } from "../../../../containers/engine/lake/process/results/arrow/read-column.ts";
import { batchesOf } from "../../../support/node/lake/batch-results.ts";
import { tableSql, TYPES } from "../../../support/node/formats/drawn-columns.ts";
import { anyNestedTable } from "../../../support/node/formats/drawn-nested.ts";

let instance: DuckDBInstance;
let connection: DuckDBConnection;
let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fjord-parquet-"));
  file = join(folder, "rows.parquet");
  instance = await DuckDBInstance.create(":memory:", { threads: "2", enable_external_file_cache: "false" });
  connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'; SET streaming_buffer_size = '64KB'");
});
afterAll(async () => {
  connection.closeSync();
  instance.closeSync();
  await rm(folder, { recursive: true, force: true });
});

const rowsOf = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson();

/** The types of a SELECT's columns, by their names. */
async function typesOf(select: string): Promise<Map<string, string>> {
  const rows = await rowsOf(`DESCRIBE ${select}`);
  return new Map(rows.map(([name, type]) => [String(name), String(type)]));
}

const READ = () => `SELECT * FROM read_parquet('${file}')`;

/** Writes a statement's result, and expects every row of it in the file, in its order. Answers the file's types. */
async function roundTrip(sql: string): Promise<Map<string, string>> {
  await writeFile(file, await batchesOf("parquet", connection, sql));
  const written = await typesOf(READ());
  const prepared = await connection.prepare(sql);
  const cells = [...written.keys()].map((name, i) => {
    const type = prepared.columnType(i);
    const ref = `"${name}"`;
    const value = isRead(type) && type.alias !== "JSON" ? ref : textOf(type, ref);
    return `CAST(CAST(${value} AS ${written.get(name)!}) AS VARCHAR) AS ${ref}`;
  });
  prepared.destroySync();
  const given = `SELECT given_row FROM (SELECT ${cells.join(", ")} FROM (${sql})) AS given_row`;
  const read = `SELECT read_row FROM (SELECT COLUMNS(*)::VARCHAR FROM (${READ()})) AS read_row`;
  // Beside a row that is missing stands NULL.
  const both = `FROM (${given}) POSITIONAL JOIN (${read})`;
  expect(await rowsOf(`SELECT * ${both} WHERE given_row IS DISTINCT FROM read_row LIMIT 3`)).toEqual([]);
  return written;
}

describe("a Parquet file", () => {
  it.each(TYPES.map(([type], i) => [type, i] as const))("has the cells of %s", async (_, i) => {
    await roundTrip(tableSql([i], { rows: 40_000, nulls: 3, seed: 1 }));
    await roundTrip(tableSql([i], { rows: 100, nulls: 0, seed: 2 }));
    await roundTrip(tableSql([i], { rows: 100, nulls: 10, seed: 3 }));
  });

  it("has the types of its columns", async () => {
    const types = await roundTrip(
      "SELECT true AS b, 1::TINYINT AS i8, 1::INTEGER AS i32, 1::UINTEGER AS u32, 1::BIGINT AS i64, 1::UBIGINT AS u64, " +
        "1::HUGEINT AS huge, 1.5::DECIMAL(9, 2) AS d, 1.5::FLOAT AS f, 1.5::DOUBLE AS g, DATE '2026-01-31' AS day, " +
        "TIME '10:00:00' AS clock, TIMESTAMP '2026-01-31 10:00:00' AS ts, TIMESTAMPTZ '2026-01-31 10:00:00Z' AS tz, " +
        "'x' AS t, '\\xFF'::BLOB AS bytes, 'a'::ENUM('a') AS word, [1] AS list, {'a': [DATE '2026-01-31']} AS struct, " +
        "MAP {'k': 1.5::DOUBLE} AS map, [1, 2]::FLOAT[2] AS pair, uuid() IS NOT NULL AS u, '1 day'::INTERVAL AS span",
    );
    expect(Object.fromEntries(types)).toEqual({
      b: "BOOLEAN",
      i8: "INTEGER",
      i32: "INTEGER",
      u32: "UINTEGER",
      i64: "BIGINT",
      u64: "UBIGINT",
      huge: "DECIMAL(38,0)",
      d: "DECIMAL(9,2)",
      f: "FLOAT",
      g: "DOUBLE",
      day: "DATE",
      clock: "TIME",
      ts: "TIMESTAMP",
      tz: "TIMESTAMP WITH TIME ZONE",
      t: "VARCHAR",
      bytes: "BLOB",
      word: "VARCHAR",
      list: "INTEGER[]",
      struct: "STRUCT(a DATE[])",
      map: "MAP(VARCHAR, DOUBLE)",
      pair: "FLOAT[]",
      u: "BOOLEAN",
      span: "VARCHAR",
    });
  });

  it("has the cells of any table", async () => {
    const table = fc.record({
      picked: fc.array(fc.nat(TYPES.length - 1), { minLength: 1, maxLength: 12 }),
      rows: fc.oneof(fc.nat(40), fc.nat(18_000)),
      nulls: fc.nat(9),
      seed: fc.nat(1_000_000),
    });
    await fc.assert(
      fc.asyncProperty(table, async ({ picked, ...drawn }) => void (await roundTrip(tableSql(picked, drawn)))),
      { numRuns: 16 },
    );
  });

  it("has lists, structs and maps, to any depth", async () => {
    await fc.assert(
      fc.asyncProperty(anyNestedTable, async (sql) => void (await roundTrip(sql))),
      { numRuns: 25 },
    );
  });

  it("tells NULL from nothing, at each level", async () => {
    await roundTrip(
      "SELECT * FROM (VALUES ([1, NULL], {'a': [1]}, MAP {1: [NULL::INTEGER]}, [[], NULL, [NULL], [1, 2]]), " +
        "(NULL, NULL, NULL, NULL), ([NULL, NULL], {'a': NULL}, MAP {}, []), ([], {'a': [NULL]}, MAP {3: NULL}, [NULL]), " +
        "([NULL, 3], {'a': []}, MAP {3: []}, [[]])) AS t(list, struct, map, lists)",
    );
  });

  it("has several row groups, and is whole however its rows fall into them", async () => {
    for (const rows of [0, 1, 122_879, 122_880, 122_881, 400_000])
      await roundTrip(`SELECT range AS n, CASE WHEN range % 7 > 0 THEN 'text ' || range END AS t FROM range(${rows})`);
    const groups = await rowsOf(`SELECT DISTINCT row_group_num_rows FROM parquet_metadata('${file}')`);
    expect(groups.length).toBeGreaterThan(1);
  });

  it("ends a row group of wide rows early", async () => {
    await roundTrip("SELECT range AS n, repeat(md5(range::VARCHAR), 4000) AS t FROM range(1000)");
    const [[groups]] = (await rowsOf(`SELECT num_row_groups FROM parquet_file_metadata('${file}')`)) as [[number]];
    expect(Number(groups)).toBeGreaterThan(3);
  });

  it("is none where it breaks off, wherever that is", async () => {
    const whole = await batchesOf(
      "parquet",
      connection,
      "SELECT range AS n, md5(range::VARCHAR) AS t FROM range(2000)",
    );
    for (const part of [0.1, 0.5, 0.9, 0.999]) {
      await writeFile(file, whole.subarray(0, Math.floor(whole.length * part)));
      await expect(rowsOf(READ())).rejects.toThrow();
    }
  });

  it("is refused by the column's name where its type can't hold a value", async () => {
    await expect(batchesOf("parquet", connection, "SELECT DATE 'infinity' AS v")).rejects.toThrow(
      /^Column "v" has a value/,
    );
  });
});
