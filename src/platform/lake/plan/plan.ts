// Which files make up tables at a snapshot, and where they lie.

import type { PlannedFile, Predicate, TablePlan } from "../../../../containers/engine/contract/lake.ts";
import { LIMITS } from "../../../core/limits.ts";
import { accessTo, predicatesFor, type Reader } from "../access/readers.ts";
import { accept, refuse, type Answer } from "../answer.ts";
import { hasSnapshot, noSnapshot } from "./describe.ts";
import { matcherOf, type FileBounds } from "./prune.ts";
import { visible } from "./visible.ts";

/** What every row satisfies. */
const EVERY_ROW: readonly Predicate[][] = [[]];

/** Tables, for whoever reads them, and the predicates of which one list holds for each row that matters. */
export type PlanQuery = { tableIds: readonly number[]; anyOf?: readonly Predicate[][] | undefined; reader?: Reader };

/**
 * Plans of the tables that exist at the snapshot for the reader, in the order asked for; others are absent. Paths are
 * relative to the lake's root.
 */
export function planTables(sql: SqlStorage, snapshotId: number, query: PlanQuery): Answer<TablePlan[]> {
  if (!hasSnapshot(sql, snapshotId)) return noSnapshot(snapshotId);
  const { tableIds, anyOf = EVERY_ROW, reader } = query;
  const seen = reader && accessTo(reader, sql, snapshotId, tableIds);
  const plans: TablePlan[] = [];
  let filesLeft: number = LIMITS.lakePlannedFilesMax;
  for (const tableId of tableIds) {
    const access = seen ? seen.get(tableId) : "whole";
    const plan =
      access && planTable(sql, snapshotId, { tableId, anyOf: predicatesFor(access, anyOf), filesMax: filesLeft });
    if (!plan) continue;
    filesLeft -= plan.files.length;
    if (filesLeft < 0)
      return refuse(
        "validation_failed",
        `These tables have more than ${LIMITS.lakePlannedFilesMax} files; compact them first.`,
      );
    plans.push(plan);
  }
  return accept(plans);
}

type TableQuery = { tableId: number; anyOf: readonly Predicate[][]; filesMax: number };

/** Undefined for a table that is not there. One file more than `filesMax` is answered where there are more. */
function planTable(sql: SqlStorage, snapshotId: number, query: TableQuery): TablePlan | undefined {
  const { tableId, anyOf, filesMax } = query;
  const folder = findFolder(sql, snapshotId, tableId);
  if (folder === undefined) return undefined;
  const deletes = readDeletes(sql, snapshotId, tableId, folder);
  const pruned = findPruned(sql, snapshotId, tableId, anyOf);
  const files = readFiles(sql, snapshotId, { tableId, pruned, max: filesMax + 1 }).map(
    ([id, path, bytes, rows]): TablePlan["files"][number] => ({
      id,
      path: folder + path,
      bytes,
      rows,
      deletes: deletes.get(id) ?? null,
    }),
  );
  return { tableId, files };
}

const findFolder = (sql: SqlStorage, snapshotId: number, tableId: number): string | undefined =>
  sql
    .exec<{ folder: string }>(
      `SELECT s.path || t.path AS folder FROM ducklake_table t JOIN ducklake_schema s USING (schema_id)
       WHERE t.table_id = ? AND ${visible("t")} AND ${visible("s")}`,
      tableId,
      ...[snapshotId, snapshotId],
      ...[snapshotId, snapshotId],
    )
    .toArray()[0]?.folder;

/** Rows as arrays, which cost half of what objects do: a table may have ten thousand files and more. */
type FileRow = [id: number, path: string, bytes: number, rows: number];

/** Those that are left of a table's files, at most `max`. */
type FilesQuery = { tableId: number; pruned: ReadonlySet<number>; max: number };

const readFiles = (sql: SqlStorage, snapshotId: number, { tableId, pruned, max }: FilesQuery): FileRow[] => [
  ...sql
    .exec(
      `SELECT f.data_file_id, f.path, f.file_size_bytes, f.record_count FROM ducklake_data_file f
       WHERE f.table_id = ? AND ${visible("f")}
         ${pruned.size > 0 ? "AND f.data_file_id NOT IN (SELECT value FROM json_each(?))" : ""}
       ORDER BY f.file_order LIMIT ?`,
      ...[tableId, snapshotId, snapshotId],
      ...(pruned.size > 0 ? [JSON.stringify([...pruned])] : []),
      max,
    )
    .raw<FileRow>(),
];

/** By data file: there is at most one at a snapshot. */
function readDeletes(sql: SqlStorage, snapshotId: number, tableId: number, folder: string): Map<number, PlannedFile> {
  const rows = sql
    .exec(
      `SELECT d.delete_file_id, d.path, d.file_size_bytes, d.delete_count, d.data_file_id
       FROM ducklake_delete_file d WHERE d.table_id = ? AND ${visible("d")}`,
      ...[tableId, snapshotId, snapshotId],
    )
    .raw<[...FileRow, dataFileId: number]>();
  return new Map(
    [...rows].map(([id, path, bytes, count, dataFileId]) => [
      dataFileId,
      { id, path: folder + path, bytes, rows: count },
    ]),
  );
}

/**
 * Data files that hold no row for which all predicates of one list are true. Deletes only take rows away, so bounds
 * hold with them.
 */
function findPruned(
  sql: SqlStorage,
  snapshotId: number,
  tableId: number,
  anyOf: readonly Predicate[][],
): ReadonlySet<number> {
  const columns = new Map<number, ColumnBounds | undefined>();
  const boundsOf = (columnId: number): ColumnBounds | undefined => {
    if (!columns.has(columnId)) columns.set(columnId, readBounds(sql, snapshotId, tableId, columnId));
    return columns.get(columnId);
  };
  const [first = new Set<number>(), ...others] = anyOf.map((predicates) => findUnfit(predicates, boundsOf));
  return new Set([...first].filter((fileId) => others.every((unfit) => unfit.has(fileId))));
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

/** What is known of a column in each file; undefined where the table has none such. */
function readBounds(sql: SqlStorage, snapshotId: number, tableId: number, columnId: number): ColumnBounds | undefined {
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
       FROM ducklake_file_column_stats WHERE table_id = ? AND column_id = ?`,
      ...[tableId, columnId],
    )
    .raw<[fileId: number, min: string | null, max: string | null, has: number]>();
  const files = [...rows].map(([fileId, min, max, has]): ColumnBounds["files"][number] => [
    fileId,
    { min, max, hasNull: (has & 1) > 0, hasValue: (has & 2) > 0, hasNan: (has & 4) > 0 },
  ]);
  return { type, files };
}

/**
 * Paths of the data and delete files that belong to a table of the reader's at the snapshot, by file id; other ids are
 * absent.
 */
export function pathsOfFiles(
  sql: SqlStorage,
  snapshotId: number,
  fileIds: readonly number[],
  reader?: Reader,
): Answer<Record<number, string>> {
  if (!hasSnapshot(sql, snapshotId)) return noSnapshot(snapshotId);
  const at = [snapshotId, snapshotId];
  const paths = (table: string, id: string) =>
    `SELECT f.${id} AS id, f.table_id AS tableId, s.path || t.path || f.path AS path
     FROM ${table} f JOIN ducklake_table t USING (table_id) JOIN ducklake_schema s USING (schema_id)
     WHERE f.${id} IN (SELECT value FROM json_each(?)) AND ${visible("f")} AND ${visible("t")} AND ${visible("s")}`;
  const bound = [JSON.stringify(fileIds), ...at, ...at, ...at];
  const files = sql
    .exec<{ id: number; tableId: number; path: string }>(
      `${paths("ducklake_data_file", "data_file_id")} UNION ALL ${paths("ducklake_delete_file", "delete_file_id")}`,
      ...bound,
      ...bound,
    )
    .toArray();
  const seen = reader && accessTo(reader, sql, snapshotId, [...new Set(files.map(({ tableId }) => tableId))]);
  const readable = seen ? files.filter(({ tableId }) => seen.has(tableId)) : files;
  return accept(Object.fromEntries(readable.map(({ id, path }) => [id, path])));
}
