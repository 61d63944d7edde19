// The statements about lakes on their way out.

import { and, asc, eq, inArray, lte } from "drizzle-orm";
import type { Db } from "../../platform/db/client.ts";
import { lakeRemovals } from "../../platform/db/schema.ts";

export type LakeRemoval = typeof lakeRemovals.$inferSelect;

export const findRemoval = (db: Db, teamId: string, lakeId: string): Promise<LakeRemoval | undefined> =>
  db
    .select()
    .from(lakeRemovals)
    .where(and(eq(lakeRemovals.teamId, teamId), eq(lakeRemovals.lakeId, lakeId)))
    .get();

export const deleteRemoval = (db: Db, teamId: string, lakeId: string) =>
  db.delete(lakeRemovals).where(and(eq(lakeRemovals.teamId, teamId), eq(lakeRemovals.lakeId, lakeId)));

export const setNextTry = (db: Db, teamId: string, lakeId: string, nextTryAt: string) =>
  db
    .update(lakeRemovals)
    .set({ nextTryAt })
    .where(and(eq(lakeRemovals.teamId, teamId), eq(lakeRemovals.lakeId, lakeId)));

/** One statement, so that of two sweeps only one gets a row: what it claims is not due again until `nextTryAt`. */
export function claimDueRemovals(db: Db, at: string, nextTryAt: string, rowsMax: number): Promise<LakeRemoval[]> {
  const due = db.select({ lakeId: lakeRemovals.lakeId }).from(lakeRemovals).where(lte(lakeRemovals.nextTryAt, at)).orderBy(asc(lakeRemovals.nextTryAt)).limit(rowsMax);
  return db.update(lakeRemovals).set({ nextTryAt }).where(and(inArray(lakeRemovals.lakeId, due), lte(lakeRemovals.nextTryAt, at))).returning();
}
