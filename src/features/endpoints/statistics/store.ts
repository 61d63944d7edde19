// Every statement about endpoints' figures.

import { addedDurations } from "../../../platform/db/count-events.ts";
import { and, asc, eq, gte, sql } from "drizzle-orm";
import type { DurationSummary } from "../../../core/events/duration-summary.ts";
import type { Db } from "../../../platform/db/client.ts";
import { endpointRollups } from "../../../platform/db/schema/question-schema.ts";

/** The calls of one endpoint in one hour, counted from 1970. */
export type CallSum = DurationSummary & {
  teamId: string;
  endpointId: string;
  hour: number;
  errors: number;
  cacheHits: number;
};

/** Those of endpoints that are gone are left out. */
export function addCallSums(db: Db, sums: readonly CallSum[]) {
  const { teamId, endpointId, hour } = endpointRollups;
  return db
    .insert(endpointRollups)
    .select(
      sql`select s.value ->> 'teamId', s.value ->> 'endpointId', s.value ->> 'hour', s.value ->> 'count',
        s.value ->> 'errors', s.value ->> 'cacheHits', s.value ->> 'sumMs', s.value ->> 'minMs', s.value ->> 'maxMs',
        s.value -> 'histogram' from json_each(${JSON.stringify(sums)}) s
        join endpoints e on e.team_id = s.value ->> 'teamId' and e.id = s.value ->> 'endpointId' where true`,
    )
    .onConflictDoUpdate({
      target: [teamId, endpointId, hour],
      set: {
        calls: sql`${endpointRollups.calls} + excluded.calls`,
        errors: sql`${endpointRollups.errors} + excluded.errors`,
        cacheHits: sql`${endpointRollups.cacheHits} + excluded.cache_hits`,
        ...addedDurations(endpointRollups),
      },
    });
}

/** Oldest first. */
export const selectCallSums = (db: Db, teamId: string, endpointId: string, fromHour: number) =>
  db
    .select()
    .from(endpointRollups)
    .where(
      and(
        eq(endpointRollups.teamId, teamId),
        eq(endpointRollups.endpointId, endpointId),
        gte(endpointRollups.hour, fromHour),
      ),
    )
    .orderBy(asc(endpointRollups.hour));

/** Across teams, for the clock. */
export async function deleteCallSumsBefore(db: Db, hour: number, rowsMax: number): Promise<number> {
  const { meta } = await db
    .delete(endpointRollups)
    .where(sql`rowid in (select rowid from endpoint_rollups where hour < ${hour} order by hour limit ${rowsMax})`);
  return meta.changes;
}
