// Every statement of the drive. A read takes the team first; only the sweeps look across teams.

import { and, asc, eq, gt, isNotNull, lte, sql, type SQL } from "drizzle-orm";
import type { Db } from "../../platform/db/client.ts";
import { driveLongPaths, driveTemporaryFiles, driveUploads } from "../../platform/db/schema/schema.ts";

export type TemporaryFile = typeof driveTemporaryFiles.$inferSelect;
export type LongPath = typeof driveLongPaths.$inferSelect;
export type Upload = typeof driveUploads.$inferSelect;

export const insertTemporaryFile = (db: Db, file: TemporaryFile) => db.insert(driveTemporaryFiles).values(file);

/** The expired files of any team, the earliest first. */
export const selectExpiredFiles = (db: Db, at: string, rowsMax: number): Promise<TemporaryFile[]> =>
  db
    .select()
    .from(driveTemporaryFiles)
    .where(lte(driveTemporaryFiles.expiresAt, at))
    .orderBy(asc(driveTemporaryFiles.expiresAt))
    .limit(rowsMax)
    .all();

export const deleteTemporaryFile = (db: Db, { teamId, id }: TemporaryFile) =>
  db.delete(driveTemporaryFiles).where(and(eq(driveTemporaryFiles.teamId, teamId), eq(driveTemporaryFiles.id, id)));

// ── Long paths ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** Keeps the path of an object that may come until `checkAt`. */
export const upsertLongPath = (db: Db, row: LongPath & { checkAt: string }) =>
  db
    .insert(driveLongPaths)
    .values(row)
    // The latest of several promised uploads decides.
    .onConflictDoUpdate({
      target: driveLongPaths.objectKey,
      set: { checkAt: sql`max(excluded.check_at, coalesce(check_at, ''))` },
    });

/** In the order of their UTF-8 bytes. */
export const selectLongPaths = (
  db: Db,
  teamId: string,
  { prefix, after, rowsMax }: { prefix: string; after: string | undefined; rowsMax: number },
): Promise<LongPath[]> =>
  db
    .select()
    .from(driveLongPaths)
    .where(
      and(
        eq(driveLongPaths.teamId, teamId),
        startsWith(prefix),
        after === undefined ? undefined : gt(driveLongPaths.path, after),
      ),
    )
    .orderBy(asc(driveLongPaths.path))
    .limit(rowsMax)
    .all();

/** A pattern of LIKE may have fifty bytes only. */
const startsWith = (prefix: string): SQL => sql`substr(${driveLongPaths.path}, 1, length(${prefix})) = ${prefix}`;

export const selectUncheckedPaths = (db: Db, at: string, rowsMax: number): Promise<LongPath[]> =>
  db
    .select()
    .from(driveLongPaths)
    .where(and(isNotNull(driveLongPaths.checkAt), lte(driveLongPaths.checkAt, at)))
    .orderBy(asc(driveLongPaths.checkAt))
    .limit(rowsMax)
    .all();

/** Nothing happens where another upload was promised since `row` was read. */
const isUnchanged = ({ objectKey, checkAt }: LongPath): SQL =>
  and(eq(driveLongPaths.objectKey, objectKey), eq(driveLongPaths.checkAt, checkAt!))!;
export const settleLongPath = (db: Db, row: LongPath) =>
  db.update(driveLongPaths).set({ checkAt: null }).where(isUnchanged(row));
export const dropLongPath = (db: Db, row: LongPath) => db.delete(driveLongPaths).where(isUnchanged(row));

// ── Uploads in parts ───────────────────────────────────────────────────────────────────────────────────────────────

const isUpload = (teamId: string, id: string): SQL => and(eq(driveUploads.teamId, teamId), eq(driveUploads.id, id))!;

export const insertUpload = (db: Db, upload: Upload) => db.insert(driveUploads).values(upload);

export const findUpload = (db: Db, teamId: string, id: string): Promise<Upload | undefined> =>
  db.select().from(driveUploads).where(isUpload(teamId, id)).get();

export const selectUploads = (db: Db, teamId: string, rowsMax: number): Promise<Upload[]> =>
  db.select().from(driveUploads).where(eq(driveUploads.teamId, teamId)).limit(rowsMax);

export const deleteUpload = (db: Db, { teamId, id }: Upload) => db.delete(driveUploads).where(isUpload(teamId, id));

export const selectExpiredUploads = (db: Db, at: string, rowsMax: number): Promise<Upload[]> =>
  db
    .select()
    .from(driveUploads)
    .where(lte(driveUploads.expiresAt, at))
    .orderBy(asc(driveUploads.expiresAt))
    .limit(rowsMax)
    .all();
