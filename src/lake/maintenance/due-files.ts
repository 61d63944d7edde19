// The schedule of deletion: files that no snapshot reads, whose objects go after a grace.

import { LAKE_CATALOG_LIMITS } from "../format/limits.ts";
import { formatInstant } from "../format/instant.ts";
import { readLakeRules } from "./option-values.ts";

/** Files that are due, by paths relative to the lake's root. */
export type ScheduledFile = { id: number; path: string; bytes: number };

/**
 * The files scheduled before the instant, oldest first. A lake that keeps them longer than the grace by its option
 * `delete_older_than` keeps them that much longer. Deleting an object twice is harmless, so nothing is claimed.
 */
export const listDueFiles = (sql: SqlStorage, scheduledBeforeMs: number, max: number): ScheduledFile[] =>
  sql
    .exec<ScheduledFile>(
      `SELECT data_file_id AS id, path, coalesce(bytes, 0) AS bytes
       FROM ducklake_files_scheduled_for_deletion LEFT JOIN fjord_scheduled ON file_id = data_file_id
       WHERE schedule_start < ? ORDER BY schedule_start, data_file_id LIMIT ?`,
      formatInstant(scheduledBeforeMs - keptBeyondGraceMs(sql)),
      max,
    )
    .toArray();

const keptBeyondGraceMs = (sql: SqlStorage): number =>
  readLakeRules(sql).deleteOlderThanMs - LAKE_CATALOG_LIMITS.graceMs;

/** Their objects are gone. Answers how many were on the schedule. */
export function confirmDeleted(sql: SqlStorage, ids: readonly number[]): number {
  sql.exec("DELETE FROM fjord_scheduled WHERE file_id IN (SELECT value FROM json_each(?))", JSON.stringify(ids));
  return sql
    .exec(
      `DELETE FROM ducklake_files_scheduled_for_deletion WHERE data_file_id IN (SELECT value FROM json_each(?))
        RETURNING 1`,
      JSON.stringify(ids),
    )
    .toArray().length;
}
