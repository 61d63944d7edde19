// Every statement about keys of lakes.

import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import type { Caller } from "../../../core/scope.ts";
import type { Db } from "../../../platform/db/client.ts";
import { integrations, lakeKeys, teams, users } from "../../../platform/db/schema/schema.ts";
import { valuesInSql } from "../../../platform/db/values-in-sql.ts";

export type LakeKey = typeof lakeKeys.$inferSelect;

const isOf = (teamId: string, integrationId: string): SQL =>
  and(eq(lakeKeys.teamId, teamId), eq(lakeKeys.integrationId, integrationId))!;

export const findLakeKey = (db: Db, teamId: string, integrationId: string): Promise<LakeKey | undefined> =>
  db.select().from(lakeKeys).where(isOf(teamId, integrationId)).get();

/** Puts the key in the place of the one before, where its integration is there. */
export const replaceLakeKey = (db: Db, { teamId, integrationId, ...key }: LakeKey) =>
  db
    .insert(lakeKeys)
    .select(
      sql`select ${valuesInSql(lakeKeys, { teamId, integrationId, ...key })}
        where exists (select 1 from ${integrations} where team_id = ${teamId} and id = ${integrationId})`,
    )
    .onConflictDoUpdate({ target: lakeKeys.integrationId, set: key });

/** True in SQL while this very key is there. */
export const hasLakeKey = (teamId: string, id: string): SQL =>
  sql`exists (select 1 from ${lakeKeys} where team_id = ${teamId} and id = ${id})`;

export const deleteLakeKeyRow = (db: Db, teamId: string, integrationId: string) =>
  db.delete(lakeKeys).where(isOf(teamId, integrationId));

/** Who the key acts for: its maker, while they, the integration and the team are there. */
export async function selectLakeKeyHolder(db: Db, userId: string, keyHash: string): Promise<Caller | undefined> {
  const row = await db
    .select({ key: lakeKeys, user: users, teamName: teams.name, plan: teams.plan })
    .from(lakeKeys)
    .innerJoin(users, and(eq(users.id, lakeKeys.userId), eq(users.teamId, lakeKeys.teamId)))
    .innerJoin(teams, eq(teams.id, lakeKeys.teamId))
    .innerJoin(integrations, and(eq(integrations.id, lakeKeys.integrationId), eq(integrations.teamId, lakeKeys.teamId)))
    .where(and(eq(lakeKeys.userId, userId), eq(lakeKeys.keyHash, keyHash), isNull(teams.deletedAt)))
    .get();
  if (!row) return undefined;
  const { id, teamId, name, email, role } = row.user;
  return {
    ...{ teamId, teamName: row.teamName, plan: row.plan, userId: id, userName: name, email, role },
    keyId: row.key.id,
    isOperator: false,
    icebergLakeId: row.key.lakeId,
  };
}
