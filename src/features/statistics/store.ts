// Every statement of statistics. They are read across teams, by operators.

import { sql } from "drizzle-orm";
import type { EventType } from "../../core/events/event-types.ts";
import type { Db } from "../../platform/db/client.ts";
import { eventRollups } from "../../platform/db/schema/statistics-schema.ts";
import type { Window } from "./window.ts";

export type SeriesName = { teamId: string; type: EventType };

/** `series`: the place of its name among those asked for. In a tuple, for there are many. */
export type RollupRow = [
  series: number,
  startMinute: number,
  count: number,
  sumMs: number,
  minMs: number,
  maxMs: number,
  histogram: string,
];

/** One look into the primary key for each series. */
export const selectRollups = (
  db: Db,
  names: readonly SeriesName[],
  { spanMinutes, startMinute, endMinute }: Window,
): Promise<RollupRow[]> =>
  db.values<RollupRow>(sql`select s.key, r.start_minute, r.count, r.sum_ms, r.min_ms, r.max_ms, r.histogram
    from json_each(${JSON.stringify(names)}) s cross join event_rollups r
    where r.team_id = s.value ->> 'teamId' and r.type = s.value ->> 'type' and r.span_minutes = ${spanMinutes}
      and r.start_minute >= ${startMinute} and r.start_minute < ${endMinute}`);

/** The next teams, by id, that have events of a kind in the window. */
export const selectTeamsWith = async (
  db: Db,
  type: EventType,
  { spanMinutes, startMinute, endMinute }: Window,
  { after, teamsMax }: { after: string; teamsMax: number },
): Promise<string[]> =>
  (
    await db.values<[string]>(sql`select t.id from teams t where t.id > ${after} and t.deleted_at is null
      and exists (select 1 from event_rollups r where r.team_id = t.id and r.type = ${type}
        and r.span_minutes = ${spanMinutes} and r.start_minute >= ${startMinute} and r.start_minute < ${endMinute})
      order by t.id limit ${teamsMax}`)
  ).map(([id]) => id);

/** Forgets a bounded number of rollups. */
export async function deleteRollupsBefore(db: Db, minute: number, rowsMax: number): Promise<number> {
  const { meta } = await db.delete(eventRollups).where(
    sql`(team_id, type, span_minutes, start_minute) in (select team_id, type, span_minutes, start_minute
      from event_rollups where start_minute < ${minute} order by start_minute limit ${rowsMax})`,
  );
  return meta.changes;
}
