// A source's data as of one moment, whatever kind of database it is: what a sync asks of it. Each kind implements it in
// its folder `extraction/`.

import { createHash } from "node:crypto";
import { Failure } from "../core/failure.ts";
import type { ChangeRequest, Changes, ChangeReport } from "../extract/changes/changes.ts";
import type { NameFolding } from "../../../kernel/text/name-folding.ts";
import type { ReadableSnapshot } from "../extract/readable-snapshot.ts";
import type { SourceColumn, SourceTable, SourceTableName } from "../extract/source-table.ts";
import type { TextRow } from "./row-collector.ts";

/** `isView`: a star does not mean it. `rowsEstimated` is by the server's statistics; null where it keeps none. */
export type ListedTable = SourceTableName & { path: string; isView: boolean; rowsEstimated: number | null };

export type SourceSnapshot = ReadableSnapshot & {
  /** All tables and views that may be read, the server's own schemas left out. Partitions belong to their table. */
  listTables(signal: AbortSignal): Promise<ListedTable[]>;
  /** How the source takes names that somebody typed without quotes; without it, `exact`. */
  readonly folding?: NameFolding;
  /**
   * Why each of `paths` can't be read, by path, and what is to be done about it: in words for people. `wereSynced`:
   * those the lake has a copy of.
   */
  explainMissing(
    paths: readonly string[],
    wereSynced: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<Map<string, string>>;
  /** The condition on rows whose number, date or time in `column` is `from` or more; `from` is in DuckDB's words. */
  isFrom(column: SourceColumn, from: string): string;
  /** Finds what changed in a table since an earlier run. Only tables with a key may be asked about. */
  findChanges(request: ChangeRequest): Promise<ChangeReport>;
  /**
   * Whether no two rows have the same key now; absent where the source holds its rows to their keys. Asked before a
   * merge goes by a cursor, which sees one of the two rows alone.
   */
  keyIsUnique?(table: SourceTable, signal: AbortSignal): Promise<boolean>;
  /** Present where the source can tell which rows were committed since an earlier run, whatever their cursor says. */
  late?: {
    /** For the next run; null where it can't be told of this table. */
    mark(table: SourceTable): object | null;
    insertedSince(mark: object, table: SourceTable): Changes;
  };
};

/** More than any table has: what a server's statistics say may be anything. */
const ROWS_MAX = 1e15;

/** Reads rows of schema, name, `1` for a view, and an estimate or NULL. */
export const listedTables = (rows: readonly TextRow[]): ListedTable[] =>
  rows.map(([schema, name, isView, estimate]) => ({
    schema: schema!,
    name: name!,
    path: `${schema}.${name}`,
    isView: isView === "1",
    rowsEstimated: estimate == null ? null : Math.min(ROWS_MAX, Math.max(0, Number(estimate))),
  }));

/** The digest of all that a table's values depend on beside its rows. */
export const fingerprintOf = (parts: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex");

/** The failure of a table that is not there, or hidden from the reader. */
export const noSuchTable = (
  { schema, name }: SourceTableName,
  reader: "account" | "role" | "user",
  cause?: unknown,
): Failure =>
  new Failure("sql_error", `There is no table ${schema}.${name}, or this ${reader} may not see it.`, { cause });

/** Whether the column is compared as a number, of those that a cursor may be. */
export const isNumeric = ({ lake: { type } }: SourceColumn): boolean => /^(int\d|decimal)/.test(type);

/**
 * The explanations of {@link SourceSnapshot.explainMissing} for a source that hides tables from accounts that may not
 * read them.
 */
export function explainHidden(
  paths: readonly string[],
  wereSynced: ReadonlySet<string>,
  { place, reader }: { place: string; reader: string },
): Promise<Map<string, string>> {
  const reasonOf = (path: string): string =>
    wereSynced.has(path)
      ? `${path} is gone at the source, or this ${reader} may not read it any more.`
      : `The ${place} has no table ${path}, or this ${reader} may not read it.`;
  return Promise.resolve(new Map(paths.map((path) => [path, reasonOf(path)])));
}
