// Every statement about key-value stores and secrets. A read takes the team first; only a re-seal looks across teams.

import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import { newId } from "../../core/ids.ts";
import type { Db } from "../../platform/db/client.ts";
import { kvStores, secrets } from "../../platform/db/schema.ts";
import type { Sealed } from "../../platform/crypto/vault.ts";

const isStore = (teamId: string, name: string) => and(eq(kvStores.teamId, teamId), eq(kvStores.name, name))!;
const isSecret = (teamId: string, key: string) => and(eq(secrets.teamId, teamId), eq(secrets.key, key))!;

// ── Key-value stores ───────────────────────────────────────────────────────────────────────────────────────────────

export const findKvStore = (
  db: Db,
  teamId: string,
  name: string,
): Promise<{ data: string; versionId: string } | undefined> =>
  db.select({ data: kvStores.data, versionId: kvStores.versionId }).from(kvStores).where(isStore(teamId, name)).get();

export const countKvStores = (db: Db, teamId: string): Promise<number> =>
  db.$count(kvStores, eq(kvStores.teamId, teamId));

/** Bytes of the team's stores, but for this one. Their lengths stand before the texts, which are not read for it. */
export const sumOtherBytes = async (db: Db, teamId: string, name: string): Promise<number> =>
  (await db
    .select({ bytes: sql<number>`coalesce(sum(octet_length(${kvStores.data})), 0)` })
    .from(kvStores)
    .where(and(eq(kvStores.teamId, teamId), ne(kvStores.name, name)))
    .get())!.bytes;

type KvVersion = { name: string; data: string; versionId: string };

/** Returns the row, or nothing where there is such a store already. */
export const insertKvStore = (db: Db, teamId: string, version: KvVersion, at: string) =>
  db
    .insert(kvStores)
    .values({ id: newId(), teamId, ...version, createdAt: at, updatedAt: at })
    .onConflictDoNothing()
    .returning({ id: kvStores.id });

/** Returns the row, or nothing where the store is at another version, or gone. */
export const updateKvStore = (db: Db, teamId: string, { name, ...next }: KvVersion, seen: string, at: string) =>
  db
    .update(kvStores)
    .set({ ...next, updatedAt: at })
    .where(and(isStore(teamId, name), eq(kvStores.versionId, seen)))
    .returning({ id: kvStores.id });

export const deleteKvStoreRow = (db: Db, teamId: string, name: string) =>
  db.delete(kvStores).where(isStore(teamId, name)).returning({ id: kvStores.id });

// ── Secrets ────────────────────────────────────────────────────────────────────────────────────────────────────────

export const selectSecretKeys = async (db: Db, teamId: string): Promise<string[]> =>
  (await db.select({ key: secrets.key }).from(secrets).where(eq(secrets.teamId, teamId)).orderBy(asc(secrets.key))).map(
    ({ key }) => key,
  );

export const findSealedSecret = async (db: Db, teamId: string, key: string): Promise<string | undefined> =>
  (await db.select({ sealed: secrets.sealedValue }).from(secrets).where(isSecret(teamId, key)).get())?.sealed;

export const countSecrets = (db: Db, teamId: string): Promise<number> => db.$count(secrets, eq(secrets.teamId, teamId));

export function saveSecret(db: Db, teamId: string, key: string, { text, keyId }: Sealed, at: string) {
  const set = { sealedValue: text, vaultKeyId: keyId, updatedAt: at };
  return db
    .insert(secrets)
    .values({ id: newId(), teamId, key, ...set, createdAt: at })
    .onConflictDoUpdate({ target: [secrets.teamId, secrets.key], set });
}

export const deleteSecretRow = (db: Db, teamId: string, key: string) =>
  db.delete(secrets).where(isSecret(teamId, key)).returning({ id: secrets.id });

export type SealedSecret = { teamId: string; key: string; sealed: string };

/** Rows of any team sealed under one of these keys. */
export const selectSecretsSealedUnder = (db: Db, keyIds: string[], rowsMax: number): Promise<SealedSecret[]> =>
  db
    .select({ teamId: secrets.teamId, key: secrets.key, sealed: secrets.sealedValue })
    .from(secrets)
    .where(inArray(secrets.vaultKeyId, keyIds))
    .limit(rowsMax);

/** Returns the row, or nothing where the secret has changed in between. */
export const resealSecretRow = (db: Db, { teamId, key, sealed: before }: SealedSecret, after: Sealed) =>
  db
    .update(secrets)
    .set({ sealedValue: after.text, vaultKeyId: after.keyId })
    .where(and(isSecret(teamId, key), eq(secrets.sealedValue, before)))
    .returning({ id: secrets.id });
