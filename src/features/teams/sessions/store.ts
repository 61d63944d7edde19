// Every statement of sessions but the one that finds whose a cookie is. A read takes the team first.

import { and, desc, eq, gt, isNotNull, isNull, lt, ne, or, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { Page, PageOf } from "../../../core/page.ts";
import { shownBy } from "../../../http/shown-by.ts";
import type { Db } from "../../../platform/db/client.ts";
import { deleteSome } from "../../../platform/db/delete-some.ts";
import { apiKeys } from "../../../platform/db/schema/schema.ts";
import { sessions } from "../../../platform/db/schema/team-schema.ts";
import { selectPage } from "../../../platform/db/select-page.ts";
import { valuesInSql } from "../../../platform/db/values-in-sql.ts";
import { hasUser } from "../store-teams.ts";
import { Session } from "./session.ts";

export type SessionRow = typeof sessions.$inferSelect;

/** The instants by which a session is judged. */
export type At = { at: string; idleSince: string };

/** True in SQL of a session's row that works at the instant. Its key is looked at apart. */
export const isLiveSession = ({ at, idleSince }: At): SQL =>
  and(isNull(sessions.endedAt), gt(sessions.expiresAt, at), gt(sessions.usedAt, idleSince))!;

/** True in SQL of a session's row that was made by no key, or by one that works at the instant. */
const hasLiveKey = (at: string): SQL =>
  sql`(${sessions.keyId} is null or exists (select 1 from ${apiKeys} where ${apiKeys.id} = ${sessions.keyId}
    and ${apiKeys.revokedAt} is null and (${apiKeys.expiresAt} is null or ${apiKeys.expiresAt} > ${at})))`;

/** Returns the row, or nothing where team or user are gone, the key works no more, or `when` is not true. */
export const insertSession = (db: Db, session: SessionRow, when: SQL) =>
  db
    .insert(sessions)
    .select(sql`select ${valuesInSql(sessions, session)} where ${mayBegin(session)} and ${when}`)
    .returning({ id: sessions.id });

const mayBegin = ({ teamId, userId, keyId, createdAt: at }: SessionRow): SQL =>
  sql`${hasUser({ teamId, userId })}
    and (${keyId} is null or exists (select 1 from ${apiKeys} where team_id = ${teamId} and user_id = ${userId}
      and id = ${keyId} and revoked_at is null and (expires_at is null or expires_at > ${at})))`;

/** True in SQL once {@link insertSession} has written it. */
export const hasSession = ({ teamId, id }: Pick<SessionRow, "teamId" | "id">): SQL =>
  sql`exists (select 1 from ${sessions} where team_id = ${teamId} and id = ${id})`;

/** Ends the user's oldest sessions beyond a number. */
export function endSurplusSessions(db: Db, { teamId, userId, createdAt: at }: SessionRow, sessionsMax: number) {
  const isTheirs = and(eq(sessions.teamId, teamId), eq(sessions.userId, userId), isNull(sessions.endedAt));
  const kept = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(isTheirs)
    .orderBy(desc(sessions.id))
    .limit(sessionsMax);
  return db
    .update(sessions)
    .set({ endedAt: at })
    .where(and(isTheirs, sql`${sessions.id} not in ${kept}`));
}

/** A session is owned by a user; with `keyId`, those alone are meant that this key has made. */
export type SessionOwner = { userId: string; keyId: string | null };

const isOwned = (teamId: string, { userId, keyId }: SessionOwner): SQL =>
  and(
    eq(sessions.teamId, teamId),
    eq(sessions.userId, userId),
    keyId === null ? undefined : eq(sessions.keyId, keyId),
  )!;

/** Live ones, newest first. */
export const selectSessions = (
  db: Db,
  teamId: string,
  { owner, when, page, currentId }: { owner: SessionOwner; when: At; page: Page; currentId: string | undefined },
): Promise<PageOf<Session>> =>
  selectPage(db, sessions, {
    where: and(isOwned(teamId, owner), isLiveSession(when), hasLiveKey(when.at)),
    orderBy: [desc(sessions.id)],
    page,
    toItem: (row) => sessionOf(row, currentId),
  });

export const findSession = (db: Db, teamId: string, id: string, when: At): Promise<SessionRow | undefined> =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.teamId, teamId), eq(sessions.id, id), isLiveSession(when)))
    .get();

/** True in SQL while the session works, and was made at no identity provider. */
export const isOwnSession = ({ teamId, id }: SessionName, when: At): SQL =>
  sql`exists (select 1 from ${sessions} where ${and(
    and(eq(sessions.teamId, teamId), eq(sessions.id, id)),
    and(ne(sessions.method, "oidc"), isLiveSession(when)),
  )})`;

/** True in SQL while the session of this id works, and the key that it was made by, if any. */
export const isWorkingSession = (id: SQLWrapper | string, when: At): SQL =>
  sql`exists (select 1 from ${sessions} where ${and(
    sql`${sessions.id} = ${id}`,
    and(isLiveSession(when), hasLiveKey(when.at)),
  )})`;

/** One of whichever team, by what its cookie holds. */
export const findSessionByToken = (db: Db, tokenHash: string, when: At): Promise<SessionRow | undefined> =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.tokenHash, tokenHash), isLiveSession(when)))
    .get();

type SessionName = Pick<SessionRow, "teamId" | "id">;

/** Returns the row to one of those that end it at once. */
export const endSessionRow = (db: Db, { teamId, id }: SessionName, at: string) =>
  db
    .update(sessions)
    .set({ endedAt: at })
    .where(and(eq(sessions.teamId, teamId), eq(sessions.id, id), isNull(sessions.endedAt)))
    .returning({ id: sessions.id });

/** True in SQL once {@link endSessionRow} has ended it. */
export const isEndedAt = ({ teamId, id }: SessionName, at: string): SQL =>
  sql`exists (select 1 from ${sessions} where team_id = ${teamId} and id = ${id} and ended_at = ${at})`;

/** Writes down that a session was used, unless somebody has since the instant before. */
export const touchSession = (db: Db, { teamId, id }: SessionName, at: string, notSince: string) =>
  db
    .update(sessions)
    .set({ usedAt: at })
    .where(and(eq(sessions.teamId, teamId), eq(sessions.id, id), lt(sessions.usedAt, notSince)));

/** Forgets a bounded number of any team's: `before` is of what has ended, `unusedBefore` of the last use. */
export function deleteOldSessions(db: Db, before: string, unusedBefore: string, rowsMax: number) {
  const isOver = or(
    lt(sessions.usedAt, unusedBefore),
    lt(sessions.expiresAt, before),
    and(isNotNull(sessions.endedAt), lt(sessions.endedAt, before)),
  );
  return deleteSome(db, sessions.id, isOver, rowsMax).returning({ id: sessions.id });
}

export const sessionOf = (row: SessionRow, currentId: string | undefined): Session =>
  shownBy(Session, row, { is_current: row.id === currentId });
