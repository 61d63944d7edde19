// The end of snapshots, and of the files that only they read: first forgotten and scheduled, after a grace deleted,
// then unscheduled.

import { LIMITS } from "../../../core/limits.ts";
import { formatInstant } from "../catalog/instant.ts";

/** Which snapshots end: those older than an instant, or those named. The newest never does. */
export type Expiry = { olderThanMs: number } | { snapshotIds: readonly number[] };

/** `isMore` says that the call's bound was reached, and another would go on. */
export type Expired = { snapshotIds: number[]; files: number; isMore: boolean };

/** Files that are due, by paths relative to the lake's root. */
export type ScheduledFile = { id: number; path: string };

/** No snapshot that is left reads the row. */
const isUnread = (row: string): string =>
  `(${row}.end_snapshot IS NOT NULL AND NOT EXISTS (
     SELECT 1 FROM ducklake_snapshot s
     WHERE s.snapshot_id >= ${row}.begin_snapshot AND s.snapshot_id < ${row}.end_snapshot))`;

/** Objects are left alone here: a statement may be reading them still. */
export function expireSnapshots(storage: DurableObjectStorage, expiry: Expiry, nowMs: number): Expired {
  return storage.transactionSync(() => {
    const { sql } = storage;
    const found = findExpired(sql, expiry);
    const snapshotIds = found.slice(0, LIMITS.lakeSnapshotsExpiredMax);
    if (snapshotIds.length === 0) return { snapshotIds, files: 0, isMore: false };
    for (const table of ["ducklake_snapshot", "ducklake_snapshot_changes"]) {
      sql.exec(
        `DELETE FROM ${table} WHERE snapshot_id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(snapshotIds),
      );
    }
    const files = scheduleFiles(sql, nowMs);
    forgetTables(sql);
    return { snapshotIds, files, isMore: found.length > snapshotIds.length };
  });
}

function findExpired(sql: SqlStorage, expiry: Expiry): number[] {
  const [which, bound] =
    "olderThanMs" in expiry
      ? ["snapshot_time < ?", formatInstant(expiry.olderThanMs)]
      : ["snapshot_id IN (SELECT value FROM json_each(?))", JSON.stringify(expiry.snapshotIds)];
  const query = `SELECT snapshot_id AS id FROM ducklake_snapshot
    WHERE ${which} AND snapshot_id < (SELECT max(snapshot_id) FROM ducklake_snapshot) ORDER BY id LIMIT ?`;
  return sql
    .exec<{ id: number }>(query, bound, LIMITS.lakeSnapshotsExpiredMax + 1)
    .toArray()
    .map(({ id }) => id);
}

/**
 * A file leaves its table and enters the schedule in one transaction, so it is never both in use and about to be
 * deleted.
 */
function scheduleFiles(sql: SqlStorage, nowMs: number): number {
  let files = 0;
  // A table's folder is the same in every version of its row.
  const schedule = (table: string, id: string): void => {
    const scheduled = sql.exec(
      `INSERT INTO ducklake_files_scheduled_for_deletion (data_file_id, path, path_is_relative, schedule_start)
       SELECT f.${id}, (SELECT s.path || t.path FROM ducklake_table t JOIN ducklake_schema s USING (schema_id)
         WHERE t.table_id = f.table_id LIMIT 1) || f.path, 1, ?
       FROM ${table} f WHERE ${isUnread("f")} RETURNING 1`,
      formatInstant(nowMs),
    );
    files += scheduled.toArray().length;
    sql.exec(`DELETE FROM ${table} AS f WHERE ${isUnread("f")}`);
  };
  sql.exec(
    `DELETE FROM ducklake_file_column_stats WHERE data_file_id IN (SELECT data_file_id FROM ducklake_data_file f
      WHERE ${isUnread("f")})`,
  );
  schedule("ducklake_delete_file", "delete_file_id");
  schedule("ducklake_data_file", "data_file_id");
  return files;
}

/**
 * Tables no snapshot shows any more, tags, and then schemas. While a table lives all versions of its columns do: by
 * their ids a reader knows which values in its files belong to a column that was dropped.
 */
function forgetTables(sql: SqlStorage): void {
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

/**
 * The files scheduled before the instant, oldest first. Deleting an object twice is harmless, so nothing is claimed.
 */
export const listDueFiles = (sql: SqlStorage, scheduledBeforeMs: number, max: number): ScheduledFile[] =>
  sql
    .exec<ScheduledFile>(
      `SELECT data_file_id AS id, path FROM ducklake_files_scheduled_for_deletion WHERE schedule_start < ?
        ORDER BY schedule_start, data_file_id LIMIT ?`,
      formatInstant(scheduledBeforeMs),
      max,
    )
    .toArray();

/** Their objects are gone. Answers how many were on the schedule. */
export const confirmDeleted = (sql: SqlStorage, ids: readonly number[]): number =>
  sql
    .exec(
      `DELETE FROM ducklake_files_scheduled_for_deletion WHERE data_file_id IN (SELECT value FROM json_each(?))
        RETURNING 1`,
      JSON.stringify(ids),
    )
    .toArray().length;
