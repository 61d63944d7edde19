// Every statement about who has which role but those that say what a caller has.

import { and, asc, count, eq, sql, type SQL } from "drizzle-orm";
import type { Page, PageOf } from "../../../core/page.ts";
import { accessMembers, accessRoles } from "../../../platform/db/schema/access-schema.ts";
import type { Db } from "../../../platform/db/client.ts";
import { users } from "../../../platform/db/schema/schema.ts";
import type { RoleMember } from "./member.ts";

export type Membership = { teamId: string; roleId: string; userId: string };

const isOfRole = (teamId: string, roleId: string): SQL =>
  and(eq(accessMembers.teamId, teamId), eq(accessMembers.roleId, roleId))!;

/** In the order in which they were made users. */
export async function selectMembers(
  db: Db,
  { teamId, roleId }: Omit<Membership, "userId">,
  page: Page,
): Promise<PageOf<RoleMember>> {
  const [items, totals] = await db.batch([
    db
      .select({ user_id: users.id, name: users.name, email: users.email, added_at: accessMembers.createdAt })
      .from(accessMembers)
      .innerJoin(users, and(eq(users.id, accessMembers.userId), eq(users.teamId, teamId)))
      .where(isOfRole(teamId, roleId))
      .orderBy(asc(accessMembers.userId))
      .limit(page.limit)
      .offset(page.offset),
    db.select({ total: count() }).from(accessMembers).where(isOfRole(teamId, roleId)),
  ]);
  return { items, total: totals[0]!.total, ...page };
}

/** Nothing where the role or the user is gone, or the user has the role. */
export const insertMember = (db: Db, { teamId, roleId, userId }: Membership, at: string) =>
  db
    .insert(accessMembers)
    .select(
      sql`select ${teamId}, role.id, member.id, ${at} from ${accessRoles} as role
        join ${users} as member on member.team_id = role.team_id and member.id = ${userId}
        where role.team_id = ${teamId} and role.id = ${roleId} and not ${hasMember({ teamId, roleId, userId })}`,
    )
    .returning({ userId: accessMembers.userId });

/** True in SQL while the user has the role. */
export const hasMember = ({ teamId, roleId, userId }: Membership): SQL =>
  sql`exists (select 1 from ${accessMembers} as had where had.team_id = ${teamId} and had.role_id = ${roleId}
    and had.user_id = ${userId})`;

export const isMember = async (db: Db, membership: Membership): Promise<boolean> =>
  (await db.get<{ isMember: number }>(sql`select ${hasMember(membership)} as isMember`)).isMember === 1;

/** True in SQL while role and user are there and the user has not the role. */
export const canBeAdded = ({ teamId, roleId, userId }: Membership): SQL =>
  sql`exists (select 1 from ${accessRoles} where team_id = ${teamId} and id = ${roleId})
    and exists (select 1 from ${users} where team_id = ${teamId} and id = ${userId})
    and not ${hasMember({ teamId, roleId, userId })}`;

export const deleteMember = (db: Db, { teamId, roleId, userId }: Membership) =>
  db
    .delete(accessMembers)
    .where(and(isOfRole(teamId, roleId), eq(accessMembers.userId, userId)))
    .returning({ userId: accessMembers.userId });
