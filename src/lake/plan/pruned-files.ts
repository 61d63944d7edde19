// A table's files are pruned by what is known of their columns: those go that can't hold a row that matters.

import type { Predicate } from "../../../kernel/lake/lake.ts";
import type { RowPredicate } from "../../../kernel/lake/row-predicates.ts";
import { matcherOf, type FileBounds } from "./prune.ts";
import { FileSet } from "./file-set.ts";
import { visible } from "../format/visible.ts";

/** A table at a snapshot; of its data files all, or those that are named. */
export type TableAt = { sql: SqlStorage; snapshotId: number; tableId: number; fileIds?: readonly number[] };

export type PrunedFiles = "all" | FileSet;

export const isIn = (pruned: PrunedFiles, fileId: number): boolean => pruned === "all" || pruned.has(fileId);

/**
 * Data files that hold no row for which all predicates of one list are true; without a list that is all. Deletes only
 * take rows away, so bounds hold with them. A column's bounds are read once, file by file: a table may have a million
 * files, and the catalog's object has 128 MB.
 */
export function findPruned(table: TableAt, anyOf: RowPredicate<Predicate>): PrunedFiles {
  /** For each list, files that hold no row for which all its predicates are true. */
  const unfit = anyOf.map(() => new FileSet());
  const asked = anyOf.flatMap((predicates, list) => predicates.map((predicate) => ({ predicate, of: unfit[list]! })));
  for (const [columnId, all] of Map.groupBy(asked, ({ predicate }) => predicate.columnId)) {
    const type = readType(table, columnId);
    if (type === undefined) continue;
    const tests = all.map(({ predicate, of }) => ({ mayMatch: matcherOf(predicate, type), of }));
    readBounds(table, columnId, (fileId, bounds) => {
      for (const { mayMatch, of } of tests) if (!mayMatch(bounds)) of.add(fileId);
    });
  }
  const [pruned, ...others] = unfit;
  for (const other of others) pruned!.keepOnly(other);
  return pruned ?? "all";
}

/** Types of the table's columns that are not nested in others, by id. */
export function readColumnTypes({ sql, snapshotId, tableId }: TableAt): Map<number, string> {
  const rows = sql
    .exec(
      `SELECT c.column_id, c.column_type FROM ducklake_column c WHERE c.table_id = ? AND c.parent_column IS NULL
        AND ${visible("c")}`,
      ...[tableId, snapshotId, snapshotId],
    )
    .raw<[columnId: number, type: string]>();
  return new Map(rows);
}

/** Undefined where the table has no such column. */
const readType = ({ sql, snapshotId, tableId }: TableAt, columnId: number): string | undefined =>
  sql
    .exec<{ type: string }>(
      `SELECT c.column_type AS type FROM ducklake_column c WHERE c.table_id = ? AND c.column_id = ?
        AND c.parent_column IS NULL AND ${visible("c")}`,
      ...[tableId, columnId, snapshotId, snapshotId],
    )
    .toArray()[0]?.type;

/** Hands on what is known of a column, file by file. */
function readBounds(
  { sql, tableId, fileIds }: TableAt,
  columnId: number,
  look: (fileId: number, bounds: FileBounds) => void,
): void {
  const rows = sql
    .exec(
      `SELECT data_file_id, min_value, max_value,
         coalesce(null_count > 0, 1)
           + 2 * coalesce(value_count <= 0 OR null_count < value_count, 1)
           + 4 * (contains_nan IS NOT 0)
       FROM ducklake_file_column_stats WHERE table_id = ? AND column_id = ?
         ${fileIds ? "AND data_file_id IN (SELECT value FROM json_each(?))" : ""}`,
      ...[tableId, columnId],
      ...(fileIds ? [JSON.stringify(fileIds)] : []),
    )
    .raw<[fileId: number, min: string | null, max: string | null, has: number]>();
  for (const [fileId, min, max, has] of rows)
    look(fileId, { min, max, hasNull: (has & 1) > 0, hasValue: (has & 2) > 0, hasNan: (has & 4) > 0 });
}
