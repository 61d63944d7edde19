// A plan of tables says which files make up each at a snapshot, and where they lie.

import type { PlannedFile, Predicate, TablePlan } from "../../../kernel/lake/lake.ts";
import type { AccessIndex } from "../../../kernel/access/decide-table.ts";
import { EVERY_ROW, type RowPredicate } from "../../../kernel/lake/row-predicates.ts";
import { LAKE_CATALOG_LIMITS } from "../format/limits.ts";
import { accessTo, predicatesFor, type Reader } from "../access/readers.ts";
import { accept, refuse, type Answer } from "../../core/answer.ts";
import { hasSnapshot, noSnapshot } from "./describe.ts";
import { readColumnSizes } from "./column-sizes.ts";
import type { FileSet } from "./file-set.ts";
import { findPruned, isIn, readColumnTypes, type TableAt } from "./pruned-files.ts";
import { visible } from "../format/visible.ts";

/**
 * Tables, for whoever reads them, and the predicates of which one list holds for each row that matters. More files than
 * `filesMax` are refused. `columnIds`: the columns of a table that is seen whole, whose size in each file is wanted.
 */
export type PlanQuery = {
  tableIds: readonly number[];
  anyOf?: RowPredicate<Predicate> | undefined;
  reader: Reader;
  filesMax?: number;
  columnIds?: readonly number[] | undefined;
};

/**
 * Plans of the tables that exist at the snapshot for the reader, in the order asked for; others are absent. Paths are
 * relative to the lake's root.
 */
export function planTables(sql: SqlStorage, snapshotId: number, query: PlanQuery): Answer<TablePlan[]> {
  if (!hasSnapshot(sql, snapshotId)) return noSnapshot(snapshotId);
  const { tableIds, anyOf = EVERY_ROW, reader, filesMax = LAKE_CATALOG_LIMITS.plannedFilesMax, columnIds } = query;
  const seen = reader === "everything" ? reader : accessTo(reader, sql, snapshotId, tableIds);
  const plans: TablePlan[] = [];
  let filesLeft = filesMax;
  for (const tableId of tableIds) {
    const access = seen === "everything" ? "whole" : seen.get(tableId);
    const types = () => readColumnTypes({ sql, snapshotId, tableId });
    const plan =
      access &&
      planTable(sql, snapshotId, { tableId, anyOf: predicatesFor(access, anyOf, types), filesMax: filesLeft });
    if (!plan) continue;
    filesLeft -= plan.files.length;
    if (filesLeft < 0)
      return refuse("validation_failed", `These tables have more than ${filesMax} files; compact them first.`);
    plans.push(columnIds && access === "whole" ? sized({ sql, snapshotId, tableId }, plan, columnIds) : plan);
  }
  return accept(plans);
}

/** The plan with the columns' size in each file where that is known. */
function sized(table: TableAt, plan: TablePlan, columnIds: readonly number[]): TablePlan {
  const sizes = readColumnSizes(table, columnIds);
  const sizedFile = (file: TablePlan["files"][number]) => {
    const columnBytes = sizes.get(file.id);
    return columnBytes === undefined ? file : { ...file, columnBytes };
  };
  return { ...plan, files: plan.files.map(sizedFile) };
}

type TableQuery = { tableId: number; anyOf: RowPredicate<Predicate>; filesMax: number };

/** Undefined for a table that is not there. One file more than `filesMax` is answered where there are more. */
function planTable(sql: SqlStorage, snapshotId: number, query: TableQuery): TablePlan | undefined {
  const { tableId, anyOf, filesMax } = query;
  const folder = findFolder(sql, snapshotId, tableId);
  if (folder === undefined) return undefined;
  const deletes = readDeletes(sql, snapshotId, tableId, folder);
  const pruned = findPruned({ sql, snapshotId, tableId }, anyOf);
  if (pruned === "all") return { tableId, files: [] };
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

/** A query for the files of a table that pruning left, at most `max`. */
type FilesQuery = { tableId: number; pruned: FileSet; max: number };

function readFiles(sql: SqlStorage, snapshotId: number, { tableId, pruned, max }: FilesQuery): FileRow[] {
  const files: FileRow[] = [];
  const rows = sql
    .exec(
      `SELECT f.data_file_id, f.path, f.file_size_bytes, f.record_count FROM ducklake_data_file f
       WHERE f.table_id = ? AND ${visible("f")} ORDER BY f.file_order LIMIT ?`,
      ...[tableId, snapshotId, snapshotId],
      max + pruned.size,
    )
    .raw<FileRow>();
  for (const row of rows) if (files.length < max && !pruned.has(row[0])) files.push(row);
  return files;
}

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
 * Paths of the data and delete files that belong to a table of the reader's at the snapshot, by file id; other ids are
 * absent, and so are files that no plan of the reader's has for want of a row.
 */
export function pathsOfFiles(
  sql: SqlStorage,
  snapshotId: number,
  fileIds: readonly number[],
  reader: Reader,
): Answer<Record<number, string>> {
  if (!hasSnapshot(sql, snapshotId)) return noSnapshot(snapshotId);
  const at = [snapshotId, snapshotId];
  const paths = (table: string, id: string) =>
    `SELECT f.${id} AS id, f.data_file_id AS dataFileId, f.table_id AS tableId, s.path || t.path || f.path AS path
     FROM ${table} f JOIN ducklake_table t USING (table_id) JOIN ducklake_schema s USING (schema_id)
     WHERE f.${id} IN (SELECT value FROM json_each(?)) AND ${visible("f")} AND ${visible("t")} AND ${visible("s")}`;
  const bound = [JSON.stringify(fileIds), ...at, ...at, ...at];
  const files = sql
    .exec<FileAddress>(
      `${paths("ducklake_data_file", "data_file_id")} UNION ALL ${paths("ducklake_delete_file", "delete_file_id")}`,
      ...bound,
      ...bound,
    )
    .toArray();
  const readable = reader === "everything" ? files : readableBy(reader, sql, snapshotId, files);
  return accept(Object.fromEntries(readable.map(({ id, path }) => [id, path])));
}

/** `dataFileId`: of a delete file that of the file whose rows it deletes. */
type FileAddress = { id: number; dataFileId: number; tableId: number; path: string };

function readableBy(
  reader: AccessIndex,
  sql: SqlStorage,
  snapshotId: number,
  files: readonly FileAddress[],
): readonly FileAddress[] {
  const byTable = Map.groupBy(files, ({ tableId }) => tableId);
  const seen = accessTo(reader, sql, snapshotId, [...byTable.keys()]);
  return [...byTable].flatMap(([tableId, asked]) => {
    const access = seen.get(tableId);
    if (access === undefined) return [];
    const table = { sql, snapshotId, tableId, fileIds: asked.map(({ dataFileId }) => dataFileId) };
    const pruned = findPruned(
      table,
      predicatesFor(access, EVERY_ROW, () => readColumnTypes(table)),
    );
    return asked.filter(({ dataFileId }) => !isIn(pruned, dataFileId));
  });
}
