// Every statement about linked files. A read takes the team first; only the token and the sweep look across teams.

import { and, asc, desc, eq, gt, inArray, isNull, lte, sql, type SQL } from "drizzle-orm";
import type { Page, PageOf } from "../../core/page.ts";
import type { Db } from "../../platform/db/client.ts";
import { requireInSql } from "../../platform/db/require-in-sql.ts";
import { linkedFiles } from "../../platform/db/schema/linked-file-schema.ts";
import { teams } from "../../platform/db/schema/schema.ts";
import { selectPage } from "../../platform/db/select-page.ts";
import { LINKED_FILE_LIMITS } from "./limits.ts";
import type { LinkedFileRow } from "./linked-file.ts";

/** Whose links somebody sees, and may revoke: their own, or all of the team's. */
export type Viewer = { teamId: string; userId: string; seesAll: boolean };

/** A draft has no bytes yet, and is nothing to look at. */
const isVisible = ({ teamId, userId, seesAll }: Viewer, at: string): SQL =>
  and(
    eq(linkedFiles.teamId, teamId),
    gt(linkedFiles.endsAt, at),
    gt(linkedFiles.bytes, 0),
    seesAll ? undefined : eq(linkedFiles.madeBy, userId),
  )!;

/** Linked files that have not ended, newest first. */
export const selectLinkedFiles = (db: Db, viewer: Viewer, at: string, page: Page): Promise<PageOf<LinkedFileRow>> =>
  selectPage(db, linkedFiles, {
    where: isVisible(viewer, at),
    orderBy: [desc(linkedFiles.createdAt), desc(linkedFiles.id)],
    page,
  });

export const findLinkedFile = (db: Db, viewer: Viewer, id: string, at: string): Promise<LinkedFileRow | undefined> =>
  db
    .select()
    .from(linkedFiles)
    .where(and(isVisible(viewer, at), eq(linkedFiles.id, id)))
    .get();

/** The link of a token that has not ended, of a team that is there. */
export async function findByToken(db: Db, tokenHash: string, at: string): Promise<LinkedFileRow | undefined> {
  const found = await db
    .select({ row: linkedFiles })
    .from(linkedFiles)
    .innerJoin(teams, and(eq(teams.id, linkedFiles.teamId), isNull(teams.deletedAt)))
    .where(and(eq(linkedFiles.tokenHash, tokenHash), gt(linkedFiles.endsAt, at)))
    .get();
  return found?.row;
}

export const countLinkedFiles = (db: Db, teamId: string): Promise<number> =>
  db.$count(linkedFiles, eq(linkedFiles.teamId, teamId));

/** The statements, and their batch with them, fail where the team has as many links as it may. */
export const insertLinkedFileStatements = (db: Db, row: LinkedFileRow) =>
  [
    requireInSql(
      db,
      sql`(select count(*) from ${linkedFiles} where team_id = ${row.teamId}) < ${LINKED_FILE_LIMITS.perTeamMax}`,
    ),
    db.insert(linkedFiles).values(row),
  ] as const;

/** A draft becomes a link. */
export const publishLink = (db: Db, { teamId, id, bytes, endsAt }: LinkedFileRow, when: SQL) =>
  db
    .update(linkedFiles)
    .set({ bytes, endsAt })
    .where(and(eq(linkedFiles.teamId, teamId), eq(linkedFiles.id, id), when));

export const endLinks = (db: Db, { teamId, ids }: { teamId: string; ids: readonly string[] }, at: string) =>
  db
    .update(linkedFiles)
    .set({ endsAt: at })
    .where(
      and(
        eq(linkedFiles.teamId, teamId),
        inArray(linkedFiles.id, sql`(select value from json_each(${JSON.stringify(ids)}))`),
      ),
    );

/** Returns the row, or nothing where it has ended. */
export const endLinkedFile = (db: Db, { teamId, id }: LinkedFileRow, at: string) =>
  db
    .update(linkedFiles)
    .set({ endsAt: at })
    .where(and(eq(linkedFiles.teamId, teamId), eq(linkedFiles.id, id), gt(linkedFiles.endsAt, at)))
    .returning({ id: linkedFiles.id });

/** True in SQL while the link has not ended. */
export const isLive = ({ teamId, id }: LinkedFileRow, at: string): SQL =>
  sql`exists (select 1 from ${linkedFiles} where team_id = ${teamId} and id = ${id} and ends_at > ${at})`;

export const countDownload = (db: Db, { teamId, id }: LinkedFileRow, at: string) =>
  db
    .update(linkedFiles)
    .set({ downloads: sql`${linkedFiles.downloads} + 1`, downloadedAt: at })
    .where(and(eq(linkedFiles.teamId, teamId), eq(linkedFiles.id, id)));

// ── The sweep ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Links of any team that have ended, the first to end first. */
export const selectEnded = (db: Db, at: string, rowsMax: number): Promise<Pick<LinkedFileRow, "id" | "objectKey">[]> =>
  db
    .select({ id: linkedFiles.id, objectKey: linkedFiles.objectKey })
    .from(linkedFiles)
    .where(lte(linkedFiles.endsAt, at))
    .orderBy(asc(linkedFiles.endsAt))
    .limit(rowsMax);

export const deleteLinkedFiles = (db: Db, ids: string[]) =>
  db.delete(linkedFiles).where(inArray(linkedFiles.id, sql`(select value from json_each(${JSON.stringify(ids)}))`));
