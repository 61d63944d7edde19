// The statements about how much a team's drive holds.

import { and, eq, sql } from "drizzle-orm";
import { claimDueRows, type Claim } from "../../../platform/db/claim-due-rows.ts";
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

/** Claims the drives to be measured. */
export const claimDueMeasures = (db: Db, claim: Claim): Promise<DriveMeasure[]> =>
  claimDueRows(db, { table: driveMeasures, key: driveMeasures.teamId, due: "dueAt" }, claim);

type Looked = Pick<DriveMeasure, "bytesPassed" | "afterKey">;

/** Where two measurements went on from one place, only one of them moves it on. */
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
