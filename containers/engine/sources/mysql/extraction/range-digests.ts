// The ranges of a MySQL table that changed since an earlier run are found by digests that the server makes of their
// rows.
//
// The table is cut along its primary key into ranges of some ten thousand rows. For each, the server hashes every row
// (SHA-256, cut to 128 bits, of an encoding in which no two rows look alike) and then the row hashes in key order. The
// server sends a digest for each range; ranges whose digest is as it was are not read. The server reads and hashes the
// whole table each time. It also sums up the keys of ranges that changed: by that sum a merge sees whether the lake has
// come to the same keys before it commits.

import type { SnapshotRows } from "../../row-collector.ts";
import { READ_ALL, type ReadAllReason } from "../../../extract/changes/read-all-reasons.ts";
import type { ChangedRange } from "../../digests/changed-ranges.ts";
import type { MysqlTable } from "./describe-table.ts";
import {
  chooseRangeRows,
  digestRange,
  RANGES_MAX,
  tableInKeyOrder,
  type Digester,
  type RangeDigest,
} from "./digest-range.ts";
import { keyColumns, lakeRange, sourceCondition, type Key, type KeyRange } from "./key-ranges.ts";
import { sumKeys, type RangeKeys } from "./key-sum.ts";

/** A table's digests in its checkpoint: plain data, well below a megabyte. */
export type TableDigests = {
  fingerprint: string;
  /** In key order; each begins after the one before it, the last has no end. */
  ranges: (RangeDigest & RangeKeys)[];
};

export type CountedRange = ChangedRange & { rows: number };

export type ComparedDigests = { digests: TableDigests; changed: CountedRange[] } | { full: ReadAllReason };

const RANGE_ROWS_MIN = 20_000;

export type DigestComparison = {
  snapshot: SnapshotRows;
  table: MysqlTable;
  /** The last run's digests. Without them the table is digested for the first time, and all of it counts as changed. */
  before?: TableDigests | undefined;
  signal: AbortSignal;
  /** Rows of a range, so that there are few of a small table. */
  rowsMin?: number | undefined;
  /** Gets how many rows the server has hashed so far. */
  onProgress?(rows: number): void;
};

/** Digests a table, by the ranges of `before` where they can still be used, and finds those that differ. */
export async function compareDigests(comparison: DigestComparison): Promise<ComparedDigests> {
  const { snapshot, table, before, signal, rowsMin = RANGE_ROWS_MIN, onProgress } = comparison;
  const key = keyColumns(table);
  if (!key) return { full: table.primaryKey.length === 0 ? READ_ALL.keyless : READ_ALL.keyWithoutRanges };
  const known = before?.fingerprint === table.fingerprint ? before.ranges : [UNMEASURED];
  let rowsHashed = 0;
  const digester: Digester = {
    snapshot,
    table,
    key,
    rowsMax: await chooseRangeRows(comparison, rowsMin),
    signal,
    onRange: (rows) => onProgress?.((rowsHashed += rows)),
  };
  const { ranges, changed } = await digestRanges(digester, known);
  if (ranges.length > RANGES_MAX) return { full: READ_ALL.outgrownRanges };
  // Rows with an invalid date in the key are sorted by it in MySQL, and have NULL for it in the lake.
  const isUndated = [...known, ...ranges].some(({ undated }) => undated !== undefined);
  return {
    digests: { fingerprint: table.fingerprint, ranges },
    changed: changed.map(({ range, rows }) => {
      const lake = isUndated ? undefined : lakeRange(key, range);
      return { where: sourceCondition(key, range), rows, ...(lake && { lake }) };
    }),
  };
}

type MeasuredRange = TableDigests["ranges"][number];

/** All of a table that has not been digested yet. */
const UNMEASURED: MeasuredRange = { upTo: null, rows: -1, digest: "", keys: "" };

async function digestRanges(
  digester: Digester,
  known: readonly MeasuredRange[],
): Promise<{ ranges: MeasuredRange[]; changed: { range: KeyRange; rows: number }[] }> {
  const ranges: MeasuredRange[] = [];
  const changed: { range: KeyRange; rows: number }[] = [];
  let after: Key | null = null;
  for (const one of known) {
    for (const now of await digestRange(digester, { after, upTo: one.upTo }, one.rows < 0)) {
      const range = { after, upTo: now.upTo };
      after = now.upTo;
      if (now.digest === one.digest && now.rows === one.rows && now.upTo === one.upTo) ranges.push(one);
      else {
        changed.push({ range, rows: now.rows });
        ranges.push({ ...now, ...(await sumRange(digester, range)) });
      }
    }
  }
  return { ranges, changed };
}

const sumRange = ({ snapshot, table, key, signal }: Digester, range: KeyRange): Promise<RangeKeys> =>
  sumKeys(snapshot, key, `${tableInKeyOrder(table)} WHERE ${sourceCondition(key, range)}`, signal);
