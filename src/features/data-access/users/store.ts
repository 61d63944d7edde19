// The statements about one user's attributes.

import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Scope } from "../../../core/scope.ts";
import { userAttributes, type UserAttributes } from "../../../platform/db/schema/access-schema.ts";
import type { Db } from "../../../platform/db/client.ts";
import { users } from "../../../platform/db/schema/schema.ts";

type Who = Pick<Scope, "teamId" | "userId">;

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
