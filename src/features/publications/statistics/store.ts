// Every statement about publications' figures.

import { addedDurations } from "../../../platform/db/count-events.ts";
import { and, asc, eq, gte, sql } from "drizzle-orm";
import type { DurationSummary } from "../../../core/events/duration-summary.ts";
import type { Db } from "../../../platform/db/client.ts";
import { publicationRollups } from "../../../platform/db/schema/question-schema.ts";

/** The calls of one publication in one hour, counted from 1970. */
export type CallSum = DurationSummary & {
  teamId: string;
  publicationId: string;
  hour: number;
  errors: number;
  cacheHits: number;
};

/** Sums of publications that are gone are left out. */
export function addCallSums(db: Db, sums: readonly CallSum[]) {
  const { teamId, publicationId, hour } = publicationRollups;
  return db
    .insert(publicationRollups)
    .select(
      sql`select s.value ->> 'teamId', s.value ->> 'publicationId', s.value ->> 'hour', s.value ->> 'count',
        s.value ->> 'errors', s.value ->> 'cacheHits', s.value ->> 'sumMs', s.value ->> 'minMs', s.value ->> 'maxMs',
        s.value -> 'histogram' from json_each(${JSON.stringify(sums)}) s
        join endpoints e on e.team_id = s.value ->> 'teamId' and e.id = s.value ->> 'publicationId' where true`,
    )
    .onConflictDoUpdate({
      target: [teamId, publicationId, hour],
      set: {
        calls: sql`${publicationRollups.calls} + excluded.calls`,
        errors: sql`${publicationRollups.errors} + excluded.errors`,
        cacheHits: sql`${publicationRollups.cacheHits} + excluded.cache_hits`,
        ...addedDurations(publicationRollups),
      },
    });
}

/** Oldest first. */
export const selectCallSums = (db: Db, teamId: string, publicationId: string, fromHour: number) =>
  db
    .select()
    .from(publicationRollups)
    .where(
      and(
        eq(publicationRollups.teamId, teamId),
        eq(publicationRollups.publicationId, publicationId),
        gte(publicationRollups.hour, fromHour),
      ),
    )
    .orderBy(asc(publicationRollups.hour));

/** Across teams, for the clock. */
export async function deleteCallSumsBefore(db: Db, hour: number, rowsMax: number): Promise<number> {
  const { meta } = await db
    .delete(publicationRollups)
    .where(sql`rowid in (select rowid from endpoint_rollups where hour < ${hour} order by hour limit ${rowsMax})`);
  return meta.changes;
}
