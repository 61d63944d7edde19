// Scratch tables in the staging database: a connection that an abort interrupts, and names of tables that are dropped
// in the end; with the SQL that compares and converts rows.

import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteIdentifier } from "../../../duckdb/quoting.ts";
import type { LakeColumn } from "../../../../../kernel/lake/lake.ts";
import { duckdbType } from "../../../parquet/lake-types.ts";
import { hasFloats } from "../../../parquet/negative-zero.ts";
import type { StagingDatabase } from "../../../extract/staging-database.ts";

export type ScratchTables = {
  connection: DuckDBConnection;
  /** A name for a table or view that is dropped in the end. */
  name(what: string): string;
};

export async function withScratchTables<T>(
  { staging, signal }: { staging: StagingDatabase; signal: AbortSignal },
  work: (scratch: ScratchTables) => Promise<T>,
): Promise<T> {
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

/** A connection for as long as `work` takes. */
export async function withConnection<T>(
  staging: StagingDatabase,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const connection = await staging.connect();
  try {
    return await work(connection);
  } finally {
    connection.closeSync();
  }
}

export async function countRows(connection: DuckDBConnection, from: string): Promise<number> {
  return Number((await connection.runAndReadAll(`SELECT count(*) ${from}`)).getRows()[0]![0]);
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

/** {@link isEqual} that distinguishes -0 from 0, which are one key and two values. */
export function isSame(a: string, b: string, columns: readonly LakeColumn[]): string {
  // Lists that are equal have one text, but for the signs.
  const sign = (row: string, { name, children }: LakeColumn): string => {
    const value = `${row}.${quoteIdentifier(name)}`;
    return children.length > 0 ? `coalesce(${value}::VARCHAR, '')` : `signbit(coalesce(${value}, 0))`;
  };
  const floats = columns.filter((column) => hasFloats([column]));
  return [isEqual(a, b, columns), ...floats.map((column) => `${sign(a, column)} = ${sign(b, column)}`)].join(" AND ");
}
