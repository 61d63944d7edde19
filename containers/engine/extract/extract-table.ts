// A table of a source as Parquet files with statistics (`extractParts`), or as a table of the staging DuckDB
// (`extractInto`).
//
// The caller opens a snapshot (`openSnapshot`) and a StagingDatabase, and describes the table first. Rows travel in the
// source's own bulk format straight into DuckDB's vector memory; while one part is written and taken away, the next one
// fills. Memory stays within the staging's bounds and a few buffers, whatever the table's size. Rows are counted where
// they are read and where they are written, and the counts compared.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { LakeColumn } from "../../../kernel/lake/lake.ts";
import type { ColumnStatistics } from "../../../kernel/lake/commit.ts";
import { sameName } from "../duckdb/names.ts";
import { quoteIdentifier } from "../duckdb/quoting.ts";
import { duckdbType } from "../parquet/lake-types.ts";
import { writeParquet, type WrittenFile } from "../parquet/writer.ts";
import { ODD_FLOAT } from "./chunk-builder.ts";
import { withJsonCheck } from "./json-check.ts";
import type { StagedPart } from "./part-writer.ts";
import { columnsToRead, readParts, type SourceRead } from "./read-parts.ts";
import type { ReadReport } from "./readable-snapshot.ts";
import type { SourceColumn } from "./source-table.ts";

/** A Parquet file on local disk: all of a NewDataFile but its path in the bucket. */
export type Part = WrittenFile & { file: string };

const PART_ROWS_MAX_DEFAULT = 1_000_000;
const ROW_GROUP_BYTES = 32 * 1024 * 1024;
/** The most that one INSERT takes. */
const INSERT_BOUNDS = { rowsMax: 250_000, memoryBytesMax: 64 * 1024 * 1024 };

export type Extraction = SourceRead & {
  /**
   * The lake's columns, by the lake's names, with the ids and types of the table that is there; absent, those of a new
   * table. Values are cast to a type that is wider than the source's; one that does not fit a narrower type ends the
   * extraction.
   */
  columns?: readonly LakeColumn[];
  partRowsMax?: number;
  /** Bounds what a part's rows take in memory before they are written, where the staging database would allow more. */
  partMemoryBytesMax?: number;
  /**
   * Gets every part, in order. The file is removed when it settles; until then at most one more part fills up behind
   * it.
   */
  onPart(part: Part): Promise<void>;
};

/**
 * Reads a table into Parquet parts. Rejects with a Failure written for people, with a TypeMismatch where a value asks
 * for another `readAs`, or with the signal's reason. By then the statement is cancelled at the source and no file of it
 * is left.
 */
export async function extractParts(extraction: Extraction): Promise<ReadReport> {
  const { partRowsMax = PART_ROWS_MAX_DEFAULT, partMemoryBytesMax = Infinity, onPart, staging } = extraction;
  const columns = columnsToRead(extraction).map(({ lake }) => toLakeColumn(lake, extraction.columns));
  const bounds = { rowsMax: partRowsMax, memoryBytesMax: partMemoryBytesMax };
  return readParts(extraction, bounds, async (staged) => {
    const file = join(staging.directory, `${staging.nextName("part")}.parquet`);
    try {
      const written = await writePart(extraction, staged, columns, file);
      if (written) await onPart({ ...written, file });
      return written?.rows ?? 0;
    } finally {
      await rm(file, { force: true });
    }
  });
}

/**
 * Reads rows into a new table of the staging DuckDB, under the lake's column names; on failure there is no such table.
 */
export async function extractInto(target: string, read: SourceRead): Promise<ReadReport> {
  const { staging, signal } = read;
  const columns = columnsToRead(read);
  const connection = await staging.connect();
  const table = quoteIdentifier(target);
  try {
    await createTable(connection, target, columns);
    return await readParts(read, INSERT_BOUNDS, ({ connection: inserting, from }) =>
      staging.writing.run(async () => {
        const { rowsChanged } = await inserting.run(`INSERT INTO ${table} ${withJsonCheck(columns, from)}`);
        return rowsChanged;
      }, signal),
    );
  } catch (error) {
    await connection.run(`DROP TABLE IF EXISTS ${table}`).catch(() => undefined);
    throw error;
  } finally {
    connection.closeSync();
  }
}

/** Makes the table that rows of these columns are read into. */
export async function createTable(
  connection: DuckDBConnection,
  target: string,
  columns: readonly SourceColumn[],
): Promise<void> {
  const declarations = columns.map(({ lake }) => `${quoteIdentifier(lake.name)} ${duckdbType(lake)}`);
  await connection.run(`CREATE TABLE ${quoteIdentifier(target)} (${declarations.join(", ")})`);
}

/** Undefined where the part has no rows. */
async function writePart(
  extraction: Extraction,
  { connection, from, oddFloats, isLarge }: StagedPart,
  columns: readonly LakeColumn[],
  file: string,
): Promise<WrittenFile | undefined> {
  const { staging, signal } = extraction;
  const select = withJsonCheck(columnsToRead(extraction), from);
  const hasNegativeZero = oddFloats.some((odd) => (odd & ODD_FLOAT.negativeZero) > 0);
  const write = () =>
    writeParquet(connection, { select, columns }, file, { rowGroupBytes: ROW_GROUP_BYTES, hasNegativeZero });
  const written = await (isLarge ? staging.writing.runAlone(write, signal) : staging.writing.run(write, signal));
  return written && { ...written, statistics: withNanBounds(written.statistics, columns, oddFloats) };
}

/** DuckDB reports NaN of the last row group only; the reader has seen every value. */
function withNanBounds(
  statistics: ColumnStatistics[],
  columns: readonly LakeColumn[],
  oddFloats: readonly number[],
): ColumnStatistics[] {
  const plain = new Set(
    columns.filter(({ type }, i) => type.startsWith("float") && !(oddFloats[i]! & ODD_FLOAT.nan)).map(({ id }) => id),
  );
  return statistics.map((one) => (plain.has(one.columnId) ? { ...one, containsNan: false } : one));
}

/** The column of the lake's table that rows of `column` go to. Without a table that is there, `column` itself. */
function toLakeColumn(column: LakeColumn, columns: readonly LakeColumn[] | undefined): LakeColumn {
  if (!columns) return column;
  const found = columns.find(({ name }) => sameName(name, column.name));
  if (!found) throw new Error(`the lake's table has no column for ${column.name}`);
  // Keeps the source's spelling of the name: to DuckDB case is nothing, and the lake knows its columns by their ids.
  return { ...found, name: column.name };
}
