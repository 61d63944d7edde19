// Every statement about secrets. A read takes the team first; only a re-seal looks across teams.

import { and, asc, eq, sql, type SQL } from "drizzle-orm";
import { newId } from "../../core/ids.ts";
import type { Sealed } from "../../platform/crypto/vault.ts";
import type { Db } from "../../platform/db/client.ts";
import { secrets } from "../../platform/db/schema/schema.ts";
import { sealedRowsOf } from "../../platform/db/sealed-rows.ts";

const isSecret = (teamId: string, key: string) => and(eq(secrets.teamId, teamId), eq(secrets.key, key))!;

export const selectSecretKeys = async (db: Db, teamId: string): Promise<string[]> =>
  (await db.select({ key: secrets.key }).from(secrets).where(eq(secrets.teamId, teamId)).orderBy(asc(secrets.key))).map(
    ({ key }) => key,
  );

export const findSealedSecret = async (db: Db, teamId: string, key: string): Promise<string | undefined> =>
  (await db.select({ sealed: secrets.sealedValue }).from(secrets).where(isSecret(teamId, key)).get())?.sealed;

export const countSecrets = (db: Db, teamId: string): Promise<number> => db.$count(secrets, eq(secrets.teamId, teamId));

export function saveSecret(db: Db, teamId: string, { key, sealed, at }: { key: string; sealed: Sealed; at: string }) {
  const set = { sealedValue: sealed.text, vaultKeyId: sealed.keyId, updatedAt: at };
  return db
    .insert(secrets)
    .values({ id: newId(), teamId, key, ...set, createdAt: at })
    .onConflictDoUpdate({ target: [secrets.teamId, secrets.key], set });
}

/** True in SQL while the team has such a secret. */
export const hasSecret = (teamId: string, key: string): SQL =>
  sql`exists (select 1 from ${secrets} where team_id = ${teamId} and key = ${key})`;

export const deleteSecretRow = (db: Db, teamId: string, key: string) =>
  db.delete(secrets).where(isSecret(teamId, key)).returning({ id: secrets.id });

/** The rows that key rotation re-seals, of any team. */
export const sealedSecrets = (db: Db) => sealedRowsOf(db, secrets, "sealedValue", { key: secrets.key });
