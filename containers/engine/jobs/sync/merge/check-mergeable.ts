// A table's load by merge is allowed or refused before any row is read. Pure.

import type { LakeTable } from "../../../../../kernel/lake/lake.ts";
import { READ_ALL, ReadAllInstead } from "../../../extract/changes/read-all-reasons.ts";
import type { ChangedRows, ChangeReport, NewBaseline } from "../../../extract/changes/changes.ts";
import { wasAppended, type Checkpoint } from "../commit/checkpoint.ts";
import type { PreparedTable } from "../sync-run.ts";

/** A table that is merged: the lake has it, from an earlier run of this sync. */
export type Merge = PreparedTable & { lake: LakeTable; checkpoint: Checkpoint };

/** Throws {@link ReadAllInstead} where what the source, the run or the lake's table is wants all of it to be read. */
export function checkMergeable(
  prepared: PreparedTable,
  { changed }: ChangeReport,
): { merge: Merge; changed: ChangedRows } {
  const { run, lake, checkpoint, columnPlan } = prepared;
  if (changed instanceof ReadAllInstead) throw changed;
  if (run.work.full) throw new ReadAllInstead(READ_ALL.askedInFull);
  if (!lake) throw new ReadAllInstead(READ_ALL.noLakeTable);
  if (!checkpoint) throw new ReadAllInstead(READ_ALL.notWrittenBySync);
  if (prepared.isReadOtherwise) throw new ReadAllInstead(READ_ALL.valuesReadOtherwise);
  if (columnPlan.kind !== "keep" || columnPlan.changes.length > 0) throw new ReadAllInstead(READ_ALL.columnsDiffer);
  if (wasAppended(checkpoint)) throw new ReadAllInstead(READ_ALL.appendedBefore);
  return { merge: { ...prepared, lake, checkpoint }, changed };
}

/**
 * A reading that broke off may have lost the source's snapshot: rows of a later one are not those that were digested.
 * (A mark may lie before the rows that are read.)
 */
export const baselineBehind = ({ code }: ReadAllInstead, baseline: NewBaseline | null): NewBaseline | null =>
  code === "outOfCapacity" && baseline?.kind === "digests" ? null : baseline;
