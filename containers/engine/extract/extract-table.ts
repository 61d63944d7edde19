// From a table of a source to the lake's doorstep: Parquet parts with statistics, or a table of the staging DuckDB.
//
// Open a snapshot (`openSnapshot`) and a Staging, describe a table, then extract it. Rows travel in the source's own
// bulk format straight into DuckDB's vector memory; while one part is written and taken away, the next one fills.
// Memory stays within the staging's bounds and a few buffers, whatever the table's size. Counts are compared at every
// station.

import { sameName } from "../duckdb/names.ts";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ColumnStatistics, LakeColumn } from "../contract/lake.ts";
import { duckdbType } from "../parquet/lake-types.ts";
import { quoteIdentifier } from "../duckdb/quoting.ts";
import { writeParquet, type WrittenFile } from "../parquet/writer.ts";
import { makeColumns, ODD_FLOAT } from "./chunk-builder.ts";
import type { SourceColumn, SourceTable } from "./source-table.ts";
import { TypeMismatch } from "./type-mismatch.ts";
import { PartWriter, type PartBounds, type UsePart } from "./part-writer.ts";
import type { ReadReport, ReadRequest, ReadableSnapshot } from "./readable-snapshot.ts";
import type { StagingDatabase } from "./staging-database.ts";

/** A Parquet file on local disk: all of a NewDataFile but where it will lie. */
export type Part = WrittenFile & { file: string };

const PART_ROWS_MAX_DEFAULT = 1_000_000;
const ROW_GROUP_BYTES = 32 * 1024 * 1024;
const INSERT_ROWS_MAX = 250_000;
const INSERT_MEMORY_BYTES_MAX = 64 * 1024 * 1024;

type Order = {
  snapshot: ReadableSnapshot;
  /** As the snapshot described it. */
  table: SourceTable;
  staging: StagingDatabase;
  /** Columns to read, by the source's names; all of them where absent. */
  only?: readonly string[];
  /** A condition in the source's SQL, made by the engine itself (`changedSince`, `readRange`). */
  where?: string;
  signal: AbortSignal;
  /** Rows and bytes read so far; called every few thousand rows. */
  onProgress?(rows: number, bytes: number): void;
};

export type Extraction = Order & {
  /**
   * The lake's columns, by the lake's names, with the ids and types of the table that is there; absent, those of a new
   * table.
   * A type wider than the source's is cast to; a value that does not fit one that is not ends the extraction.
   */
  columns?: readonly LakeColumn[];
  partRowsMax?: number;
  /** Of its rows before they are written, where the staging would give more. */
  partMemoryBytesMax?: number;
  /**
   * Gets every part, in order. The file is removed when it settles; until then at most one more part fills up behind
   * it.
   */
  onPart(part: Part): Promise<void>;
};

/**
 * Reads a table into Parquet parts. Rejects with a Failure written for people, with a Misfit where a value asks for
 * another
 * `readAs`, or with the signal's reason. Then the statement was cancelled at the source and no file of it is left.
 */
export async function extractParts(extraction: Extraction): Promise<ReadReport> {
  const { partRowsMax = PART_ROWS_MAX_DEFAULT, partMemoryBytesMax = Infinity, onPart, staging, signal } = extraction;
  const read = columnsOf(extraction);
  const from = read.map(({ lake }) => lake);
  const to = extraction.columns ? from.map((column) => counterpart(column, extraction.columns!)) : from;
  const use: UsePart = async (connection, rows, oddFloats, isLarge) => {
    const file = join(staging.directory, `${staging.nextName("part")}.parquet`);
    try {
      const hasNegativeZero = oddFloats.some((odd) => (odd & ODD_FLOAT.negativeZero) > 0);
      const write = () =>
        writeParquet(connection, checkJson(read, rows), to, file, { rowGroupBytes: ROW_GROUP_BYTES, hasNegativeZero });
      const written = await (isLarge ? staging.writing.runAlone(write, signal) : staging.writing.run(write, signal));
      if (written) await onPart({ ...written, file, statistics: tellNan(written.statistics, to, oddFloats) });
      return written?.rows ?? 0;
    } finally {
      await rm(file, { force: true });
    }
  };
  return readParts(extraction, { rowsMax: partRowsMax, memoryBytesMax: partMemoryBytesMax }, use);
}

/**
 * Reads rows into a new table of the staging DuckDB, under the lake's column names; on failure there is no such table.
 */
export async function extractInto(target: string, order: Order): Promise<ReadReport> {
  const { staging, signal } = order;
  const read = columnsOf(order);
  const connection = await staging.connect();
  const table = quoteIdentifier(target);
  try {
    await connection.run(
      `CREATE TABLE ${table} (${read.map(({ lake }) => `${quoteIdentifier(lake.name)} ${duckdbType(lake)}`).join(", ")})`,
    );
    const use: UsePart = async (inserting, rows) =>
      staging.writing.run(
        async () => (await inserting.run(`INSERT INTO ${table} ${checkJson(read, rows)}`)).rowsChanged,
        signal,
      );
    return await readParts(order, { rowsMax: INSERT_ROWS_MAX, memoryBytesMax: INSERT_MEMORY_BYTES_MAX }, use);
  } catch (error) {
    await connection.run(`DROP TABLE IF EXISTS ${table}`).catch(() => undefined);
    throw error;
  } finally {
    connection.closeSync();
  }
}

async function readParts(order: Order, bounds: PartBounds, use: UsePart): Promise<ReadReport> {
  const { snapshot, table, staging, where, onProgress } = order;
  const columns = columnsOf(order);
  // A part that can't be used stops the source now, not after its last row.
  const failing = new AbortController();
  const signal = AbortSignal.any([order.signal, failing.signal]);
  signal.throwIfAborted();
  const writer = await PartWriter.open({
    staging,
    bounds,
    use,
    signal,
    columns: columns.map(({ lake }) => lake),
    makeColumns: () => makeColumns(columns),
    onFailure: (error) => failing.abort(error),
  });
  staging.rowBudget.addReader();
  let rowsRead = 0;
  let bytesRead = 0;
  const take: ReadRequest["take"] = (chunk, oddFloats) => {
    onProgress?.((rowsRead += chunk.rows), (bytesRead += chunk.bytes));
    return writer.add(chunk, oddFloats);
  };
  try {
    const report = await snapshot.read({
      table,
      columns,
      signal,
      emptyColumns: writer.emptyColumns,
      take,
      ...(where === undefined ? {} : { where }),
    });
    await writer.end();
    if (writer.rowsUsed !== report.rows)
      throw new Error(`${report.rows} rows were read and ${writer.rowsUsed} written`);
    return report;
  } catch (error) {
    failing.abort(error);
    throw order.signal.aborted ? order.signal.reason : toMisfit(error, columns);
  } finally {
    await writer.close();
    staging.rowBudget.removeReader();
  }
}

const NOT_JSON = "not JSON in column";

/**
 * Reads `rows` with a check of their JSON: sources take for JSON what DuckDB would refuse to read back, and the whole
 * file with it.
 */
function checkJson(columns: readonly SourceColumn[], rows: string): string {
  const checks = columns.flatMap(({ lake }, i) => {
    const value = quoteIdentifier(lake.name);
    return lake.type === "json"
      ? [
          `CASE WHEN json_valid(${value}) OR ${value} IS NULL THEN ${value} ELSE CAST(error('${NOT_JSON} ${i};') AS JSON) END AS ${value}`,
        ]
      : [];
  });
  return checks.length === 0 ? rows : `SELECT * REPLACE (${checks.join(", ")}) ${rows}`;
}

function toMisfit(error: unknown, columns: readonly SourceColumn[]): unknown {
  const place = new RegExp(`${NOT_JSON} (\\d+);`).exec((error as Error).message)?.[1];
  return place === undefined
    ? error
    : new TypeMismatch(
        columns[Number(place)]!.name,
        "JSON that is not whole, such as half of a surrogate pair",
        "json",
        "varchar",
      );
}

/** DuckDB tells of NaN in the last row group only; the reader has seen every value. */
function tellNan(
  statistics: ColumnStatistics[],
  columns: readonly LakeColumn[],
  oddFloats: readonly number[],
): ColumnStatistics[] {
  const plain = new Set(
    columns.filter(({ type }, i) => type.startsWith("float") && !(oddFloats[i]! & ODD_FLOAT.nan)).map(({ id }) => id),
  );
  return statistics.map((one) => (plain.has(one.columnId) ? { ...one, containsNan: false } : one));
}

function columnsOf({ table, only }: Order): SourceColumn[] {
  if (!only) return table.columns;
  return only.map((name) => {
    const column = table.columns.find((candidate) => candidate.name === name);
    if (!column) throw new Error(`${table.schema}.${table.name} was asked for a column that it was not described with`);
    return column;
  });
}

function counterpart({ name }: LakeColumn, columns: readonly LakeColumn[]): LakeColumn {
  const found = columns.find((column) => sameName(column.name, name));
  if (!found) throw new Error(`the lake's table has no column for ${name}`);
  // Written under the name rows come with: names are the same to DuckDB, ids are what counts.
  return { ...found, name };
}
