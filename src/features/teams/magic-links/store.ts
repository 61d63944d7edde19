// Every statement of links that sign in.

import { and, asc, eq, gt, isNull, lt, sql, type SQL } from "drizzle-orm";
import type { Db } from "../../../platform/db/client.ts";
import { deleteSome } from "../../../platform/db/delete-some.ts";
import { teams, users } from "../../../platform/db/schema/schema.ts";
import { sessions, magicLinks } from "../../../platform/db/schema/team-schema.ts";
import { valuesInSql } from "../../../platform/db/values-in-sql.ts";
import { hasUser } from "../store-teams.ts";

export type Link = typeof magicLinks.$inferSelect;
type Person = Pick<typeof users.$inferSelect, "id" | "name" | "email" | "isOperator">;

/** Who has been an admin of the team for longest, or rather in it. */
export const findFirstAdmin = (db: Db, teamId: string): Promise<Person | undefined> =>
  db
    .select({ id: users.id, name: users.name, email: users.email, isOperator: users.isOperator })
    .from(users)
    .where(and(eq(users.teamId, teamId), eq(users.role, "admin")))
    .orderBy(asc(users.id))
    .limit(1)
    .get();

/** The people of all teams who have this address, the oldest first. */
export const selectPeopleOf = (
  db: Db,
  email: string,
  rowsMax: number,
): Promise<{ userId: string; teamId: string; teamName: string }[]> =>
  db
    .select({ userId: users.id, teamId: users.teamId, teamName: teams.name })
    .from(users)
    .innerJoin(teams, eq(teams.id, users.teamId))
    .where(and(eq(users.email, email), isNull(teams.deletedAt)))
    .orderBy(asc(users.id))
    .limit(rowsMax);

const isUnused = (at: string): SQL =>
  and(isNull(magicLinks.keyId), isNull(magicLinks.sessionId), gt(magicLinks.expiresAt, at))!;

/** Links of the user that nobody has used end now. */
export const endOtherLinks = (db: Db, { teamId, userId, createdAt: at }: Link) =>
  db
    .update(magicLinks)
    .set({ expiresAt: at })
    .where(and(eq(magicLinks.teamId, teamId), eq(magicLinks.userId, userId), isUnused(at)));

/** Returns the row, or nothing where its user is gone. */
export const insertLink = (db: Db, link: Link) =>
  db
    .insert(magicLinks)
    .select(sql`select ${valuesInSql(magicLinks, link)} where ${hasUser(link)}`)
    .returning({ id: magicLinks.id });

/** True in SQL once {@link insertLink} has written it. */
export const hasLink = ({ teamId, id }: Pick<Link, "teamId" | "id">): SQL =>
  sql`exists (select 1 from ${magicLinks} where team_id = ${teamId} and id = ${id})`;

/** One that works at the instant. */
export const findLiveLink = (db: Db, tokenHash: string, at: string): Promise<Link | undefined> =>
  db
    .select()
    .from(magicLinks)
    .where(and(eq(magicLinks.tokenHash, tokenHash), isUnused(at)))
    .get();

/** True in SQL while nobody has used the link, and it has not ended. */
export const isLiveLink = ({ teamId, id }: Link, at: string): SQL =>
  sql`exists (select 1 from ${magicLinks} where team_id = ${teamId} and id = ${id} and ${isUnused(at)})`;

export type LinkUse = { id: string; teamId: string; sessionId: string };

/** Binds the link to the session that it has made, where that was written. */
export const useLinkRow = (db: Db, { id, teamId, sessionId }: LinkUse) =>
  db
    .update(magicLinks)
    .set({ sessionId })
    .where(
      and(
        eq(magicLinks.teamId, teamId),
        eq(magicLinks.id, id),
        sql`exists (select 1 from ${sessions} where team_id = ${teamId} and id = ${sessionId})`,
      ),
    );

/** True in SQL once {@link useLinkRow} has bound the link to this session. */
export const isUsedFor = ({ teamId, id, sessionId }: LinkUse): SQL =>
  sql`exists (select 1 from ${magicLinks} where team_id = ${teamId} and id = ${id} and session_id = ${sessionId})`;

/** Forgets a bounded number of any team's that ended before the instant. */
export const deleteOldLinks = (db: Db, before: string, rowsMax: number) =>
  deleteSome(db, magicLinks.id, lt(magicLinks.expiresAt, before), rowsMax).returning({ id: magicLinks.id });
