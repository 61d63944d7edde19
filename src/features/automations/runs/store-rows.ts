// A run as D1 keeps it: between the row's columns and the run that the rules are about. Pure.

import { and, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import { automationRuns } from "../../../platform/db/work-schema.ts";
import type { Row, Run, RunName } from "./run.ts";

const { progress: _, ...SHOWN } = getTableColumns(automationRuns);
/** All but the progress, which may be long. */
export const SHOWN_COLUMNS = SHOWN;

export const isRun = ({ teamId, id }: RunName): SQL =>
  and(eq(automationRuns.teamId, teamId), eq(automationRuns.id, id))!;

const instantOf = (ms: number): string => new Date(ms).toISOString();
export const instantOrNull = (ms: number | null): string | null => (ms === null ? null : instantOf(ms));
const msOrNull = (instant: string | null): number | null => (instant === null ? null : Date.parse(instant));

/** A row's values in the order an insert from a select takes them: the table's. */
export const valuesInSql = (valueOf: (name: keyof Row) => SQL): SQL =>
  sql.join((Object.keys(getTableColumns(automationRuns)) as (keyof Row)[]).map(valueOf), sql`, `);

/** A value as its column keeps it. */
export const encoded = (name: keyof Row, value: Row[keyof Row]): unknown =>
  value === null ? null : automationRuns[name].mapToDriverValue(value);

export function rowOf(run: Run): Row {
  const { dueAtMs, claimedUntilMs, startedAtMs, deadlineAtMs, cancelRequested: _asked, ...rest } = run;
  return {
    ...rest,
    dueAt: instantOf(dueAtMs),
    claimedUntil: instantOrNull(claimedUntilMs),
    startedAt: instantOrNull(startedAtMs),
    deadlineAt: instantOf(deadlineAtMs),
    cancelRequestedAt: null,
    progress: null,
  };
}

export function runOf(row: Omit<Row, "progress">): Run {
  const { dueAt, claimedUntil, startedAt, deadlineAt, cancelRequestedAt, ...run } = row;
  return {
    ...run,
    dueAtMs: Date.parse(dueAt),
    claimedUntilMs: msOrNull(claimedUntil),
    startedAtMs: msOrNull(startedAt),
    deadlineAtMs: Date.parse(deadlineAt),
    cancelRequested: cancelRequestedAt !== null,
  };
}
