// Every statement of keys but the one that finds who is calling. A read takes the team first.

import { and, asc, eq, isNull, lt, or, sql, type SQL } from "drizzle-orm";
import type { Page, PageOf } from "../../../core/page.ts";
import { shownBy } from "../../../http/shown-by.ts";
import type { Db } from "../../../platform/db/client.ts";
import { deleteSome } from "../../../platform/db/delete-some.ts";
import { selectPage } from "../../../platform/db/select-page.ts";
import { valuesInSql } from "../../../platform/db/values-in-sql.ts";
import { apiKeys } from "../../../platform/db/schema/schema.ts";
import { keyUses } from "../../../platform/db/schema/statistics-schema.ts";
import { mayLeave } from "../store.ts";
import { ApiKey } from "./key.ts";

const isLiveKey = (teamId: string, userId: string): SQL =>
  and(eq(apiKeys.teamId, teamId), eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt))!;

/** One key of the user that is not revoked. */
const isKey = (teamId: string, { userId, id }: KeyName): SQL => and(isLiveKey(teamId, userId), eq(apiKeys.id, id))!;

export type KeyName = { userId: string; id: string };

export async function selectKeys(db: Db, teamId: string, userId: string, page: Page): Promise<PageOf<ApiKey>> {
  const { items, ...rest } = await selectPage(db, apiKeys, {
    where: isLiveKey(teamId, userId),
    orderBy: [asc(apiKeys.id)],
    page,
  });
  const ids = JSON.stringify(items.map(({ id }) => id));
  const uses = await db
    .select()
    .from(keyUses)
    .where(and(eq(keyUses.teamId, teamId), sql`${keyUses.keyId} in (select value from json_each(${ids}))`));
  const usedAt = new Map(uses.map((use) => [use.keyId, use.usedAt]));
  return { ...rest, items: items.map((row) => keyOf(row, usedAt.get(row.id) ?? null)) };
}

/** One that is not revoked; it may have expired. */
export async function findKey(db: Db, teamId: string, name: KeyName): Promise<ApiKey | undefined> {
  const row = await db
    .select({ key: apiKeys, usedAt: keyUses.usedAt })
    .from(apiKeys)
    .leftJoin(keyUses, and(eq(keyUses.teamId, teamId), eq(keyUses.keyId, apiKeys.id)))
    .where(isKey(teamId, name))
    .get();
  return row && keyOf(row.key, row.usedAt);
}

/** Counts the keys that work at the instant. */
export const countKeys = (db: Db, teamId: string, userId: string, at: string): Promise<number> =>
  db.$count(
    apiKeys,
    and(isLiveKey(teamId, userId), sql`(${apiKeys.expiresAt} is null or ${apiKeys.expiresAt} > ${at})`),
  );

export type NewKeyRow = { userId: string; key: ApiKey; suffixHash: string };

/** A key's row when the key is new. */
export const keyRow = (teamId: string, { userId, key, suffixHash }: NewKeyRow): typeof apiKeys.$inferSelect => ({
  id: key.id,
  teamId,
  userId,
  name: key.name,
  suffixHash,
  hint: key.hint,
  createdAt: key.created_at,
  expiresAt: key.expires_at,
  revokedAt: null,
  scopes: key.scopes,
  successorId: null,
});

/** Returns the key, or nothing where `when` is not true. */
export const insertKey = (db: Db, teamId: string, key: NewKeyRow, when: SQL = sql`true`) =>
  db
    .insert(apiKeys)
    .select(sql`select ${valuesInSql(apiKeys, keyRow(teamId, key))} where ${when}`)
    .returning({ id: apiKeys.id });

/** True in SQL once the key is there. */
export const hasKey = (teamId: string, id: string): SQL =>
  sql`exists (select 1 from ${apiKeys} where team_id = ${teamId} and id = ${id})`;

/**
 * Returns the key, or nothing where there is no such live key, or none would be left to manage the team, or the
 * platform, with.
 */
export const revokeKeyRow = (db: Db, teamId: string, name: KeyName, at: string) =>
  db
    .update(apiKeys)
    .set({ revokedAt: at })
    .where(and(isKey(teamId, name), mayLeave(teamId, { keyId: name.id }, at)))
    .returning({ id: apiKeys.id });

/** True in SQL once {@link revokeKeyRow} has revoked the key. */
export const isRevokedAt = (teamId: string, { userId, id }: KeyName, at: string): SQL =>
  sql`exists (select 1 from ${apiKeys} where team_id = ${teamId} and user_id = ${userId} and id = ${id}
    and revoked_at = ${at})`;

/** `old` is the key as it was read; `at` is now. */
export type Rotation = { userId: string; old: ApiKey; next: NewKeyRow; oldExpiresAt: string; at: string };

/**
 * The two changes of a rotation, which are made both or neither: a key is rotated once, while it works, is as it was
 * read, and nobody is locked out because the new one ends and it did not. The second returns the old key where they
 * are made.
 */
export function rotateKeyRows(db: Db, teamId: string, { userId, old, next, oldExpiresAt, at }: Rotation) {
  const row = keyRow(teamId, next);
  const mayGo =
    next.key.expires_at === null || old.expires_at !== null ? undefined : mayLeave(teamId, { keyId: old.id }, at);
  const isAsRead = and(
    isKey(teamId, { userId, id: old.id }),
    isNull(apiKeys.successorId),
    sql`${apiKeys.expiresAt} is ${old.expires_at}`,
    mayGo,
  )!;
  const columns = sql`${row.id}, ${teamId}, ${userId}, ${row.name}, ${row.suffixHash}, ${row.hint}, ${row.createdAt},
    ${row.expiresAt}, null, ${row.scopes && JSON.stringify(row.scopes)}, null`;
  return [
    db.insert(apiKeys).select(sql`select ${columns} where exists (select 1 from ${apiKeys} where ${isAsRead})`),
    db
      .update(apiKeys)
      .set({ expiresAt: oldExpiresAt, successorId: row.id })
      .where(isAsRead)
      .returning({ id: apiKeys.id }),
  ] as const;
}

/** True in SQL once {@link rotateKeyRows} has made `next` of the key. */
export const isRotatedTo = (teamId: string, { userId, id }: KeyName, nextId: string): SQL =>
  sql`exists (select 1 from ${apiKeys} where team_id = ${teamId} and user_id = ${userId} and id = ${id}
    and successor_id = ${nextId})`;

/** Forgets keys of any team that ended before the instant; returns them. */
export const deleteEndedKeys = (db: Db, before: string, rowsMax: number) =>
  deleteSome(db, apiKeys.id, or(lt(apiKeys.revokedAt, before), lt(apiKeys.expiresAt, before)), rowsMax).returning({
    id: apiKeys.id,
  });

const keyOf = (row: typeof apiKeys.$inferSelect, usedAt: string | null): ApiKey =>
  shownBy(ApiKey, row, { last_used_at: usedAt });
