// What a sync remembers of a table, kept in the lake in the same transaction as the table's rows.

import { z } from "zod";
import type { TableDigests } from "../../../sources/mysql/extraction/range-digests.ts";
import type { READ_VERSION } from "../../../extract/source-table.ts";
import type { PostgresWatermark } from "../../../sources/postgres/extraction/changed-rows.ts";
import { RangeChecksums } from "../changes/range-checksums.ts";

/** Kept for whoever made it, who can tell whether it still holds. */
const kept = <T>() => z.custom<T>((value) => typeof value === "object" && value !== null);

/**
 * By what the next run tells which rows changed: a `merge`, or, of `late`, an `append` which of them it can't have
 * seen.
 */
export const Baseline = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("postgres"), mark: kept<PostgresWatermark>(), keys: RangeChecksums }),
  z.object({ kind: z.literal("late"), mark: kept<PostgresWatermark>() }),
  z.object({ kind: z.literal("mysql"), digests: kept<TableDigests>() }),
]);
export type Baseline = z.infer<typeof Baseline>;

const figures = { rowsRead: z.number(), rowsWritten: z.number(), rowsDeleted: z.number(), bytesWritten: z.number() };

export const Checkpoint = z.object({
  version: z.literal(1),
  /** The run that wrote it last: another attempt of it has nothing left to do here. */
  runId: z.string(),
  result: z.object({ ...figures, method: z.string(), notes: z.array(z.string()) }),
  /** Columns whose values did not fit the type their declaration suggests. */
  readAs: z.record(z.string(), z.enum(["varchar", "json"])),
  /** The largest field id the lake table ever had. */
  columnIdLast: z.number().int(),
  /** Of the source's columns. */
  fingerprint: z.string(),
  /**
   * Of the oldest values in the lake, as {@link READ_VERSION} counts: rows that are appended leave those that are there
   * as they were read.
   */
  readVersion: z.number().int().default(0),
  /**
   * Whether rows were added to others by `append`, which keeps what a key's row was before. Absent where an earlier
   * version wrote it.
   */
  isAppended: z.boolean().optional(),
  /** Which comments the lake has from it; empty for none. */
  comments: z.string().default(""),
  /**
   * The cursor: the column, as the source spells it, and the largest value in the lake, in DuckDB's words. Null while
   * all are NULL.
   */
  cursor: z.object({ column: z.string(), value: z.string().nullable() }).nullable(),
  memory: Baseline.nullable(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** Whether a key may have several rows in the lake. Of an earlier version, its words tell. */
export const wasAppended = ({ isAppended, result }: Checkpoint): boolean =>
  isAppended ?? /^(new rows by |all rows added$)/.test(result.method);

/** The platform keeps 1 MiB of one note. */
const BYTES_MAX = 1_000_000;

/**
 * Whether what a state remembers is small enough to be kept. What is not is left out: the next run reads the table in
 * full.
 */
export const keepsMemory = (state: Checkpoint): boolean => Buffer.byteLength(JSON.stringify(state)) <= BYTES_MAX;

export const serializeCheckpoint = (state: Checkpoint): string =>
  JSON.stringify(keepsMemory(state) ? state : { ...state, memory: null });

/** `path` is `schema.table` at the source. */
export const checkpointKey = (syncId: string, path: string): string => `sync/${syncId}/${path}`;

/** What can't be read is as good as nothing: the table is read again. */
export function parseCheckpoint(text: string | undefined): Checkpoint | undefined {
  if (text === undefined) return undefined;
  try {
    return Checkpoint.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
