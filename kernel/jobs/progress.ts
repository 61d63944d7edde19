// A sync's job reports the run's progress to the platform with each heartbeat, and at its end.

import { z } from "zod";

/** Why a run that succeeded is to be looked at. */
export const SYNC_WARNINGS = [
  /** A star brought a table once and brings it no more, or another sync owns it: the lake's table stays as it was. */
  "table_skipped",
  /** A star matches no table. */
  "star_without_tables",
  /** Rows were read and not written: `append` found them in the lake under their key, with other values. */
  "rows_not_written",
  /** The source's table was emptied and filled anew: `append` added all its rows to those of the lake. */
  "numbers_began_anew",
] as const;
export type SyncWarning = (typeof SYNC_WARNINGS)[number];

export const TableWarning = z.strictObject({ code: z.enum(SYNC_WARNINGS), text: z.string().max(4_096) });
export type TableWarning = z.infer<typeof TableWarning>;

const count = z.number().int().nonnegative();

/** The sums over a run's tables, including tables that are left out of a very long report. */
export const SyncSums = z.strictObject({
  tables: count,
  done: count,
  failed: count,
  skipped: count,
  rowsRead: count,
  rowsWritten: count,
  rowsDeleted: count,
  bytesWritten: count,
  /** Null where no table's source keeps statistics. */
  rowsEstimated: count.nullable(),
});
export type SyncSums = z.infer<typeof SyncSums>;

/** How far a sync is, table by table. */
export const SyncProgress = z.strictObject({
  /** Absent means a sync. */
  kind: z.literal("sync").optional(),
  tables: z
    .array(
      z.strictObject({
        source: z.string(),
        dest: z.string(),
        phase: z.enum([
          "waiting",
          "reading",
          "comparing",
          "writing",
          "uploading",
          "committing",
          "done",
          "failed",
          "skipped",
        ]),
        rowsRead: count,
        rowsWritten: count,
        rowsDeleted: count,
        bytesWritten: count,
        /** About how many rows the source's table has, by the server's statistics; null where it keeps none. */
        rowsEstimated: count.nullable().optional(),
        /** Keys read, or rows hashed by the server, to find what has changed. */
        rowsCompared: count.optional(),
        method: z.string(),
        notes: z.array(z.string().max(4_096)).max(100),
        /** The `notes` that are warnings. */
        warnings: z.array(TableWarning).max(100).optional(),
        error: z.string().max(4_096).nullable(),
      }),
    )
    .max(10_000),
  /** Notes about the run as a whole. */
  notes: z.array(z.string().max(4_096)).max(100).optional(),
  sums: SyncSums.optional(),
});
export type SyncProgress = z.infer<typeof SyncProgress>;
