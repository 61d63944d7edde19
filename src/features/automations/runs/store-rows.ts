// A run as D1 keeps it: between the row's columns and the run that the rules are about. Pure.

import { getTableColumns, sql } from "drizzle-orm";
import type { MaintenanceProgress } from "../../../../kernel/lake/maintenance.ts";
import { automationRuns } from "../../../platform/db/schema/work-schema.ts";
import { packProgress } from "../../work-model/runs/pack-progress.ts";
import { keptRunOf, newRowOf } from "../../work-model/run.ts";
import type { Row, Run, RunRequest, RunSubject } from "./run.ts";

const { progress: _, ...SHOWN } = getTableColumns(automationRuns);
/** All but the progress, which may be long. */
export const SHOWN_COLUMNS = SHOWN;

/**
 * The id of the work on a run's last attempt. The columns have whole names: drizzle leaves them bare in a statement of
 * one table, and the inner ones count.
 */
export const WORK_ID = sql<string | null>`(select a.job_id from attempts a
  where a.run_id = automation_runs.id and a.attempt = automation_runs.attempt)`;

export const progressColumns = (progress: MaintenanceProgress): Pick<Row, "progress"> => ({
  progress: packProgress(progress, ofTablesTouched),
});

/** Where a lake has very many tables, those that were left as they were go first. */
function ofTablesTouched(progress: MaintenanceProgress): MaintenanceProgress {
  const tables = progress.tables.filter(({ state }) => state !== "left_alone");
  return { ...progress, tables: tables.map((table) => ({ ...table, note: table.note?.slice(0, 100) ?? null })) };
}

const subjectOf = (of: RunSubject & RunRequest): RunSubject & RunRequest => {
  const { teamId, automationId, resourceType, resourceId, kind, datasetKeys, ownerId } = of;
  const { attemptsMax, backoffSeconds, timeoutSeconds, cause, scheduledFor, replayOf } = of;
  return {
    ...{ teamId, automationId, resourceType, resourceId, kind, datasetKeys, ownerId },
    ...{ attemptsMax, backoffSeconds, timeoutSeconds, cause, scheduledFor, replayOf },
  };
};

export const rowOf = (run: Run): Row => ({ ...newRowOf(run), ...subjectOf(run) });

export const runOf = (row: Omit<Row, "progress">): Run => ({ ...keptRunOf(row), ...subjectOf(row) });
