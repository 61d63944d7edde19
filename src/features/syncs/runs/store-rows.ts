// A run as D1 keeps it: between the row's columns and the run that the rules are about. Pure.

import { and, eq, getTableColumns, type SQL } from "drizzle-orm";
import type { SyncProgress } from "../../../../kernel/jobs/progress.ts";
import { syncRuns } from "../../../platform/db/schema/schema.ts";
import { packProgress } from "../../work-model/pack-progress.ts";
import { stateColumns, workRunOf } from "../../work-model/run.ts";
import { summaryOf, totalsOf, type Run } from "./run.ts";

export type Row = typeof syncRuns.$inferSelect;
type ShownRow = Omit<Row, "progress">;

const { progress: _, ...SHOWN } = getTableColumns(syncRuns);
/** All but the progress, which may be long. */
export const SHOWN_COLUMNS = SHOWN;

export const isRun = (teamId: string, id: string): SQL => and(eq(syncRuns.teamId, teamId), eq(syncRuns.id, id))!;

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
  const { id, teamId, syncId, sourceId, lakeId, destSchema, cause, scheduledFor, isFull, onlyTables } = run;
  return {
    ...{ id, teamId, syncId, sourceId, lakeId, destSchema, cause, scheduledFor, isFull, onlyTables },
    ...stateColumns(run),
    state: run.state,
    cancelRequestedAt: null,
    cancelReason: run.cancelReason,
    cancelCode: run.cancelCode,
    wokenAt: null,
    ...run.totals,
    progress: null,
    summary: null,
    revision: run.revision,
    endedAt: run.endedAt,
    createdAt: run.createdAt,
    updatedAt: run.updatedAt,
  };
}

export function runOf(row: ShownRow): Run;
export function runOf(row: ShownRow | undefined): Run | undefined;
export function runOf(row: ShownRow | undefined): Run | undefined {
  if (!row) return undefined;
  const { syncId, sourceId, lakeId, destSchema, cause, scheduledFor, isFull, onlyTables, summary } = row;
  const { rowsRead, rowsWritten, rowsDeleted, bytesWritten } = row;
  return {
    ...workRunOf(row),
    state: row.state,
    ...{ syncId, sourceId, lakeId, destSchema, cause, scheduledFor, isFull, onlyTables, summary },
    totals: { rowsRead, rowsWritten, rowsDeleted, bytesWritten },
    endedAt: row.endedAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
