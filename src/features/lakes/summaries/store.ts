// The statements about what is known of lakes without asking them.

import { and, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "../../../platform/db/client.ts";
import { lakeCollections, lakeSummaries, type ObjectTally } from "../../../platform/db/schema.ts";
import type { LakeName } from "../../../platform/lake/lake.ts";

export type SummaryRow = typeof lakeSummaries.$inferSelect;

/** What a look through all objects has found. Nothing for a lake that has been deleted meanwhile. */
export function saveObjects(db: Db, { teamId, lakeId }: LakeName, objects: ObjectTally, at: string) {
  const row = sql`select ${lakeId}, ${teamId}, null, null, ${JSON.stringify(objects)}, ${at} where ${isThere(teamId, lakeId)}`;
  return db
    .insert(lakeSummaries)
    .select(row)
    .onConflictDoUpdate({ target: lakeSummaries.lakeId, set: { objects, objectsMeasuredAt: at } });
}

/** A lake has its regular collection as long as it is there. */
const isThere = (teamId: string, lakeId: string) =>
  sql`exists (select 1 from ${lakeCollections} where team_id = ${teamId} and lake_id = ${lakeId})`;

export const findSummaryRow = (db: Db, teamId: string, lakeId: string): Promise<SummaryRow | undefined> =>
  db
    .select()
    .from(lakeSummaries)
    .where(and(eq(lakeSummaries.teamId, teamId), eq(lakeSummaries.lakeId, lakeId)))
    .get();

/** Of lakes of any teams; D1 binds a hundred values at most. */
export const selectSummaryRows = (db: Db, lakeIds: string[]): Promise<SummaryRow[]> =>
  lakeIds.length === 0
    ? Promise.resolve([])
    : db.select().from(lakeSummaries).where(inArray(lakeSummaries.lakeId, lakeIds)).all();

export const deleteSummary = (db: Db, { teamId, lakeId }: LakeName) =>
  db.delete(lakeSummaries).where(and(eq(lakeSummaries.teamId, teamId), eq(lakeSummaries.lakeId, lakeId)));
