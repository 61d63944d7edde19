// A table's files are pruned by what is known of their columns: those go that can't hold a row that matters.

import type { Predicate } from "../../../kernel/lake/lake.ts";
import type { RowPredicate } from "../../../kernel/lake/row-predicates.ts";
import { matcherOf, type FileBounds } from "./prune.ts";
import { visible } from "../format/visible.ts";

/** A table at a snapshot; of its data files all, or those that are named. */
export type TableAt = { sql: SqlStorage; snapshotId: number; tableId: number; fileIds?: readonly number[] };

export type PrunedFiles = "all" | ReadonlySet<number>;

export const isIn = (pruned: PrunedFiles, fileId: number): boolean => pruned === "all" || pruned.has(fileId);

/**
 * Data files that hold no row for which all predicates of one list are true; without a list that is all. Deletes only
 * take rows away, so bounds hold with them.
 */
export function findPruned(table: TableAt, anyOf: RowPredicate<Predicate>): PrunedFiles {
  const columns = new Map<number, ColumnBounds | undefined>();
  const boundsOf = (columnId: number): ColumnBounds | undefined => {
    if (!columns.has(columnId)) columns.set(columnId, readBounds(table, columnId));
    return columns.get(columnId);
  };
  const [first, ...others] = anyOf.map((predicates) => findUnfit(predicates, boundsOf));
  return first === undefined
    ? "all"
    : new Set([...first].filter((fileId) => others.every((unfit) => unfit.has(fileId))));
}

/** Files that hold no row for which all predicates are true. */
function findUnfit(
  predicates: readonly Predicate[],
  boundsOf: (columnId: number) => ColumnBounds | undefined,
): Set<number> {
  const unfit = new Set<number>();
  for (const [columnId, all] of Map.groupBy(predicates, (predicate) => predicate.columnId)) {
    const column = boundsOf(columnId);
    if (!column) continue;
    const matchers = all.map((predicate) => matcherOf(predicate, column.type));
    for (const [fileId, bounds] of column.files) if (!matchers.every((mayMatch) => mayMatch(bounds))) unfit.add(fileId);
  }
  return unfit;
}

type ColumnBounds = { type: string; files: [fileId: number, FileBounds][] };

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

/** What is known of a column in each file; undefined where the table has none such. */
function readBounds(table: TableAt, columnId: number): ColumnBounds | undefined {
  const { sql, snapshotId, tableId, fileIds } = table;
  const column = sql.exec<{ type: string }>(
    `SELECT c.column_type AS type FROM ducklake_column c WHERE c.table_id = ? AND c.column_id = ?
      AND c.parent_column IS NULL AND ${visible("c")}`,
    ...[tableId, columnId, snapshotId, snapshotId],
  );
  const type = column.toArray()[0]?.type;
  if (type === undefined) return undefined;
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
  const files = [...rows].map(([fileId, min, max, has]): ColumnBounds["files"][number] => [
    fileId,
    { min, max, hasNull: (has & 1) > 0, hasValue: (has & 2) > 0, hasNan: (has & 4) > 0 },
  ]);
  return { type, files };
}
