// A run as D1 keeps it: between the row's columns and the run that the rules are about. Pure.

import { getTableColumns } from "drizzle-orm";
import type { SyncProgress } from "../../../../kernel/jobs/progress.ts";
import { syncRuns } from "../../../platform/db/schema/schema.ts";
import { packProgress } from "../../work-model/runs/pack-progress.ts";
import { keptRunOf, newRowOf } from "../../work-model/run.ts";
import { summaryOf, totalsOf, type Run } from "./run.ts";

export type Row = typeof syncRuns.$inferSelect;
type ShownRow = Omit<Row, "progress">;

const { progress: _, ...SHOWN } = getTableColumns(syncRuns);
/** All but the progress, which may be long. */
export const SHOWN_COLUMNS = SHOWN;

export const progressColumns = (progress: SyncProgress) => ({
  progress: packProgress(progress, withoutNotes),
  summary: summaryOf(progress),
  ...totalsOf(progress),
});

/** Where thousands of tables have much to report, their notes go first. */
const withoutNotes = (progress: SyncProgress): SyncProgress => ({
  ...progress,
  tables: progress.tables.map((table) => ({ ...table, notes: [], error: table.error?.slice(0, 100) ?? null })),
});

export function rowOf(run: Run): Row {
  const { syncId, sourceId, lakeId, destSchema, cause, scheduledFor, isFull, onlyTables, state, totals } = run;
  return {
    ...newRowOf(run),
    ...{ syncId, sourceId, lakeId, destSchema, cause, scheduledFor, isFull, onlyTables, state },
    ...totals,
    summary: null,
  };
}

export function runOf(row: ShownRow): Run {
  const { syncId, sourceId, lakeId, destSchema, cause, scheduledFor, isFull, onlyTables, state, summary } = row;
  const { rowsRead, rowsWritten, rowsDeleted, bytesWritten } = row;
  return {
    ...keptRunOf(row),
    ...{ syncId, sourceId, lakeId, destSchema, cause, scheduledFor, isFull, onlyTables, state, summary },
    totals: { rowsRead, rowsWritten, rowsDeleted, bytesWritten },
  };
}
