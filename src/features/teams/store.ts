// Every statement of users; those of keys are in `keys/store.ts`, those of teams in `store-teams.ts`, and those that
// find who is calling in `store-callers.ts`. A read within a team takes the team first, so none can forget it.

import { and, asc, eq, sql, type SQL } from "drizzle-orm";
import type { Page, PageOf } from "../../core/page.ts";
import type { Db } from "../../platform/db/client.ts";
import { selectPage } from "../../platform/db/select-page.ts";
import { apiKeys, users } from "../../platform/db/schema/schema.ts";
import type { User, UserPatch } from "./users/user.ts";

// ── Users ──────────────────────────────────────────────────────────────────────────────────────────────────────────

export async function selectUserNames(db: Db, teamId: string, ids: string[]): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(and(eq(users.teamId, teamId), sql`${users.id} in (select value from json_each(${JSON.stringify(ids)}))`));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export const findUser = async (db: Db, teamId: string, id: string): Promise<User | undefined> =>
  userOf(
    await db
      .select()
      .from(users)
      .where(and(eq(users.teamId, teamId), eq(users.id, id)))
      .get(),
  );

export const findUserByEmail = async (db: Db, teamId: string, email: string): Promise<User | undefined> =>
  userOf(
    await db
      .select()
      .from(users)
      .where(and(eq(users.teamId, teamId), eq(users.email, email)))
      .get(),
  );

export const selectUsers = (db: Db, teamId: string, page: Page): Promise<PageOf<User>> =>
  selectPage(db, users, {
    where: eq(users.teamId, teamId),
    orderBy: [asc(users.id)],
    page,
    toItem: (row) => userOf(row),
  });

export const countUsers = (db: Db, teamId: string): Promise<number> => db.$count(users, eq(users.teamId, teamId));

export const insertUser = (db: Db, teamId: string, user: User) => {
  const { is_operator: isOperator, created_at: createdAt, updated_at: updatedAt, ...rest } = user;
  return db.insert(users).values({ ...rest, teamId, isOperator, createdAt, updatedAt });
};

/** A user who stops being an admin, or one key, is about to go. */
type Leaving = { userId: string } | { keyId: string };

/** Who must never be left without a key: true in SQL of a row of users under that name. */
type Holders = (user: SQL) => SQL;
const adminsOf =
  (teamId: string): Holders =>
  (user) =>
    sql`${user}.team_id = ${teamId} and ${user}.role = 'admin'`;
/** The operators of the platform: an installation that has its first one can't mint it again. */
const operators: Holders = (user) => sql`${user}.is_operator = 1`;

/**
 * True in SQL where these holders are not locked out by what leaves, however calls race, nor by the mere passing of
 * time: whatever takes no key that works away may leave; else others must keep one that works, and one that never ends
 * where one of those leaves. Only keys without scopes count: no other is sure to do all that its holder may.
 */
function keepsAKeyOf(holders: Holders, leaving: Leaving, at: string): SQL {
  const [isLive, isLasting] = [sql`(held.expires_at is null or held.expires_at > ${at})`, sql`held.expires_at is null`];
  const goes = "userId" in leaving ? sql`other.id = ${leaving.userId}` : sql`held.id = ${leaving.keyId}`;
  const exists = (which: SQL, keys: SQL): SQL =>
    sql`exists (select 1 from ${users} as other join ${apiKeys} as held on held.user_id = other.id
      where ${holders(sql`other`)} and held.revoked_at is null and held.scopes is null and ${which} and ${keys})`;
  const isKept = (keys: SQL): SQL => sql`(not ${exists(goes, keys)} or ${exists(sql`not (${goes})`, keys)})`;
  return and(isKept(isLive), isKept(isLasting))!;
}

/** True in SQL where neither the team nor the platform is locked out by it. */
export const mayLeave = (teamId: string, leaving: Leaving, at: string): SQL =>
  and(keepsAKeyOf(adminsOf(teamId), leaving, at), keepsAKeyOf(operators, leaving, at))!;

const isUser = (teamId: string, id: string): SQL => and(eq(users.teamId, teamId), eq(users.id, id))!;

export type UserChange = { id: string; patch: UserPatch; at: string };

/**
 * Changes what the patch names alone, so that of two changes at once neither takes the other back. Returns the user, or
 * nothing where they are gone, or the admins would be locked out by this one's stepping down.
 */
export const updateUserRow = (db: Db, teamId: string, { id, patch: { name, role }, at }: UserChange) =>
  db
    .update(users)
    .set({ ...(name !== undefined && { name }), ...(role !== undefined && { role }), updatedAt: at })
    .where(and(isUser(teamId, id), role === "member" ? keepsAKeyOf(adminsOf(teamId), { userId: id }, at) : undefined))
    .returning();

/** True in SQL once {@link updateUserRow} has made this change. */
export const hasUserChange = (teamId: string, { id, patch: { name, role }, at }: UserChange): SQL =>
  sql`exists (select 1 from ${users} where team_id = ${teamId} and id = ${id} and updated_at = ${at}
    and name = ${name ?? sql`name`} and role = ${role ?? sql`role`})`;

export const lacksUserRow = (teamId: string, id: string): SQL =>
  sql`not exists (select 1 from ${users} where team_id = ${teamId} and id = ${id})`;

/** Keys first, since they point at their user; both only where that locks nobody out. */
export const deleteUserRows = (db: Db, teamId: string, id: string, at: string) => {
  const mayGo = mayLeave(teamId, { userId: id }, at);
  return [
    db.delete(apiKeys).where(and(eq(apiKeys.teamId, teamId), eq(apiKeys.userId, id), mayGo)),
    db
      .delete(users)
      .where(and(isUser(teamId, id), mayGo))
      .returning({ id: users.id }),
  ] as const;
};

// ── Mapping ────────────────────────────────────────────────────────────────────────────────────────────────────────

type UserRow = typeof users.$inferSelect;

export function userOf(row: UserRow): User;
export function userOf(row: UserRow | undefined): User | undefined;
export function userOf(row: UserRow | undefined): User | undefined {
  if (!row) return undefined;
  const { id, name, email, role, isOperator, createdAt, updatedAt } = row;
  return { id, name, email, role, is_operator: isOperator, created_at: createdAt, updated_at: updatedAt };
}
