// The statements about how much a team's drive holds.

import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import type { Db } from "../../../platform/db/client.ts";
import { driveMeasures } from "../../../platform/db/schema/statistics-schema.ts";

export type DriveMeasure = typeof driveMeasures.$inferSelect;

/** Files come or go until `activeUntil`; the drive is looked through by `dueAt` at the latest. */
export const upsertActivity = (
  db: Db,
  teamId: string,
  { dueAt, activeUntil }: { dueAt: string; activeUntil: string },
) =>
  db
    .insert(driveMeasures)
    .values({ teamId, bytes: 0, measuredAt: null, bytesPassed: 0, afterKey: null, dueAt, activeUntil })
    .onConflictDoUpdate({
      target: driveMeasures.teamId,
      set: {
        dueAt: sql`min(${driveMeasures.dueAt}, excluded.due_at)`,
        activeUntil: sql`max(${driveMeasures.activeUntil}, excluded.active_until)`,
      },
    });

/** One statement, so that of two sweeps only one gets a row: what it claims is not due again until `nextDueAt`. */
export function claimDueMeasures(db: Db, at: string, nextDueAt: string, rowsMax: number): Promise<DriveMeasure[]> {
  const due = db
    .select({ teamId: driveMeasures.teamId })
    .from(driveMeasures)
    .where(lte(driveMeasures.dueAt, at))
    .orderBy(asc(driveMeasures.dueAt))
    .limit(rowsMax);
  return db
    .update(driveMeasures)
    .set({ dueAt: nextDueAt })
    .where(and(inArray(driveMeasures.teamId, due), lte(driveMeasures.dueAt, at)))
    .returning();
}

type Looked = Pick<DriveMeasure, "bytesPassed" | "afterKey">;

/** Of two that went on from the same place only one moves it on. */
const isAt = ({ teamId, afterKey }: DriveMeasure) =>
  and(eq(driveMeasures.teamId, teamId), sql`${driveMeasures.afterKey} is ${afterKey}`);

/** A look that goes on at `dueAt`. */
export const saveLook = (db: Db, seen: DriveMeasure, looked: Looked, dueAt: string) =>
  db
    .update(driveMeasures)
    .set({ ...looked, dueAt })
    .where(isAt(seen));

type Next = { at: string; soon: string; later: string };

/** The end of a look: the next comes soon while files may come. */
export const saveBytes = (db: Db, seen: DriveMeasure, bytes: number, { at, soon, later }: Next) =>
  db
    .update(driveMeasures)
    .set({
      bytes,
      measuredAt: at,
      bytesPassed: 0,
      afterKey: null,
      dueAt: sql`iif(${driveMeasures.activeUntil} > ${at}, ${soon}, ${later})`,
    })
    .where(isAt(seen));
