// The statements that count a run's end: for statistics, and as what its team has used this month.

import { sql, type SQL } from "drizzle-orm";
import type { EventType } from "../../core/events/event-types.ts";
import { addMonthUse, countEvents, msBetween } from "../../platform/db/count-events.ts";
import type { Db } from "../../platform/db/client.ts";
import { factOfType } from "../../platform/db/resource-types-in-sql.ts";
import { syncRuns } from "../../platform/db/schema/schema.ts";
import type { RunTable } from "./kind.ts";
import type { RunName } from "./run.ts";

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
 * history shows them; `rowsWritten` where its last step has brought them. Of automations the docs' runs count by
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
