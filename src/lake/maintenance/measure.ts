// A lake is measured from the catalog alone: its tables' files, its snapshots, and what is about to be deleted.

import type { FileFigures, LakeFigures, TableFigures } from "../../../kernel/lake/figures.ts";
import type { LakeTableName } from "../../../kernel/lake/lake.ts";
import { LAKE_CATALOG_LIMITS } from "../format/limits.ts";
import { formatInstant } from "../format/instant.ts";
import { isoOf } from "../browse/tables.ts";
import { readHead } from "../state/state.ts";
import { SMALL_SHARE } from "./compaction-groups.ts";
import { readLakeRules, readTableRules } from "./option-values.ts";

export function measureLake(sql: SqlStorage, tablesMax: number, nowMs: number): LakeFigures {
  const tables = readTableFigures(sql);
  const worst = tables
    .toSorted(
      (left, right) =>
        right.smallFiles + right.deleteFiles - left.smallFiles - left.deleteFiles ||
        right.bytes - left.bytes ||
        left.tableId - right.tableId,
    )
    .slice(0, tablesMax);
  const total = tables.reduce<FileFigures>(
    (sum, table) => Object.fromEntries(FIGURES.map((key) => [key, sum[key] + table[key]])) as FileFigures,
    Object.fromEntries(FIGURES.map((key) => [key, 0])) as FileFigures,
  );
  return {
    snapshotId: readHead(sql).snapshotId,
    tables: tables.length,
    total,
    worst,
    snapshots: readSnapshotFigures(sql),
    bytes: { current: total.bytes + total.deleteBytes, keptForSnapshots: readKeptBytes(sql) },
    scheduled: readScheduled(sql, nowMs),
  };
}

const FIGURES = [
  ...(["files", "bytes", "smallFiles", "smallBytes", "deleteFiles", "deleteBytes", "rows", "deletedRows"] as const),
];

type TableRow = LakeTableName & { tableId: number; schemaId: number };

/** Live tables with what each has, in the order of their ids. */
function readTableFigures(sql: SqlStorage): TableFigures[] {
  const rulesOf = readTableRules(sql);
  const tables = sql
    .exec<TableRow>(
      `SELECT t.table_id AS tableId, s.schema_id AS schemaId, s.schema_name AS schema, t.table_name AS name
       FROM ducklake_table t JOIN ducklake_schema s USING (schema_id)
       WHERE t.end_snapshot IS NULL AND s.end_snapshot IS NULL ORDER BY t.table_id`,
    )
    .toArray()
    .map(({ schemaId, ...table }) => ({
      ...table,
      targetBytes: rulesOf({ tableId: table.tableId, schemaId }).targetBytes,
    }));
  const small = JSON.stringify(tables.map(({ tableId, targetBytes }) => [tableId, targetBytes * SMALL_SHARE]));
  const data = sql
    .exec<Pick<FileFigures, "files" | "bytes" | "smallFiles" | "smallBytes" | "rows"> & { tableId: number }>(
      `WITH small AS MATERIALIZED (SELECT value ->> 0 AS table_id, value ->> 1 AS bytes FROM json_each(?))
       SELECT f.table_id AS tableId, count(*) AS files, sum(f.file_size_bytes) AS bytes, sum(f.record_count) AS rows,
         sum(f.file_size_bytes < small.bytes) AS smallFiles,
         sum(CASE WHEN f.file_size_bytes < small.bytes THEN f.file_size_bytes ELSE 0 END) AS smallBytes
       FROM ducklake_data_file f JOIN small ON small.table_id = f.table_id WHERE f.end_snapshot IS NULL
       GROUP BY f.table_id`,
      small,
    )
    .toArray();
  const deletes = sql
    .exec<Pick<FileFigures, "deleteFiles" | "deleteBytes" | "deletedRows"> & { tableId: number }>(
      `SELECT table_id AS tableId, count(*) AS deleteFiles, sum(file_size_bytes) AS deleteBytes,
         sum(delete_count) AS deletedRows
       FROM ducklake_delete_file WHERE end_snapshot IS NULL GROUP BY table_id`,
    )
    .toArray();
  const [dataOf, deletesOf] = [data, deletes].map((rows) => new Map(rows.map((row) => [row.tableId, row])));
  return tables.map((table) => ({
    ...NOTHING,
    ...dataOf!.get(table.tableId),
    ...deletesOf!.get(table.tableId),
    ...table,
  }));
}

const NOTHING: FileFigures = {
  ...{ files: 0, bytes: 0, smallFiles: 0, smallBytes: 0 },
  ...{ deleteFiles: 0, deleteBytes: 0, rows: 0, deletedRows: 0 },
};

function readSnapshotFigures(sql: SqlStorage): LakeFigures["snapshots"] {
  const { oldest, newest, ...found } = sql
    .exec<{ count: number; oldestId: number; oldest: string; newest: string }>(
      `SELECT count(*) AS count, min(snapshot_id) AS oldestId, min(snapshot_time) AS oldest,
         max(snapshot_time) AS newest FROM ducklake_snapshot`,
    )
    .one();
  return { ...found, oldestAt: isoOf(oldest), newestAt: isoOf(newest) };
}

const readKeptBytes = (sql: SqlStorage): number =>
  sql
    .exec<{ bytes: number }>(
      `SELECT (SELECT coalesce(sum(file_size_bytes), 0) FROM ducklake_data_file WHERE end_snapshot IS NOT NULL)
         + (SELECT coalesce(sum(file_size_bytes), 0) FROM ducklake_delete_file WHERE end_snapshot IS NOT NULL) AS bytes`,
    )
    .one().bytes;

export function readScheduled(sql: SqlStorage, nowMs: number): LakeFigures["scheduled"] {
  const { oldest, ...found } = sql
    .exec<Omit<LakeFigures["scheduled"], "oldestAt"> & { oldest: string | null }>(
      `WITH files AS (SELECT schedule_start < ? AS isDue, coalesce(bytes, 0) AS bytes, schedule_start
         FROM ducklake_files_scheduled_for_deletion LEFT JOIN fjord_scheduled ON file_id = data_file_id)
       SELECT count(*) AS files, coalesce(sum(bytes), 0) AS bytes, coalesce(sum(isDue), 0) AS dueFiles,
         coalesce(sum(isDue * bytes), 0) AS dueBytes, min(schedule_start) AS oldest FROM files`,
      formatInstant(nowMs - Math.max(readLakeRules(sql).deleteOlderThanMs, LAKE_CATALOG_LIMITS.graceMs)),
    )
    .one();
  return { ...found, oldestAt: oldest === null ? null : isoOf(oldest) };
}
