// A source says which rows of a table changed since an earlier run: which to read, which of the lake's may have to go,
// and what the next run is to compare with.

import type { SourceColumn, SourceTable } from "../source-table.ts";
import type { ChecksumMethod, KeyChecksum } from "./key-checksum.ts";
import { ReadAllInstead, type ReadAllReason } from "./read-all-reasons.ts";

/** Rows to read, as a condition in the source's SQL; or why all have to be, in words for people. */
export type Changes = { where: string } | { full: ReadAllReason };

/**
 * The bounds are values of a range's first key column, as the lake's catalog spells them; null is no bound. Both are
 * within it.
 */
export type FirstBounds = { from: string | null; upTo: string | null };

/** The rows of the lake that may have to be deleted. Rows whose key was read are compared in any case. */
export type ComparedRows =
  /** Also those whose key the source has no more: all its keys are read where rows are missing. */
  | { kind: "keys" }
  /** Also those within `lakeWhere` that were not read: all that the source has there was read. */
  | { kind: "ranges"; lakeWhere: string; bounds: readonly FirstBounds[] }
  /** No others: rows that were deleted at the source go unseen. */
  | { kind: "read" };

/**
 * The checksum that the lake's keys come to, and the one that they have to come to. Without `now` the source's keys are
 * read and checksummed.
 */
export type KeyTotals = { before: KeyChecksum; now?: KeyChecksum; method: ChecksumMethod };

/**
 * The source names the rows that changed in the statement that reads all keys, which saves it another scan: `column` is
 * a text, and NULL in rows that did not change. `where` is the condition that reads rows by their names, in the same
 * snapshot.
 */
export type NamedRows = { column: SourceColumn; where(names: readonly string[]): string };

/** A source's own sum of all keys of a table, by a digest that the engine does not know. */
export type KeySum = { rows: number; sum: string };

/**
 * The sums of the last run and of now; `column` is the digest of a row's key. Where the sum has grown by the keys that
 * are new in the lake, none is gone at the source, and its keys need not be read.
 */
export type SummedKeys = { before: KeySum; now: KeySum; column: SourceColumn };

export type ChangedRows = {
  /** Conditions at the source, in its SQL; together they name the rows to read. */
  wheres: string[];
  compared: ComparedRows;
  keys?: KeyTotals;
  named?: NamedRows;
  summed?: SummedKeys;
  /** At least as many rows satisfy one of `wheres`, where the source has counted them. */
  rowsMin?: number;
  /** How it was found, for people. */
  method: string;
};

/**
 * A run leaves this to the next: by a `mark` the source knows what was written since, and the engine keeps checksums of
 * the keys beside; `digests` are of ranges of the table, and the source has summed the keys itself. Both are plain data
 * that only the source's kind reads again.
 */
export type NewBaseline =
  | { kind: "mark"; mark: object }
  /** The mark of an `append`, for rows that were committed late. */
  | { kind: "late"; mark: object }
  | { kind: "digests"; digests: object; keys: KeyChecksum };

/**
 * The baseline as the next run gets it; `keys`: of all rows that the lake has. `wereKeysGone`: the last run found keys
 * that were gone at the source.
 */
export type EarlierBaseline =
  | { kind: "mark"; mark: object; keys: KeyChecksum; wereKeysGone: boolean }
  | { kind: "digests"; digests: object };

export type ChangeRequest = {
  /** As the snapshot described it. */
  table: SourceTable;
  /** The baseline of the last run; absent where that run left nothing to compare with. */
  before: EarlierBaseline | undefined;
  /** Whether no run has read the table yet, which needs no note. */
  isFirstRun: boolean;
  signal: AbortSignal;
  /** Rows of a range, where rows are compared range by range and a test wants many ranges of a small table. */
  rangeRows: number | undefined;
  /** Gets how many rows the source has compared so far. */
  onProgress(rowsCompared: number): void;
};

/** `changed`: or why everything is to be read. `baseline` is for the next run either way; null: it reads everything. */
export type ChangeReport = { changed: ChangedRows | ReadAllInstead; baseline: NewBaseline | null };

/** Has the whole table read; without a `baseline`, the next run reads it too. */
export const readWholeTable = (reason: ReadAllReason, baseline: NewBaseline | null = null): ChangeReport => ({
  changed: new ReadAllInstead(reason),
  baseline,
});

export const anyOf = (conditions: readonly string[]): string => conditions.map((each) => `(${each})`).join(" OR ");
