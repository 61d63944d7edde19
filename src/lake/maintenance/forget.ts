// Files and tables that no snapshot reads any more leave the catalog: files for the schedule of deletion, tables for
// good.

import { formatInstant } from "../format/instant.ts";
import { forgetVersions } from "../plan/versions.ts";

/** A condition on a row of versions, by the name it goes under. */
type Condition = (row: string) => string;

/** No snapshot that is left reads the row. */
export const isUnread: Condition = (row) =>
  `(${row}.end_snapshot IS NOT NULL AND NOT EXISTS (
     SELECT 1 FROM ducklake_snapshot s
     WHERE s.snapshot_id >= ${row}.begin_snapshot AND s.snapshot_id < ${row}.end_snapshot))`;

/** Only the oldest snapshots were taken away, and `oldest` is left: the condition is one range of an index. */
export const isUnreadBefore =
  (oldest: number): Condition =>
  (row) =>
    `(${row}.end_snapshot IS NOT NULL AND ${row}.end_snapshot <= ${oldest})`;

/** A statement's one bound document stays far below its 2 MB. */
const FILES_PER_STATEMENT = 5_000;

export type Scheduled = { files: number; bytes: number };

/**
 * Moves files that meet the condition from their tables to the schedule, `max` at most. A file leaves its table and
 * enters the schedule in one transaction, the caller's, so it is never both in use and about to be deleted.
 */
export function scheduleFiles(
  sql: SqlStorage,
  isGone: Condition,
  { max, nowMs }: { max: number; nowMs: number },
): Scheduled {
  const scheduled: Scheduled = { files: 0, bytes: 0 };
  for (const kind of ["delete", "data"] as const) {
    for (let limit = max - scheduled.files; limit > 0; limit = max - scheduled.files) {
      const moved = sql
        .exec<{ id: number; bytes: number }>(
          `SELECT f.${kind}_file_id AS id, coalesce(f.file_size_bytes, 0) AS bytes FROM ducklake_${kind}_file f
           WHERE ${isGone("f")} LIMIT ?`,
          Math.min(limit, FILES_PER_STATEMENT),
        )
        .toArray();
      if (moved.length === 0) break;
      moveFiles(sql, kind, JSON.stringify(moved), formatInstant(nowMs));
      scheduled.files += moved.length;
      scheduled.bytes += moved.reduce((sum, { bytes }) => sum + bytes, 0);
    }
  }
  return scheduled;
}

function moveFiles(sql: SqlStorage, kind: "delete" | "data", moved: string, at: string): void {
  const ids = "(SELECT value ->> 'id' FROM json_each(?1))";
  // A table's folder is the same in every version of its row.
  sql.exec(
    `INSERT INTO ducklake_files_scheduled_for_deletion (data_file_id, path, path_is_relative, schedule_start)
     SELECT f.${kind}_file_id, (SELECT s.path || t.path FROM ducklake_table t JOIN ducklake_schema s USING (schema_id)
       WHERE t.table_id = f.table_id LIMIT 1) || f.path, 1, ?2
     FROM ducklake_${kind}_file f WHERE f.${kind}_file_id IN ${ids}`,
    moved,
    at,
  );
  sql.exec(
    `INSERT OR REPLACE INTO fjord_scheduled (file_id, bytes, table_id)
     SELECT value ->> 'id', value ->> 'bytes', f.table_id
     FROM json_each(?1) JOIN ducklake_${kind}_file f ON f.${kind}_file_id = value ->> 'id'`,
    moved,
  );
  if (kind === "data") sql.exec(`DELETE FROM ducklake_file_column_stats WHERE data_file_id IN ${ids}`, moved);
  sql.exec(`DELETE FROM ducklake_${kind}_file WHERE ${kind}_file_id IN ${ids}`, moved);
}

/**
 * Tables no snapshot shows any more, tags, and then schemas. While a table lives all versions of its columns do: by
 * their ids a reader knows which values in its files belong to a column that was dropped.
 */
export function forgetTables(sql: SqlStorage): void {
  const gone = sql
    .exec<{ id: number }>(
      `SELECT table_id AS id FROM ducklake_table GROUP BY table_id
       HAVING min(end_snapshot IS NOT NULL) = 1 AND min(NOT EXISTS (
         SELECT 1 FROM ducklake_snapshot s WHERE s.snapshot_id >= ducklake_table.begin_snapshot
           AND s.snapshot_id < ducklake_table.end_snapshot)) = 1`,
    )
    .toArray()
    .map(({ id }) => id);
  const parts = [
    "table",
    "table_stats",
    "table_column_stats",
    "column",
    "schema_versions",
    "partition_info",
    "partition_column",
    "sort_info",
    "sort_expression",
  ];
  for (const part of gone.length > 0 ? parts : []) {
    sql.exec(`DELETE FROM ducklake_${part} WHERE table_id IN (SELECT value FROM json_each(?))`, JSON.stringify(gone));
  }
  forgetVersions(sql, gone);
  for (const tags of ["ducklake_tag", "ducklake_column_tag"])
    sql.exec(`DELETE FROM ${tags} AS x WHERE ${isUnread("x")}`);
  sql.exec(
    "DELETE FROM ducklake_metadata WHERE scope = 'table' AND scope_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(gone),
  );
  sql.exec(
    `DELETE FROM ducklake_schema AS x WHERE ${isUnread("x")} 
      AND NOT EXISTS (SELECT 1 FROM ducklake_table t WHERE t.schema_id = x.schema_id)`,
  );
}
