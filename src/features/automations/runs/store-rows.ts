// A run as D1 keeps it: between the row's columns and the run that the rules are about. Pure.

import { and, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { MaintenanceProgress } from "../../../../containers/engine/contract/maintenance.ts";
import { automationRuns } from "../../../platform/db/work-schema.ts";
import { stateColumns, workRunOf, type RunName } from "../../work-model/run.ts";
import type { Row, Run, RunRequest, RunSubject } from "./run.ts";

const { progress: _, ...SHOWN } = getTableColumns(automationRuns);
/** All but the progress, which may be long. */
export const SHOWN_COLUMNS = SHOWN;

export const isRun = ({ teamId, id }: RunName): SQL =>
  and(eq(automationRuns.teamId, teamId), eq(automationRuns.id, id))!;

/** A row takes two megabytes: where a lake has very many tables, those that were left as they were go first. */
export function progressColumns(progress: MaintenanceProgress): Pick<Row, "progress"> {
  const whole = JSON.stringify(progress);
  if (whole.length <= PROGRESS_CHARACTERS_MAX) return { progress: whole };
  const tables = progress.tables.filter(({ state }) => state !== "left_alone");
  const short = { ...progress, tables: tables.map((table) => ({ ...table, note: table.note?.slice(0, 100) ?? null })) };
  while (JSON.stringify(short).length > PROGRESS_CHARACTERS_MAX)
    short.tables.length = Math.floor(short.tables.length / 2);
  return { progress: JSON.stringify(short) };
}

const PROGRESS_CHARACTERS_MAX = 400_000;

/** A row's values in the order an insert from a select takes them: the table's. */
export const valuesInSql = (valueOf: (name: keyof Row) => SQL): SQL =>
  sql.join((Object.keys(getTableColumns(automationRuns)) as (keyof Row)[]).map(valueOf), sql`, `);

/** A value as its column keeps it. */
export const encoded = (name: keyof Row, value: Row[keyof Row]): unknown =>
  value === null ? null : automationRuns[name].mapToDriverValue(value);

const subjectOf = (of: RunSubject & RunRequest): RunSubject & RunRequest => {
  const { teamId, automationId, resourceType, resourceId, kind, datasetKeys, ownerId } = of;
  const { attemptsMax, backoffSeconds, timeoutSeconds, cause, scheduledFor, replayOf } = of;
  return {
    ...{ teamId, automationId, resourceType, resourceId, kind, datasetKeys, ownerId },
    ...{ attemptsMax, backoffSeconds, timeoutSeconds, cause, scheduledFor, replayOf },
  };
};

export function rowOf(run: Run): Row {
  return {
    id: run.id,
    ...subjectOf(run),
    ...stateColumns(run),
    cancelRequestedAt: null,
    cancelReason: run.cancelReason,
    progress: null,
    revision: run.revision,
    endedAt: run.endedAt,
    createdAt: run.createdAt,
    updatedAt: run.updatedAt,
  };
}

export function runOf(row: Omit<Row, "progress">): Run {
  const { endedAt, createdAt, updatedAt } = row;
  return { ...workRunOf(row), ...subjectOf(row), endedAt, createdAt, updatedAt };
}
