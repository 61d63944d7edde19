// The statements that find who is calling: the holder of a key or of a session, or whoever work is done for without.

import { and, eq, gt, isNull, or, type SQL } from "drizzle-orm";
import type { Caller } from "../../core/scope.ts";
import type { Db } from "../../platform/db/client.ts";
import { apiKeys, teams, users } from "../../platform/db/schema/schema.ts";
import { sessions } from "../../platform/db/schema/team-schema.ts";
import { isLiveSession, type At } from "./sessions/store.ts";

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

export type SessionHolder = { caller: Caller; session: typeof sessions.$inferSelect; keyExpiresAt: string | null };

/** The user of a live session, in one read. A session that was made by a key has its scopes, and its end. */
export async function findSessionHolder(db: Db, tokenHash: string, when: At): Promise<SessionHolder | undefined> {
  const row = await db
    .select({ session: sessions, user: users, teamName: teams.name, plan: teams.plan, key: apiKeys })
    .from(sessions)
    .innerJoin(users, and(eq(users.id, sessions.userId), eq(users.teamId, sessions.teamId)))
    .innerJoin(teams, eq(teams.id, users.teamId))
    .leftJoin(apiKeys, eq(apiKeys.id, sessions.keyId))
    .where(and(eq(sessions.tokenHash, tokenHash), isLiveSession(when), isNull(teams.deletedAt)))
    .get();
  if (!row || (row.session.keyId !== null && !isLiveKey(row.key, when.at))) return undefined;
  const { session, user, teamName, plan, key } = row;
  const { id, teamId, name, email, role, isOperator } = user;
  const caller = {
    ...{ teamId, teamName, plan, userId: id, userName: name, email, role, isOperator },
    keyId: session.keyId ?? session.id,
    sessionId: session.id,
    ...(key?.scopes && { scopes: key.scopes }),
  };
  return { caller, session, keyExpiresAt: key?.expiresAt ?? null };
}

const isLiveKey = (key: typeof apiKeys.$inferSelect | null, at: string): boolean =>
  key !== null && key.revokedAt === null && (key.expiresAt === null || key.expiresAt > at);

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
