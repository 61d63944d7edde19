// Bounds of a lake's catalog: how much it takes and answers, and how long it keeps what.

import { LIMITS } from "../../core/limits.ts";

export const LAKE_CATALOG_LIMITS = {
  columnsPerTableMax: 2_000,
  columnDepthMax: 16,
  /** One bound in a column's statistics has so many characters; writers truncate long text well below. */
  boundCharactersMax: 4_096,
  plannedFilesMax: 100_000,
  /** Iceberg's metadata names the newest snapshots of a table, so many at most. */
  icebergSnapshotsMax: 100,
  /** A table's metadata names so many columns of all schemas: older snapshots are left out for more. */
  icebergColumnsMax: 10_000,
  /** A manifest has statistics of so many columns, as Iceberg's own writers do: 500 files' go in one message. */
  icebergColumnsWithStatisticsMax: 100,
  /** One note of a writer's, kept with its commit, has so many bytes. */
  stateBytesMax: 1024 * 1024,
  progressBytesMax: 1024 * 1024,
  snapshotsExpiredMax: 10_000,
  /**
   * No snapshot expires that was the newest less long ago: the longest statement, which may read it still, and the time
   * between its grant and its start.
   */
  snapshotKeptMsMin: LIMITS.queryDeadlineMsMax + 900_000,
  /** A lease that ran out longer ago keeps no snapshot: whoever held it has no token any more. */
  leaseSparesMs: LIMITS.syncRunMsMax,
  /** That a statement was ended is kept for longer than any statement's token is good. */
  statementEndKeptMs: LIMITS.queryDeadlineMsMax + 900_000,
  /** A repeated commit is recognised for this long. */
  commitKeptMs: 30 * 86_400_000,
  /** A catalog forgets what readers may see when nobody has read by it for so long. */
  accessKeptMs: 86_400_000,
  /**
   * An object that nothing names any more is left alone for so long: longer than any run may go on and any URL that was
   * signed for it is good, and than any statement reads.
   */
  graceMs: 48 * 3_600_000,
} as const;
