// A `merge` looks at the rows that changed, by what the source says and what the last run's checkpoint compares with.

import type { ChangedRows, Changes, ChangeReport } from "../../../extract/changes/changes.ts";
import { READ_ALL, ReadAllInstead } from "../../../extract/changes/read-all-reasons.ts";
import { isRepeatable } from "../../../extract/changes/key-checksum.ts";
import { withConnection } from "../rows/scratch-tables.ts";
import type { PreparedTable } from "../sync-run.ts";
import { rereadFrom, type Cursor } from "../tables/cursor.ts";
import { totalChecksum } from "./range-checksums.ts";

export async function findChanges(prepared: PreparedTable): Promise<ChangeReport> {
  const { run, table, cursor, checkpoint, progress } = prepared;
  if (cursor) return findByCursor(prepared, cursor);
  const baseline = checkpoint?.baseline;
  const isForgotten =
    baseline?.kind === "mark" &&
    !(await withConnection(run.staging, (connection) => isRepeatable(connection, baseline.keys.digest)));
  try {
    const found = await run.sourceSnapshot.findChanges({
      table,
      before: isForgotten
        ? undefined
        : baseline?.kind === "mark"
          ? { ...baseline, keys: totalChecksum(baseline.keys) }
          : baseline?.kind === "digests"
            ? baseline
            : undefined,
      isFirstRun: checkpoint === undefined,
      signal: run.signal,
      rangeRows: run.rangeRows,
      onProgress: (rows) => void Object.assign(progress, { phase: "comparing", rowsCompared: rows }),
    });
    return isForgotten ? { ...found, changed: new ReadAllInstead(READ_ALL.keysSummedOtherwise) } : found;
  } finally {
    progress.phase = "reading";
  }
}

async function findByCursor({ run, table }: PreparedTable, cursor: Cursor): Promise<ChangeReport> {
  const from = await rereadFrom(run.staging, cursor);
  if (from === null) return { changed: new ReadAllInstead(READ_ALL.noCursorValue), baseline: null };
  if ((await run.sourceSnapshot.keyIsUnique?.(table, run.signal)) === false)
    return { changed: new ReadAllInstead(READ_ALL.keyNotUnique), baseline: null };
  const changed: ChangedRows = {
    wheres: [run.sourceSnapshot.isFrom(cursor.column, from)],
    compared: { kind: "read" },
    method: `rows changed by ${cursor.column.name}`,
  };
  return { changed, baseline: null };
}

/**
 * The baseline that an `append` leaves to the next run, which finds rows that were committed late by it. Null: rows
 * without a key can't be distinguished, or the server does not say when they were written.
 */
export function lateBaseline({ run: { sourceSnapshot }, table }: PreparedTable): { kind: "late"; mark: object } | null {
  const mark = table.primaryKey.length > 0 ? (sourceSnapshot.late?.mark(table) ?? null) : null;
  return mark && { kind: "late", mark };
}

/**
 * The rows that were committed too late for the last run, wherever their cursor stands; undefined where the last run
 * left no baseline for that.
 */
export function findLateRows({ run: { sourceSnapshot }, table, checkpoint }: PreparedTable): Changes | undefined {
  const baseline = checkpoint?.baseline;
  if (!sourceSnapshot.late || table.primaryKey.length === 0 || !baseline || baseline.kind === "digests")
    return undefined;
  return sourceSnapshot.late.insertedSince(baseline.mark, table);
}
