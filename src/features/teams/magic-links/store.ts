// Every statement of links that sign in.

import { and, asc, eq, gt, inArray, isNull, lt, sql, type SQL } from "drizzle-orm";
import type { Db } from "../../../platform/db/client.ts";
import { apiKeys, teams, users } from "../../../platform/db/schema/schema.ts";
import { magicLinks } from "../../../platform/db/schema/team-schema.ts";
import { valuesInSql } from "../../../platform/db/values-in-sql.ts";
import { hasTeam } from "../store-teams.ts";
import { keyRow, type NewKeyRow } from "../keys/store.ts";

export type Link = typeof magicLinks.$inferSelect;
type Admin = Pick<typeof users.$inferSelect, "id" | "name" | "email" | "isOperator">;

/** Who has been an admin of the team for longest, or rather in it. */
export const findFirstAdmin = (db: Db, teamId: string): Promise<Admin | undefined> =>
  db
    .select({ id: users.id, name: users.name, email: users.email, isOperator: users.isOperator })
    .from(users)
    .where(and(eq(users.teamId, teamId), eq(users.role, "admin")))
    .orderBy(asc(users.id))
    .limit(1)
    .get();

/** True in SQL while the team is there, and the user an admin of it. */
const isAdminOf = ({ teamId, userId }: Pick<Link, "teamId" | "userId">): SQL =>
  sql`(${hasTeam(teamId)}
    and exists (select 1 from ${users} where id = ${userId} and team_id = ${teamId} and role = 'admin'))`;

/** Links of the team that nobody has used end now: one works at a time. */
export const endOtherLinks = (db: Db, teamId: string, at: string) =>
  db
    .update(magicLinks)
    .set({ expiresAt: at })
    .where(and(eq(magicLinks.teamId, teamId), isNull(magicLinks.keyId), gt(magicLinks.expiresAt, at)));

/** Returns the row, or nothing where there is no such admin any more. */
export const insertLink = (db: Db, link: Link) =>
  db
    .insert(magicLinks)
    .select(sql`select ${valuesInSql(magicLinks, link)} where ${isAdminOf(link)}`)
    .returning({ id: magicLinks.id });

/** True in SQL once {@link insertLink} has written it. */
export const hasLink = ({ teamId, id }: Pick<Link, "teamId" | "id">): SQL =>
  sql`exists (select 1 from ${magicLinks} where team_id = ${teamId} and id = ${id})`;

/** One that works at the instant, with whom and where it signs in. */
export const findLiveLink = (db: Db, tokenHash: string, at: string) =>
  db
    .select({
      id: magicLinks.id,
      team: { id: teams.id, name: teams.name },
      user: { id: users.id, name: users.name, email: users.email },
    })
    .from(magicLinks)
    .innerJoin(users, and(eq(users.id, magicLinks.userId), eq(users.teamId, magicLinks.teamId)))
    .innerJoin(teams, eq(teams.id, magicLinks.teamId))
    .where(
      and(
        eq(magicLinks.tokenHash, tokenHash),
        isNull(magicLinks.keyId),
        gt(magicLinks.expiresAt, at),
        eq(users.role, "admin"),
        isNull(teams.deletedAt),
      ),
    )
    .get();

export type LinkUse = { id: string; teamId: string; userId: string; keyId: string; at: string };

/** Returns the row to one of those that use it at once, and nothing to the others, or where it works no more. */
export const useLinkRow = (db: Db, use: LinkUse) =>
  db
    .update(magicLinks)
    .set({ keyId: use.keyId })
    .where(
      and(
        eq(magicLinks.teamId, use.teamId),
        eq(magicLinks.id, use.id),
        isNull(magicLinks.keyId),
        gt(magicLinks.expiresAt, use.at),
        isAdminOf(use),
      ),
    )
    .returning({ id: magicLinks.id });

/** True in SQL once {@link useLinkRow} has bound the link to this key. */
export const isUsedFor = ({ teamId, id, keyId }: LinkUse): SQL =>
  sql`exists (select 1 from ${magicLinks} where team_id = ${teamId} and id = ${id} and key_id = ${keyId})`;

export const insertKeyIf = (db: Db, teamId: string, key: NewKeyRow, when: SQL) =>
  db.insert(apiKeys).select(sql`select ${valuesInSql(apiKeys, keyRow(teamId, key))} where ${when}`);

/** Forgets a bounded number of any team's that ended before the instant. */
export const deleteOldLinks = (db: Db, before: string, rowsMax: number) =>
  db
    .delete(magicLinks)
    .where(
      inArray(
        magicLinks.id,
        db.select({ id: magicLinks.id }).from(magicLinks).where(lt(magicLinks.expiresAt, before)).limit(rowsMax),
      ),
    )
    .returning({ id: magicLinks.id });
