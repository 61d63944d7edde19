// Events of a team, added to its rollups in D1; and what it has used in a month.

import { sql, type SQL } from "drizzle-orm";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import { LOG_GAMMA, type DurationSummary } from "../../core/events/duration-summary.ts";
import { minuteOf, type EventType } from "../../core/events/event-types.ts";
import { monthOf } from "../../core/teams/plans.ts";
import type { Db } from "./client.ts";
import { eventRollups, monthUses } from "./schema/statistics-schema.ts";

/** Each event is in a row of every one of these lengths. */
const SPANS_MINUTES = [1, 10] as const;

/** A team's events of one kind that ended at the same time. `type`: or what finds it in SQL. */
export type EndedEvents = { teamId: string; type: EventType | SQL; endedAt: Date };

/** Milliseconds in SQL, from an instant as it is stored to another. */
export const msBetween = (from: SQL, to: string | SQL): SQL => sql`(julianday(${to}) - julianday(${from})) * 86400000`;

/**
 * Counts what a batch ends, exactly once: a statement of that batch, before the one that changes the rows. `durations`
 * is a query with a row for each event, its milliseconds as `ms`, of just those rows that the change will find.
 */
export function countEvents(db: Db, { teamId, type, endedAt }: EndedEvents, durations: SQL) {
  const minute = minuteOf(endedAt.getTime());
  const whole = sql`select cast(round(max(0, coalesce(ms, 0))) as integer) ms from (${durations})`;
  const bin = sql.raw(`case when ms <= 0 then 0 else 1 + cast(ceil(ln(ms) / ${LOG_GAMMA}) as integer) end`);
  const bins = sql`select ${bin} bin, count(*) n, sum(ms) s, min(ms) lo, max(ms) hi from (${whole}) group by 1`;
  return addRollups(
    db,
    sql`select ${teamId}, ${type}, span, (${minute} / span) * span, sum(n), sum(s), min(lo), max(hi),
      json_group_object(bin, n) from (${bins}), ${spans} group by span`,
  );
}

/** The rollup of one minute. */
export type EventRollup = DurationSummary & { type: EventType; minute: number };

/** Adds rollups that were summed elsewhere, under a condition in SQL. */
export const addEventRollups = (db: Db, teamId: string, rollups: readonly EventRollup[], when: SQL) =>
  addRollups(
    db,
    sql`select ${teamId}, r.value ->> 'type', span, ((r.value ->> 'minute') / span) * span, r.value ->> 'count',
      r.value ->> 'sumMs', r.value ->> 'minMs', r.value ->> 'maxMs', r.value -> 'histogram'
      from json_each(${JSON.stringify(rollups)}) r, ${spans} where ${when}`,
  );

const spans = sql.raw(`(${SPANS_MINUTES.map((minutes) => `select ${minutes} span`).join(" union all ")})`);

function addRollups(db: Db, rows: SQL) {
  const { teamId, type, spanMinutes, startMinute } = eventRollups;
  return db
    .insert(eventRollups)
    .select(rows)
    .onConflictDoUpdate({
      target: [teamId, type, spanMinutes, startMinute],
      set: { count: sql`${eventRollups.count} + excluded.count`, ...addedDurations(eventRollups) },
    });
}

type DurationColumns = Record<"sumMs" | "minMs" | "maxMs" | "histogram", AnySQLiteColumn>;

/** The durations of a rollup's row with those of the row that comes to it. */
export const addedDurations = ({ sumMs, minMs, maxMs, histogram }: DurationColumns) => ({
  sumMs: sql`${sumMs} + excluded.sum_ms`,
  minMs: sql`min(${minMs}, excluded.min_ms)`,
  maxMs: sql`max(${maxMs}, excluded.max_ms)`,
  histogram: sql`(select json_group_object(key, n) from (select key, sum(value) n from (
    select key, value from json_each(${histogram})
    union all select key, value from json_each(excluded.histogram)) group by key))`,
});

/**
 * Adds what a batch ends, exactly once: a statement of that batch, before the one that changes the row. `use` is a
 * query with `run_ms` and `rows_synced` in a row, or without a row where the change will not be made. All of it counts
 * in the month of `now`, the end.
 */
export const addMonthUse = (db: Db, { teamId, now }: { teamId: string; now: Date }, use: SQL) =>
  db
    .insert(monthUses)
    .select(
      sql`select ${teamId}, ${monthOf(now)}, cast(round(max(0, coalesce(run_ms, 0))) as integer), rows_synced
        from (${use}) where true`,
    )
    .onConflictDoUpdate({
      target: [monthUses.teamId, monthUses.month],
      set: {
        runMs: sql`${monthUses.runMs} + excluded.run_ms`,
        rowsSynced: sql`${monthUses.rowsSynced} + excluded.rows_synced`,
      },
    });
