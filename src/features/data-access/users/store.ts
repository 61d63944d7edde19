// The statements about one user: attributes, and all that their roles grant.

import { and, asc, eq, sql, type SQL } from "drizzle-orm";
import {
  accessMembers,
  accessRoles,
  userAttributes,
  type UserAttributes,
} from "../../../platform/db/schema/access-schema.ts";
import type { Db } from "../../../platform/db/client.ts";
import { users } from "../../../platform/db/schema/schema.ts";
import type { KeptGrant } from "../grant.ts";
import type { Who } from "../store-callers.ts";

const isOf = ({ teamId, userId }: Who) => and(eq(userAttributes.teamId, teamId), eq(userAttributes.userId, userId));

export const findAttributes = (
  db: Db,
  who: Who,
): Promise<{ attributes: UserAttributes; updatedAt: string } | undefined> =>
  db
    .select({ attributes: userAttributes.attributes, updatedAt: userAttributes.updatedAt })
    .from(userAttributes)
    .where(isOf(who))
    .get();

/** True in SQL while the user is there. */
export const hasUser = ({ teamId, userId }: Who): SQL =>
  sql`exists (select 1 from ${users} where team_id = ${teamId} and id = ${userId})`;

/** Nothing where the user is gone. */
export const saveAttributes = (
  db: Db,
  { teamId, userId }: Who,
  { attributes, digest, at }: { attributes: UserAttributes; digest: string; at: string },
) =>
  db
    .insert(userAttributes)
    .select(
      sql`select id, team_id, ${JSON.stringify(attributes)}, ${digest}, ${at} from ${users}
        where team_id = ${teamId} and id = ${userId}`,
    )
    .onConflictDoUpdate({ target: userAttributes.userId, set: { attributes, digest, updatedAt: at } })
    .returning({ userId: userAttributes.userId });

export type HeldRole = { id: string; name: string; description: string | null; grants: KeptGrant[] };
export type HeldAccess = { isOpen: boolean; roles: HeldRole[]; attributes: UserAttributes };

/** What a user has, of one moment; roles in the order of their names. */
export async function findHeldAccess(db: Db, who: Who): Promise<HeldAccess> {
  const { teamId, userId } = who;
  const [roles, attributes, others] = await db.batch([
    db
      .select({
        id: accessRoles.id,
        name: accessRoles.name,
        description: accessRoles.description,
        grants: accessRoles.grants,
      })
      .from(accessMembers)
      .innerJoin(accessRoles, and(eq(accessRoles.id, accessMembers.roleId), eq(accessRoles.teamId, teamId)))
      .where(and(eq(accessMembers.teamId, teamId), eq(accessMembers.userId, userId)))
      .orderBy(asc(accessRoles.nameFolded), asc(accessRoles.id)),
    db.select({ attributes: userAttributes.attributes }).from(userAttributes).where(isOf(who)),
    db.select({ id: accessRoles.id }).from(accessRoles).where(eq(accessRoles.teamId, teamId)).limit(1),
  ]);
  return {
    isOpen: others.length === 0,
    roles: roles.map((role) => ({ ...role, grants: JSON.parse(role.grants) as KeptGrant[] })),
    attributes: attributes[0]?.attributes ?? {},
  };
}
