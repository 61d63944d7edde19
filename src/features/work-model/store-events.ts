// The statements that count a run's end, for statistics and as what its team has used this month, and those that write
// the outbound events of its steps. All are in the batch that records the step.

import { sql, type SQL } from "drizzle-orm";
import type { EventType } from "../../core/events/event-types.ts";
import { addMonthUse, countEvents, msBetween } from "../../platform/db/count-events.ts";
import type { Db } from "../../platform/db/client.ts";
import { recordOutboundEvent } from "../../platform/db/record-outbound-event.ts";
import { factOfType } from "../../platform/db/resource-types-in-sql.ts";
import { syncRuns } from "../../platform/db/schema/schema.ts";
import { RUN_TABLES, type RunKind, type RunTable } from "./kind.ts";
import { hasEnded, type RunState } from "./next-state.ts";
import { instantOrNull, type RunName } from "./run.ts";

/**
 * From the beginning of its first attempt, the waits between attempts included. A run that never began one is no event.
 * `isSaved`: true in SQL where the run is about to end.
 */
export const countRunEnd = (db: Db, table: RunTable, run: RunName, { now, isSaved }: { now: Date; isSaved: SQL }) =>
  countEvents(
    db,
    { teamId: run.teamId, type: typeOf(table, run), endedAt: now },
    sql`select ${msBetween(sql`min(started_at)`, now.toISOString())} ms from attempts
      where team_id = ${run.teamId} and run_id = ${run.id} and ${isSaved} group by run_id`,
  );

/** A run of an automation counts as its resource has it, whoever asked for it. */
const typeOf = (table: RunTable, { teamId, id }: RunName): EventType | SQL =>
  table === syncRuns
    ? "sync_run"
    : sql`(select ${factOfType(sql`resource_type`, "endEvent")} from automation_runs where team_id = ${teamId} and id = ${id})`;

type EndedSync = { now: Date; isSaved: SQL; rowsWritten: unknown };

/**
 * How long a sync's run was at work in all its attempts, the waits between them left out, and the rows it wrote as its
 * history shows them; `rowsWritten` where its last step has brought them. Docs' runs, of automations, count by
 * themselves, and maintenance is the platform's own care.
 */
export const addSyncUse = (db: Db, { teamId, id }: RunName, { now, isSaved, rowsWritten }: EndedSync) =>
  addMonthUse(
    db,
    { teamId, now },
    sql`select sum(${msBetween(sql`started_at`, sql`coalesce(ended_at, ${now.toISOString()})`)}) run_ms,
      ${typeof rowsWritten === "number" ? rowsWritten : sql`(select rows_written from ${syncRuns} where team_id = ${teamId} and id = ${id})`} rows_synced
      from attempts where team_id = ${teamId} and run_id = ${id} and ${isSaved} group by run_id`,
  );

/** `isSaved`: true in SQL where the step is about to be recorded. */
type RecordedStep = { next: RunState; now: Date; isSaved: SQL };

/**
 * An outbound event where an attempt's work has started, and one at the run's end. They stand before the statement that
 * changes the run.
 */
export function recordStepEvents(
  db: Db,
  table: RunTable,
  seen: RunName & Pick<RunState, "state">,
  { next, now, isSaved }: RecordedStep,
) {
  const isStart = seen.state === "starting" && next.state === "running";
  if (!isStart && !hasEnded(next)) return [];
  const { typeOf, fields } = OUTBOUND[table === RUN_TABLES.sync_run ? "sync_run" : "automation_run"];
  const ofRun = sql`from ${table} where team_id = ${seen.teamId} and id = ${seen.id}`;
  const end = isStart ? sql`` : sql`, 'ended_at', ${now.toISOString()}`;
  return [
    recordOutboundEvent(db, {
      ...{ teamId: seen.teamId, orderKey: seen.id, at: now, when: isSaved },
      type: sql`(select ${typeOf} ${ofRun}) || ${isStart ? ".started" : ".ended"}`,
      data: sql`(select json_object('run_id', id, ${fields}, 'state', ${next.state}, 'attempt', ${next.attempt},
        'started_at', ${instantOrNull(next.startedAtMs)} ${end}) ${ofRun})`,
    }),
  ];
}

/** By kind, the first part of an event's type, and what its data say besides. */
const OUTBOUND: Record<RunKind, { typeOf: SQL; fields: SQL }> = {
  sync_run: {
    typeOf: sql`'sync_run'`,
    fields: sql`'sync_id', sync_id, 'source_id', source_id, 'lake_id', lake_id, 'dest_schema', dest_schema`,
  },
  automation_run: {
    typeOf: sql`${factOfType(sql`resource_type`, "workKind")} || '_run'`,
    fields: sql`'job_id', automation_id, 'resource_type', resource_type, 'resource_id', resource_id`,
  },
};
