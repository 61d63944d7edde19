// A run as it is kept becomes the run that the API shows. Pure.

import type { SyncProgress } from "../../../../kernel/jobs/progress.ts";
import { SYNC_LIMITS } from "../limits.ts";
import type { RunSummary } from "../../../platform/db/schema/schema.ts";
import { summaryOf, totalsOf, type Run, type Totals } from "./run.ts";
import type { SyncView } from "../view.ts";
import { inSnakeCase, type Waiting } from "../../work-model/waiting/waiting.ts";
import { hasEnded } from "../../work-model/next-state.ts";
import { instantOrNull } from "../../work-model/run.ts";
import type { RunStatus, SyncRun, SyncRunDetail, SyncRunTable } from "./wire-schema.ts";

const NO_SUMMARY: RunSummary = { tables: 0, done: 0, failed: 0, skipped: 0, rowsEstimated: null, warnings: [] };

/** A run that waits, or waits to be tried again, has started; one that was cancelled has failed, and says so. */
export const statusOf = ({ state }: Pick<Run, "state">): RunStatus =>
  state === "succeeded" ? "SUCCESS" : state === "failed" || state === "cancelled" ? "FAILED" : "STARTED";

export function wireOf(
  run: Run,
  waiting: Waiting,
  totals: Totals = run.totals,
  summary: RunSummary = run.summary ?? NO_SUMMARY,
): SyncRun {
  return {
    id: run.id,
    run_id: run.id,
    dag_name: `sync_${run.syncId}`,
    src_integration_id: run.sourceId,
    dst_integration_id: run.lakeId,
    status: statusOf(run),
    created_at: run.createdAt,
    updated_at: run.updatedAt,
    details: {
      sync_id: run.syncId,
      dest_schema: run.destSchema,
      cause: run.cause,
      full: run.isFull,
      tables: run.onlyTables,
      state: run.state,
      reason: run.state === "cancelled" ? (run.cancelReason ?? "The run was cancelled.") : run.error,
      cancel_code: run.cancelCode,
      ...inSnakeCase(waiting),
      attempt: run.attempt,
      attempts_max: SYNC_LIMITS.attemptsMax + run.absences,
      next_try_at: run.state === "queued" ? instantOrNull(run.dueAtMs) : null,
      started_at: instantOrNull(run.startedAtMs),
      ended_at: run.endedAt,
      rows_read: totals.rowsRead,
      rows_written: totals.rowsWritten,
      rows_deleted: totals.rowsDeleted,
      bytes_written: totals.bytesWritten,
      rows_estimated: summary.rowsEstimated,
      tables_total: summary.tables,
      tables_done: summary.done,
      tables_failed: summary.failed,
      tables_skipped: summary.skipped,
      warnings: summary.warnings,
      warning_codes: summary.warningCodes ?? [],
    },
  };
}

const HIDDEN = {
  reason: null,
  warnings: [],
  warning_codes: [],
  rows_read: null,
  rows_written: null,
  rows_deleted: null,
  bytes_written: null,
  rows_estimated: null,
  tables_total: null,
  tables_done: null,
  tables_failed: null,
  tables_skipped: null,
};

/** Counts and names of tables are shown to callers from whom no table is hidden. */
export function runFor<Shown extends SyncRun>(run: Shown, { isWhole, sees }: SyncView): Shown {
  if (isWhole) return run;
  const tables = run.details.tables?.filter((source) => sees(source)) ?? null;
  return { ...run, details: { ...run.details, ...HIDDEN, tables } };
}

/** `progress` is what is known of its tables; null before anything is. Runs of long ago ended without a summary. */
export function detailOf(run: Run, waiting: Waiting, progress: SyncProgress | null): SyncRunDetail {
  const shown = shownRun(run, waiting, progress);
  const tables = tablesOf(progress);
  const { tables_total: total, warnings } = shown.details;
  const cut =
    total !== null && tables.length < total
      ? [`Of its ${total} tables ${tables.length} are shown: those that failed and those with notes first.`]
      : [];
  return { ...shown, details: { ...shown.details, warnings: [...warnings, ...cut] }, tables };
}

function shownRun(run: Run, waiting: Waiting, progress: SyncProgress | null): SyncRun {
  if (!progress) return wireOf(run, waiting);
  const summary = summaryOf(progress);
  return hasEnded(run)
    ? wireOf(run, waiting, run.totals, run.summary ?? summary)
    : wireOf(run, waiting, totalsOf(progress), summary);
}

const tablesOf = (progress: SyncProgress | null): SyncRunTable[] =>
  (progress?.tables ?? []).map(
    ({ dest, rowsRead, rowsWritten, rowsDeleted, bytesWritten, rowsEstimated = null, rowsCompared = 0, ...table }) => ({
      ...table,
      table: dest,
      rows_read: rowsRead,
      rows_written: rowsWritten,
      rows_deleted: rowsDeleted,
      bytes_written: bytesWritten,
      rows_estimated: rowsEstimated,
      rows_compared: rowsCompared,
    }),
  );
