// A checkpoint is what a sync remembers of a table. It is committed in one transaction with the table's rows.

import { z } from "zod";
import { TableWarning } from "../../../../../kernel/jobs/progress.ts";
import type { READ_VERSION } from "../../../extract/source-table.ts";
import { RangeChecksums } from "../changes/range-checksums.ts";

/**
 * The baseline that the next run compares the source with. A `merge` sees by it which rows changed; an `append` sees by
 * `late` which rows the last run can't have seen.
 */
export type Baseline =
  | { kind: "mark"; mark: object; keys: RangeChecksums; wereKeysGone: boolean }
  | { kind: "late"; mark: object }
  | { kind: "digests"; digests: object };

/** Only the code that made the value reads it again, and checks whether it still holds. */
const opaque = z.custom<object>((value) => typeof value === "object" && value !== null);

/** Earlier versions named two kinds by the databases that have them. */
const EARLIER_KINDS: Record<string, Baseline["kind"]> = { postgres: "mark", mysql: "digests" };

const StoredBaseline: z.ZodType<Baseline> = z.preprocess(
  (stored: { kind?: unknown } | null) =>
    stored && { ...stored, kind: EARLIER_KINDS[String(stored.kind)] ?? stored.kind },
  z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("mark"),
      mark: opaque,
      keys: RangeChecksums,
      /** Absent where an earlier version wrote it. */
      wereKeysGone: z.boolean().default(false),
    }),
    z.object({ kind: z.literal("late"), mark: opaque }),
    z.object({ kind: z.literal("digests"), digests: opaque }),
  ]),
);

const figures = { rowsRead: z.number(), rowsWritten: z.number(), rowsDeleted: z.number(), bytesWritten: z.number() };

/** The checkpoint as it is stored, in JSON. */
const StoredCheckpoint = z.object({
  version: z.literal(1),
  /** The run that wrote it last: another attempt of it has nothing left to do here. */
  runId: z.string(),
  result: z.object({
    ...figures,
    method: z.string(),
    notes: z.array(z.string()),
    warnings: z.array(TableWarning).default([]),
  }),
  /** Columns whose values did not fit the type their declaration suggests. */
  readAs: z.record(z.string(), z.enum(["varchar", "json"])),
  /** The largest field id the lake table ever had. */
  columnIdLast: z.number().int(),
  /** Fingerprint of the source's columns. */
  fingerprint: z.string(),
  /**
   * The {@link READ_VERSION} of the oldest values in the lake: appending rows leaves the rows that are there as they
   * were read.
   */
  readVersion: z.number().int().default(0),
  /**
   * Whether rows were added to others by `append`, which keeps what a key's row was before. Absent where an earlier
   * version wrote it.
   */
  isAppended: z.boolean().optional(),
  /** Columns that {@link columnsWithGaps} names. */
  columnsWithGaps: z.array(z.string()).default([]),
  /** The fingerprint of the comments that the lake has from it; empty for none. */
  comments: z.string().default(""),
  /**
   * The cursor: the column, as the source spells it, and the largest value in the lake, in DuckDB's words. Null while
   * all are NULL.
   */
  cursor: z
    .object({
      column: z.string(),
      value: z.string().nullable(),
      /**
       * The newest file that the lake had before the source's numbers began anew; null where they never did. Rows of
       * this file and of older ones are others than the source's.
       */
      fileIdBefore: z.number().int().nullable().default(null),
    })
    .nullable(),
  memory: StoredBaseline.nullable(),
});
type StoredCheckpoint = z.infer<typeof StoredCheckpoint>;

/** `baseline` is null where the next run reads everything. */
export type Checkpoint = Omit<StoredCheckpoint, "memory"> & { baseline: Baseline | null };

/** Whether a key may have several rows in the lake. An earlier version's checkpoint says it by its method alone. */
export const wasAppended = ({ isAppended, result }: Checkpoint): boolean =>
  isAppended ?? /^(new rows by |all rows added$)/.test(result.method);

/** `path` is `schema.table` at the source. */
export const checkpointKey = (syncId: string, path: string): string => `sync/${syncId}/${path}`;

/** The platform keeps 1 MiB under one key. */
const BYTES_MAX = 1_000_000;

/** Whether the text is small enough to be kept. */
export const fitsCheckpoint = (text: string): boolean => Buffer.byteLength(text) <= BYTES_MAX;

export const serializeCheckpoint = ({ baseline, ...rest }: Checkpoint): string =>
  JSON.stringify({ ...rest, memory: baseline } satisfies StoredCheckpoint);

/** A checkpoint that can't be read counts as none: the table is read again. */
export function parseCheckpoint(text: string | undefined): Checkpoint | undefined {
  if (text === undefined) return undefined;
  try {
    const stored = StoredCheckpoint.safeParse(JSON.parse(text)).data;
    if (!stored) return undefined;
    const { memory, ...rest } = stored;
    return { ...rest, baseline: memory };
  } catch {
    return undefined;
  }
}
