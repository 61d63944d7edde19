// New rows on their way into the lake: cut into Parquet files, each uploaded while the next one is written.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteIdentifier } from "../../../duckdb/quoting.ts";
import type { LakeColumn } from "../../../../../kernel/lake/lake.ts";
import { writeParquet } from "../../../parquet/writer.ts";
import { PartUploads } from "../../../platform/part-uploads.ts";
import { isMade, type PreparedTable, type SyncRun } from "../sync-run.ts";
import { countRows } from "./scratch-tables.ts";

/** The most rows that one file of new rows has. */
const PART_ROWS_MAX = 1_000_000;
/**
 * The most bytes of one file, counted as the source sends them, so that files of wide rows are as large as those of a
 * full read.
 */
const PART_BYTES = 128 * 1024 * 1024;
/** The size at which wide rows end a row group. */
const ROW_GROUP_BYTES = 32 * 1024 * 1024;

/** Uploads of one table, which count into its progress. */
export function uploadsOf(prepared: PreparedTable): PartUploads {
  const { run, source, progress } = prepared;
  const target = { schema: run.work.destSchema, name: source.name, isNew: isMade(prepared) };
  return new PartUploads(run.platform, target, (rows, bytes) => {
    progress.rowsWritten += rows;
    progress.bytesWritten += bytes;
  });
}

/** How many rows of a table go into one file, by the average size of those that were read. */
export const partRows = ({ rows, bytes }: ReadSize): number =>
  Math.max(1, Math.min(PART_ROWS_MAX, Math.floor(PART_BYTES / Math.max(1, bytes / Math.max(1, rows)))));

/** How many rows a source has sent, and how many bytes those were. */
export type ReadSize = { rows: number; bytes: number };

/** Where new rows of a table go. `onFile`, where it is given, sees each part before it is uploaded. */
export type NewRows = {
  run: SyncRun;
  connection: DuckDBConnection;
  /** Exactly the columns that the rows have. */
  columns: readonly LakeColumn[];
  uploads: PartUploads;
  onFile?: (file: string) => Promise<void>;
};

/**
 * Writes the rows of a table, which has exactly these columns, into parts and uploads them; answers how many rows there
 * were. `read` is the size of the rows that were read of the source, from which a part's number of rows follows.
 */
export async function uploadRows(to: NewRows, table: string, read: ReadSize): Promise<number> {
  const count = await countRows(to.connection, `FROM ${table}`);
  // Under other names, for a column called rowid would stand before DuckDB's own.
  const own = to.columns.map((_, i) => `c${i}`);
  const cells = to.columns.map(({ name }, i) => `${own[i]!} AS ${quoteIdentifier(name)}`);
  const step = partRows(read);
  for (let at = 0; at < count; at += step) {
    const rows = `SELECT ${cells.join(", ")} FROM ${table} AS t(${own.join(", ")})
      WHERE rowid >= ${at} AND rowid < ${at + step}`;
    if ((await uploadPart(to, rows)) === 0) throw new Error("a part of new rows came out empty");
  }
  return count;
}

/**
 * Writes what `select` gives, which has exactly these columns, into one part and uploads it; answers how many rows
 * there were.
 */
export async function uploadPart(
  { run, connection, columns, uploads, onFile }: NewRows,
  select: string,
): Promise<number> {
  const { staging, signal } = run;
  signal.throwIfAborted();
  const file = join(staging.directory, `${staging.nextName("fresh")}.parquet`);
  const written = await staging.writing.run(
    () => writeParquet(connection, { select, columns }, file, { rowGroupBytes: ROW_GROUP_BYTES }),
    signal,
  );
  if (!written) {
    await rm(file, { force: true });
    return 0;
  }
  await onFile?.(file);
  await uploads.add({ ...written, file });
  return written.rows;
}
