// Rows of a source as a Parquet file: what DuckDB and pyarrow read is what the source's cells said.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import fc from "fast-check";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Failure } from "../../../containers/engine/core/failure.ts";
import type { Column } from "../../../containers/engine/formats/result.ts";
import { column, writeRows, type Cells } from "../../support/node/formats/write-rows.ts";
import { pyarrowOf } from "../../support/node/sandbox/pyarrow.ts";

let connection: DuckDBConnection;
let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fjord-parquet-"));
  file = join(folder, "rows.parquet");
  connection = await (await DuckDBInstance.create(":memory:", { enable_external_file_cache: "false" })).connect();
  await connection.run("SET TimeZone = 'UTC'");
});
afterAll(async () => {
  connection.closeSync();
  await rm(folder, { recursive: true, force: true });
});

/** The file's rows, as texts of DuckDB's. */
async function read(columns: Column[], rows: Cells[]): Promise<unknown[][]> {
  await writeFile(file, writeRows("parquet", columns, rows).bytes);
  return (await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM read_parquet('${file}')`)).getRows();
}

/** A column of each kind, and a cell that is extreme for it, in both spellings. */
const KINDS: Array<[column: Column, type: string, cell: string, read: string]> = [
  [column("b", "boolean"), "BOOLEAN", "true", "true"],
  [column("i", "integer"), "INTEGER", "-2147483648", "-2147483648"],
  [column("iu", "integer", { type: "int unsigned" }), "UINTEGER", "4294967295", "4294967295"],
  [column("l", "bigint"), "BIGINT", "-9223372036854775808", "-9223372036854775808"],
  [column("lu", "bigint", { type: "bigint unsigned" }), "UBIGINT", "18446744073709551615", "18446744073709551615"],
  [column("h", "bigint", { type: "HUGEINT" }), "DECIMAL(38,0)", `-${"9".repeat(38)}`, `-${"9".repeat(38)}`],
  [column("d", "decimal", { precision: 38, scale: 9 }), "DECIMAL(38,9)", "-12.5", "-12.500000000"],
  [column("dn", "decimal"), "VARCHAR", "NaN", "NaN"],
  [column("dw", "decimal", { precision: 65, scale: 2 }), "VARCHAR", "1.20", "1.20"],
  [column("f", "float"), "DOUBLE", "-Infinity", "-inf"],
  [column("dt", "date"), "DATE", "0001-01-01", "0001-01-01"],
  [column("tm", "time"), "TIME", "23:59:59.999999", "23:59:59.999999"],
  [column("ts", "timestamp"), "TIMESTAMP", "1969-12-31T23:59:59.999999", "1969-12-31 23:59:59.999999"],
  [column("tz", "timestamptz"), "TIMESTAMP WITH TIME ZONE", "2026-01-31T10:00:00Z", "2026-01-31 10:00:00+00"],
  [column("bin", "binary"), "BLOB", "/wA=", "\\xFF\\x00"],
  [column("j", "json"), "VARCHAR", '{"a":1.10}', '{"a":1.10}'],
  [column("t", "text"), "VARCHAR", 'Ærø, "quoted"\nline 🦭', 'Ærø, "quoted"\nline 🦭'],
];
const COLUMNS = KINDS.map(([one]) => one);
const CELLS: Cells = KINDS.map(([, , cell]) => cell);
const NULLS: Cells = KINDS.map(() => null);

describe("a source's rows as Parquet", () => {
  it("have the type of each kind, and NULL apart from the empty text", async () => {
    const texts = KINDS.map(([, , , text]) => text);
    expect(await read(COLUMNS, [CELLS, NULLS, CELLS])).toEqual([texts, NULLS, texts]);
    const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet('${file}')`);
    expect(described.getRows().map(([name, type]) => [name, type])).toEqual(
      KINDS.map(([{ name }, type]) => [name, type]),
    );
    expect(await read([column("t", "text")], [[""], [null]])).toEqual([[""], [null]]);
  });

  it("are their texts, whatever these hold and wherever NULL stands", async () => {
    const cells = fc.array(fc.option(fc.string({ unit: "grapheme" }), { freq: 2 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(cells, async (texts) => {
        const rows = texts.map((text): Cells => [text]);
        expect(await read([column("t", "text")], rows)).toEqual(rows);
      }),
      { numRuns: 50 },
    );
  });

  it("are all there over several row groups", async () => {
    const rows = Array.from(
      { length: 300_000 },
      (_, i): Cells => [i % 3 === 0 ? null : String(i), i % 5 === 0 ? null : `t${i}`, String(i % 2 === 0)],
    );
    await writeFile(
      file,
      writeRows("parquet", [column("n", "integer"), column("t", "text"), column("b", "boolean")], rows).bytes,
    );
    const figures = await connection.runAndReadAll(
      "SELECT count(*), count(n), sum(n)::BIGINT, count(t), count_if(t = 't' || (file_row_number)), count_if(b) " +
        `FROM read_parquet('${file}', file_row_number = true)`,
    );
    const numbers = rows.flatMap(([n]) => (n === null ? [] : [Number(n)]));
    expect(figures.getRowsJson()).toEqual([
      ["300000", "200000", String(numbers.reduce((sum, n) => sum + n, 0)), "240000", "240000", "150000"],
    ]);
  });

  it("are a file without rows where there are none", async () => {
    expect(await read(COLUMNS, [])).toEqual([]);
  });

  it("are read by pyarrow alike", async () => {
    await writeFile(file, writeRows("parquet", COLUMNS, [CELLS, NULLS]).bytes);
    const given = tableFromIPC(writeRows("arrow", COLUMNS, [CELLS, NULLS]).bytes);
    const python = tableFromIPC(
      await pyarrowOf(`import pyarrow.parquet as pq\ntable = pq.read_table(${JSON.stringify(file)})`),
    );
    expect(python.schema.fields.map(({ name, type }) => `${name} ${String(type)}`)).toEqual(
      given.schema.fields.map(({ name, type }) => `${name} ${String(type)}`),
    );
    const cellsOf = (table: typeof given) => table.toArray().map((row) => row?.toArray() as unknown);
    expect(cellsOf(python)).toEqual(cellsOf(given));
  });

  it("are refused where a cell is none of its column's type", () => {
    const write = () => writeRows("parquet", [column("c", "date")], [["infinity"]]);
    expect(write).toThrow(Failure);
    expect(write).toThrow(/^Column "c" .*Cast the column to text/);
  });

  it("are refused where they have no column", () => {
    expect(() => writeRows("parquet", [], [[]])).toThrow(/has none/);
  });
});
