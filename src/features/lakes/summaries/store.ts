// The statements about what is known of lakes without asking them.

import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../../../platform/db/client.ts";
import { lakeCollections, lakeSummaries, type ObjectTally } from "../../../platform/db/schema/schema.ts";
import type { LakeName } from "../../../lake/lake.ts";
import type { LakeFigures } from "../../../../kernel/lake/figures.ts";

export type SummaryRow = typeof lakeSummaries.$inferSelect;

/** Saves the tally of a look through all objects, unless the lake has been deleted meanwhile. */
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

/** Saves the figures that a catalog gave of its lake. */
export function saveFigures(db: Db, { teamId, lakeId }: LakeName, figures: LakeFigures, at: string) {
  const row = sql`select ${lakeId}, ${teamId}, ${JSON.stringify(figures)}, ${at}, null, null where ${isThere(teamId, lakeId)}`;
  return db
    .insert(lakeSummaries)
    .select(row)
    .onConflictDoUpdate({ target: lakeSummaries.lakeId, set: { figures, measuredAt: at } });
}

/** Each by its team and its id. */
export const selectSummaryRows = (db: Db, lakes: readonly LakeName[]): Promise<SummaryRow[]> =>
  db
    .select()
    .from(lakeSummaries)
    .where(
      sql`(${lakeSummaries.teamId}, ${lakeSummaries.lakeId}) in
        (select value ->> 'teamId', value ->> 'lakeId' from json_each(${JSON.stringify(lakes)}))`,
    )
    .all();

export const deleteSummary = (db: Db, { teamId, lakeId }: LakeName) =>
  db.delete(lakeSummaries).where(and(eq(lakeSummaries.teamId, teamId), eq(lakeSummaries.lakeId, lakeId)));
