// Work on staged rows: a connection that an abort interrupts, and tables that go when it is done.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { LakeColumn } from "../../../contract/lake.ts";
import { duckdbType } from "../../../parquet/lake-types.ts";
import { quoteIdentifier } from "../../../duckdb/quoting.ts";
import { hasFloats } from "../../../parquet/negative-zero.ts";
import { writeParquet } from "../../../parquet/writer.ts";
import type { PartUploads } from "../../../platform/part-uploads.ts";
import type { SyncRun } from "../sync-run.ts";

/** A file of new rows has no more of them. */
const PART_ROWS_MAX = 1_000_000;
/** As the source sends them: files of wide rows are as large as those of a full read, whatever the table's size. */
const PART_BYTES = 128 * 1024 * 1024;
/** Of wide rows. */
const ROW_GROUP_BYTES = 32 * 1024 * 1024;

export type Desk = {
  connection: DuckDBConnection;
  /** A name for a table or view that is dropped in the end. */
  name(what: string): string;
};

export async function atDesk<T>({ staging, signal }: SyncRun, work: (desk: Desk) => Promise<T>): Promise<T> {
  const connection = await staging.connect();
  const interrupt = (): void => connection.interrupt();
  signal.addEventListener("abort", interrupt);
  const names: string[] = [];
  const name = (what: string): string => {
    names.push(staging.nextName(what));
    return names.at(-1)!;
  };
  try {
    return await work({ connection, name });
  } finally {
    signal.removeEventListener("abort", interrupt);
    for (const each of names.reverse()) {
      for (const kind of ["VIEW", "TABLE"])
        await connection.run(`DROP ${kind} IF EXISTS ${quoteIdentifier(each)}`).catch(() => undefined);
    }
    connection.closeSync();
  }
}

export async function countRows(connection: DuckDBConnection, from: string): Promise<number> {
  return Number((await connection.runAndReadAll(`SELECT count(*) ${from}`)).getRows()[0]![0]);
}

/** How many rows a file takes of a table of which so many were so many bytes. */
export const partRows = ({ rows, bytes }: Size): number =>
  Math.max(1, Math.min(PART_ROWS_MAX, Math.floor(PART_BYTES / Math.max(1, bytes / Math.max(1, rows)))));

/** Rows as a source has sent them. */
export type Size = { rows: number; bytes: number };

/**
 * Writes the rows of a table, which has exactly these columns, into parts and uploads them; answers how many rows there
 * were. `read`: of what size those are that they come from. `onFile` sees each part before it goes.
 */
export async function uploadRows(
  run: SyncRun,
  connection: DuckDBConnection,
  table: string,
  columns: readonly LakeColumn[],
  read: Size,
  uploads: PartUploads,
  onFile?: (file: string) => Promise<void>,
): Promise<number> {
  const count = await countRows(connection, `FROM ${table}`);
  // Under other names, for a column called rowid would stand before DuckDB's own.
  const own = columns.map((_, i) => `c${i}`);
  const cells = columns.map(({ name }, i) => `${own[i]!} AS ${quoteIdentifier(name)}`);
  const step = partRows(read);
  for (let at = 0; at < count; at += step) {
    const rows = `SELECT ${cells.join(", ")} FROM ${table} AS t(${own.join(", ")}) WHERE rowid >= ${at} AND rowid < ${at + step}`;
    if ((await uploadPart(run, connection, rows, columns, uploads, onFile)) === 0)
      throw new Error("a part of new rows came out empty");
  }
  return count;
}

/**
 * Writes what `select` gives, which has exactly these columns, into one part and uploads it; answers how many rows
 * there were.
 */
export async function uploadPart(
  { staging, signal }: SyncRun,
  connection: DuckDBConnection,
  select: string,
  columns: readonly LakeColumn[],
  uploads: PartUploads,
  onFile?: (file: string) => Promise<void>,
): Promise<number> {
  signal.throwIfAborted();
  const file = join(staging.directory, `${staging.nextName("fresh")}.parquet`);
  const written = await staging.writing.run(
    () => writeParquet(connection, select, columns, file, { rowGroupBytes: ROW_GROUP_BYTES }),
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

export const castColumns = (columns: readonly LakeColumn[]): string =>
  columns
    .map(
      (column) => `CAST(${quoteIdentifier(column.name)} AS ${duckdbType(column)}) AS ${quoteIdentifier(column.name)}`,
    )
    .join(", ");
export const namesOf = (columns: readonly LakeColumn[]): string =>
  columns.map(({ name }) => quoteIdentifier(name)).join(", ");
export const declare = (columns: readonly LakeColumn[]): string =>
  columns.map((column) => `${quoteIdentifier(column.name)} ${duckdbType(column)}`).join(", ");
/** Equal in all `columns`, NULL to NULL. */
export const isEqual = (a: string, b: string, columns: readonly LakeColumn[]): string =>
  columns
    .map(({ name }) => `${a}.${quoteIdentifier(name)} IS NOT DISTINCT FROM ${b}.${quoteIdentifier(name)}`)
    .join(" AND ");

/** {@link isEqual} that tells -0 from 0, which are one key and two values. */
export function isSame(a: string, b: string, columns: readonly LakeColumn[]): string {
  // Lists that are equal have one text, but for the signs.
  const sign = (row: string, { name, children }: LakeColumn): string => {
    const value = `${row}.${quoteIdentifier(name)}`;
    return children.length > 0 ? `coalesce(${value}::VARCHAR, '')` : `signbit(coalesce(${value}, 0))`;
  };
  const floats = columns.filter((column) => hasFloats([column]));
  return [isEqual(a, b, columns), ...floats.map((column) => `${sign(a, column)} = ${sign(b, column)}`)].join(" AND ");
}
