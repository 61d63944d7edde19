// The ranges of a MySQL table's key that have another digest than at the last run: a merge has to read their rows.

import type { SnapshotRows } from "../../row-collector.ts";
import {
  readWholeTable,
  type ChangeRequest,
  type ChangeReport,
  type NewBaseline,
} from "../../../extract/changes/changes.ts";
import { checksumOfRanges } from "../../../extract/changes/key-checksum.ts";
import { READ_ALL } from "../../../extract/changes/read-all-reasons.ts";
import { readChangedRanges } from "../../digests/changed-ranges.ts";
import type { MysqlTable } from "./describe-table.ts";
import { compareDigests, type TableDigests } from "./range-digests.ts";

export async function findChangedRanges(
  snapshot: SnapshotRows,
  table: MysqlTable,
  { before: earlier, isFirstRun, signal, rangeRows, onProgress }: ChangeRequest,
): Promise<ChangeReport> {
  // Digests and rows must be of one moment.
  if (!/^(innodb|rocksdb)$/i.test(table.engine ?? "")) return readWholeTable(READ_ALL.engineWithoutTransactions);
  const stored = earlier?.kind === "digests" ? (earlier.digests as TableDigests) : undefined;
  const remembered = stored && hasKeys(stored) ? stored : undefined;
  const before = remembered?.fingerprint === table.fingerprint ? remembered : undefined;
  onProgress(0);
  const compared = await compareDigests({ snapshot, table, before, signal, rowsMin: rangeRows, onProgress });
  if ("full" in compared) return readWholeTable(isFirstRun ? READ_ALL.firstRun : compared.full);
  const { digests, changed } = compared;
  const baseline = { kind: "digests", digests, keys: checksumOfRanges(digests.ranges) } satisfies NewBaseline;
  if (!before) return readWholeTable(remembered ? READ_ALL.columnsChanged : READ_ALL.firstRun, baseline);
  const comparison = {
    changed,
    ranges: { changed: changed.length, all: digests.ranges.length },
    rows: { changed: rowsIn(changed), all: rowsIn(digests.ranges) },
    keys: { before: checksumOfRanges(before.ranges), now: baseline.keys },
  };
  return readChangedRanges(comparison, baseline);
}

const rowsIn = (ranges: readonly { rows: number }[]): number => ranges.reduce((sum, { rows }) => sum + rows, 0);

/** Earlier versions kept no sums of keys. */
const hasKeys = ({ ranges }: TableDigests): boolean => ranges.every(({ keys }) => typeof keys === "string");
