// The ranges of a MySQL table's key that have another digest than at the last run: a merge has to read their rows.

import type { SnapshotRows } from "../../row-collector.ts";
import {
  anyOf,
  type ChangedRows,
  type ChangeRequest,
  type FoundChanges,
  type NewBaseline,
  type Scope,
} from "../../../extract/changes/changes.ts";
import { checksumOfRanges } from "../../../extract/changes/key-checksum.ts";
import { READ_ALL, ReadAllInstead, type ReadAllReason } from "../../../extract/changes/read-all-reasons.ts";
import type { MysqlTable } from "./describe-table.ts";
import { compareDigests, type ChangedRange, type TableDigests } from "./range-digests.ts";

const RANGES_PER_READ = 100;
/** Beyond this share of its rows, and so many, a table is read as a whole. */
const SHARE_MAX = 0.5;
const ROWS_MIN = 50_000;

export async function findChangedRanges(
  snapshot: SnapshotRows,
  table: MysqlTable,
  { before: earlier, isFirstRun, signal, rangeRows, onProgress }: ChangeRequest,
): Promise<FoundChanges> {
  // Digests and rows must be of one moment.
  if (!/^(innodb|rocksdb)$/i.test(table.engine ?? "")) return readAll(READ_ALL.engineWithoutTransactions);
  const stored = earlier?.kind === "digests" ? (earlier.digests as TableDigests) : undefined;
  const remembered = stored && hasKeys(stored) ? stored : undefined;
  const before = remembered?.fingerprint === table.fingerprint ? remembered : undefined;
  onProgress(0);
  const compared = await compareDigests({ snapshot, table, before, signal, rowsMin: rangeRows, onProgress });
  if ("full" in compared) return readAll(isFirstRun ? READ_ALL.firstRun : compared.full);
  const { digests, changed } = compared;
  const baseline: NewBaseline = { kind: "digests", digests, keys: checksumOfRanges(digests.ranges) };
  if (!before) return readAll(remembered ? READ_ALL.columnsChanged : READ_ALL.firstRun, baseline);
  const [rows, rowsChanged] = [rowsIn(digests.ranges), rowsIn(changed)];
  if (rowsChanged > Math.max(ROWS_MIN, rows * SHARE_MAX))
    return readAll(READ_ALL.manyRangesChanged(rowsChanged, rows), baseline);
  return { changed: readRanges(before, digests, changed), baseline };
}

const readAll = (reason: ReadAllReason, baseline: NewBaseline | null = null): FoundChanges => ({
  changed: new ReadAllInstead(reason),
  baseline,
});

const rowsIn = (ranges: readonly { rows: number }[]): number => ranges.reduce((sum, { rows }) => sum + rows, 0);

function readRanges(before: TableDigests, digests: TableDigests, changed: readonly ChangedRange[]): ChangedRows {
  const wheres: string[] = [];
  for (let i = 0; i < changed.length; i += RANGES_PER_READ)
    wheres.push(anyOf(changed.slice(i, i + RANGES_PER_READ).map(({ where }) => where)));
  const ranges = changed.flatMap(({ lake }) => lake ?? []);
  const scope: Scope =
    ranges.length === changed.length
      ? {
          kind: "ranges",
          lakeWhere: anyOf(ranges.map(({ where }) => where)),
          bounds: ranges.map(({ bounds }) => bounds),
        }
      : { kind: "keys" };
  return {
    wheres,
    scope,
    keys: { before: checksumOfRanges(before.ranges), now: checksumOfRanges(digests.ranges), method: "by_source" },
    method: `${changed.length} of ${digests.ranges.length} ranges had changed`,
  };
}

/** Earlier versions kept no sums of keys. */
const hasKeys = ({ ranges }: TableDigests): boolean => ranges.every(({ keys }) => typeof keys === "string");
