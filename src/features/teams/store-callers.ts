// The statements that find who is calling: the holder of a key, or whoever work is done for without one.

import { and, eq, gt, isNull, or, type SQL } from "drizzle-orm";
import type { Caller } from "../../core/scope.ts";
import type { Db } from "../../platform/db/client.ts";
import { apiKeys, teams, users } from "../../platform/db/schema/schema.ts";

/** The holder of a live key, in one read; `expiresAt` is the key's own. */
export async function findKeyHolder(
  db: Db,
  userId: string,
  suffixHash: string,
  now: Date,
): Promise<{ caller: Caller; expiresAt: string | null } | undefined> {
  const isLive = and(
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now.toISOString())),
  );
  const row = await db
    .select({ key: apiKeys, user: users, teamName: teams.name, plan: teams.plan })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .innerJoin(teams, eq(teams.id, users.teamId))
    .where(and(eq(apiKeys.userId, userId), eq(apiKeys.suffixHash, suffixHash), isLive, isNull(teams.deletedAt)))
    .get();
  if (!row) return undefined;
  const { key, user, teamName, plan } = row;
  const { id, teamId, name, email, role, isOperator } = user;
  return {
    caller: {
      teamId,
      teamName,
      plan,
      userId: id,
      userName: name,
      email,
      keyId: key.id,
      role,
      isOperator,
      ...(key.scopes && { scopes: key.scopes }),
    },
    expiresAt: key.expiresAt,
  };
}

/** A person of the team as a caller, without a key. */
export const findPerson = (db: Db, teamId: string, userId: string): Promise<Person | undefined> =>
  findOnePerson(db, and(eq(users.teamId, teamId), eq(users.id, userId)));

/** An operator of the platform as a caller, whichever team they are in. */
export const findOperator = (db: Db, userId: string): Promise<Person | undefined> =>
  findOnePerson(db, and(eq(users.id, userId), eq(users.isOperator, true)));

type Person = Omit<Caller, "keyId">;

async function findOnePerson(db: Db, where: SQL | undefined): Promise<Person | undefined> {
  const row = await db
    .select({ user: users, teamName: teams.name, plan: teams.plan })
    .from(users)
    .innerJoin(teams, eq(teams.id, users.teamId))
    .where(and(where, isNull(teams.deletedAt)))
    .get();
  if (!row) return undefined;
  const { id, teamId, name, email, role, isOperator } = row.user;
  return { teamId, teamName: row.teamName, plan: row.plan, userId: id, userName: name, email, role, isOperator };
}
