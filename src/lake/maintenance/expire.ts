// The end of snapshots, and of the files that only they read: first forgotten and scheduled, after a grace deleted,
// then unscheduled.

import { LAKE_CATALOG_LIMITS } from "../format/limits.ts";
import { formatInstant } from "../format/instant.ts";
import { endObjects } from "../iceberg/objects.ts";
import { findOldestBase } from "../writers/leases.ts";
import { forgetTables, isUnread, isUnreadBefore, scheduleFiles, type Scheduled } from "./forget.ts";
import { readLakeRules } from "./option-values.ts";

/** Which snapshots end: those older than an instant, or those named. The newest never does. */
export type Expiry = { olderThanMs: number } | { snapshotIds: readonly number[] };

/** `isMore` says that the call's bound was reached, and another would go on. */
export type Expired = { snapshotIds: number[]; files: number; isMore: boolean };

/** Objects are left alone here: a statement may be reading them still. */
export function expireSnapshots(storage: DurableObjectStorage, expiry: Expiry, nowMs: number): Expired {
  return storage.transactionSync(() => {
    const { sql } = storage;
    const found = findExpired(sql, expiry);
    const snapshotIds = found.slice(0, LAKE_CATALOG_LIMITS.snapshotsExpiredMax);
    if (snapshotIds.length === 0) return { snapshotIds, files: 0, isMore: false };
    forgetSnapshots(sql, snapshotIds);
    const { files } = scheduleFiles(sql, isUnread, { max: Infinity, nowMs });
    forgetTables(sql);
    endObjects(sql, { max: Infinity, nowMs });
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
    .exec<{ id: number }>(query, bound, LAKE_CATALOG_LIMITS.snapshotsExpiredMax + 1)
    .toArray()
    .map(({ id }) => id);
}

function forgetSnapshots(sql: SqlStorage, snapshotIds: readonly number[]): void {
  for (const table of ["ducklake_snapshot", "ducklake_snapshot_changes"]) {
    sql.exec(`DELETE FROM ${table} WHERE snapshot_id IN (SELECT value FROM json_each(?))`, JSON.stringify(snapshotIds));
  }
}

/** What one step takes at most: snapshots, and the files that only they read. */
const STEP = { snapshotsMax: 1_000, filesMax: 5_000 } as const;

/** `isMore` says that another step would go on. */
export type ExpiredStep = Scheduled & { snapshots: number; isMore: boolean };

/**
 * One step of expiry by the lake's rules ({@link findExpiryBound}). A file is scheduled when no snapshot that is left
 * reads it; what a step does not come to is left as it is, and scheduled by the next.
 */
export function expireDue(storage: DurableObjectStorage, nowMs: number): ExpiredStep {
  return storage.transactionSync(() => {
    const { sql } = storage;
    const snapshotIds = sql
      .exec<{ id: number }>(
        "SELECT snapshot_id AS id FROM ducklake_snapshot WHERE snapshot_id < ? ORDER BY id LIMIT ?",
        findExpiryBound(sql, nowMs),
        STEP.snapshotsMax,
      )
      .toArray()
      .map(({ id }) => id);
    forgetSnapshots(sql, snapshotIds);
    const scheduled = scheduleFiles(sql, isUnreadBefore(readOldest(sql)), { max: STEP.filesMax, nowMs });
    const isMore = snapshotIds.length === STEP.snapshotsMax || scheduled.files >= STEP.filesMax;
    // A table's row says where its files lie: it goes after the last of them.
    if (isMore) return { ...scheduled, snapshots: snapshotIds.length, isMore };
    if (snapshotIds.length + scheduled.files > 0) forgetTables(sql);
    const ended = endObjects(sql, { max: STEP.filesMax, nowMs });
    return {
      files: scheduled.files + ended.files,
      bytes: scheduled.bytes + ended.bytes,
      snapshots: snapshotIds.length,
      isMore: ended.files === STEP.filesMax,
    };
  });
}

const readOldest = (sql: SqlStorage): number =>
  sql.exec<{ id: number }>("SELECT min(snapshot_id) AS id FROM ducklake_snapshot").one().id;

/**
 * The oldest snapshot that is kept; those before it expire. Kept is
 * - what was the newest within the age `expire_older_than`, so that every instant of it can be read; the age is never
 *   less than the longest statement, which reads what was the newest when it began;
 * - the newest `retain_last`;
 * - what a live job or statement works from, and all that came after: its commit is judged by what they changed.
 */
export function findExpiryBound(sql: SqlStorage, nowMs: number): number {
  const { expireOlderThanMs, retainLast } = readLakeRules(sql);
  const find = (query: string, bound: string | number): number =>
    sql.exec<{ id: number }>(query, bound).toArray()[0]?.id ?? 0;
  return Math.min(
    find(
      "SELECT snapshot_id AS id FROM ducklake_snapshot WHERE snapshot_time < ? ORDER BY snapshot_time DESC LIMIT 1",
      formatInstant(nowMs - expireOlderThanMs),
    ),
    find("SELECT snapshot_id AS id FROM ducklake_snapshot ORDER BY id DESC LIMIT 1 OFFSET ?", retainLast - 1),
    findOldestBase(sql, nowMs) ?? Infinity,
  );
}
