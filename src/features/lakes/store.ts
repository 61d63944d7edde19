// The statements about lakes on their way out, and about what lakes leave behind.

import { and, eq, sql, type SQL } from "drizzle-orm";
import { claimDueRows, type Claim } from "../../platform/db/claim-due-rows.ts";
import type { Db } from "../../platform/db/client.ts";
import { integrations, lakeCollections, lakeRemovals } from "../../platform/db/schema/schema.ts";

export type LakeRemoval = typeof lakeRemovals.$inferSelect;

export const findRemoval = (db: Db, teamId: string, lakeId: string): Promise<LakeRemoval | undefined> =>
  db
    .select()
    .from(lakeRemovals)
    .where(and(eq(lakeRemovals.teamId, teamId), eq(lakeRemovals.lakeId, lakeId)))
    .get();

/** Once for each lake. */
export const insertRemoval = (db: Db, removal: LakeRemoval) =>
  db.insert(lakeRemovals).values(removal).onConflictDoNothing();

/** Inserts removals of all the team's lakes, where `when` is true in SQL. */
export const insertRemovalsOf = (db: Db, teamId: string, at: string, when: SQL = sql`true`) =>
  db
    .insert(lakeRemovals)
    .select(
      sql`select id, team_id, ${at}, ${at} from ${integrations} where team_id = ${teamId} and type = 'lake' and ${when}`,
    )
    .onConflictDoNothing()
    .returning();

export const countRemovals = (db: Db, teamId: string): Promise<number> =>
  db.$count(lakeRemovals, eq(lakeRemovals.teamId, teamId));

export const deleteRemoval = (db: Db, teamId: string, lakeId: string) =>
  db.delete(lakeRemovals).where(and(eq(lakeRemovals.teamId, teamId), eq(lakeRemovals.lakeId, lakeId)));

export const setNextTry = (db: Db, teamId: string, lakeId: string, nextTryAt: string) =>
  db
    .update(lakeRemovals)
    .set({ nextTryAt })
    .where(and(eq(lakeRemovals.teamId, teamId), eq(lakeRemovals.lakeId, lakeId)));

/** Claims the removals to be tried. */
export const claimDueRemovals = (db: Db, claim: Claim): Promise<LakeRemoval[]> =>
  claimDueRows(db, { table: lakeRemovals, key: lakeRemovals.lakeId, due: "nextTryAt" }, claim);

export type LakeCollection = typeof lakeCollections.$inferSelect;

export const findCollection = (db: Db, teamId: string, lakeId: string): Promise<LakeCollection | undefined> =>
  db
    .select()
    .from(lakeCollections)
    .where(and(eq(lakeCollections.teamId, teamId), eq(lakeCollections.lakeId, lakeId)))
    .get();

export const insertCollection = (db: Db, collection: LakeCollection) => db.insert(lakeCollections).values(collection);

export const deleteCollection = (db: Db, teamId: string, lakeId: string) =>
  db.delete(lakeCollections).where(and(eq(lakeCollections.teamId, teamId), eq(lakeCollections.lakeId, lakeId)));

/** Says whether the collection was still where it was seen: of two callers that saw the same only one moves it on. */
export async function moveCollection(
  db: Db,
  seen: LakeCollection,
  next: Pick<LakeCollection, "dueAt" | "afterKey" | "tally">,
): Promise<boolean> {
  const isSeen = and(
    eq(lakeCollections.lakeId, seen.lakeId),
    eq(lakeCollections.dueAt, seen.dueAt),
    sql`${lakeCollections.afterKey} is ${seen.afterKey}`,
  );
  return (
    (await db.update(lakeCollections).set(next).where(isSeen).returning({ lakeId: lakeCollections.lakeId })).length > 0
  );
}

/** Claims the collections to be begun or continued. */
export const claimDueCollections = (db: Db, claim: Claim): Promise<LakeCollection[]> =>
  claimDueRows(db, { table: lakeCollections, key: lakeCollections.lakeId, due: "dueAt" }, claim);
