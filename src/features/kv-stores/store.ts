// Every statement about key-value stores. A read takes the team first.

import { and, eq, ne, sql, type SQL } from "drizzle-orm";
import { newId } from "../../core/ids.ts";
import type { Db } from "../../platform/db/client.ts";
import { kvStores } from "../../platform/db/schema/schema.ts";

const isStore = (teamId: string, name: string) => and(eq(kvStores.teamId, teamId), eq(kvStores.name, name))!;

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
export const updateKvStore = (
  db: Db,
  teamId: string,
  { name, ...next }: KvVersion,
  { seen, at }: { seen: string; at: string },
) =>
  db
    .update(kvStores)
    .set({ ...next, updatedAt: at })
    .where(and(isStore(teamId, name), eq(kvStores.versionId, seen)))
    .returning({ id: kvStores.id });

/** True in SQL while the team has such a store. */
export const hasKvStore = (teamId: string, name: string): SQL =>
  sql`exists (select 1 from ${kvStores} where team_id = ${teamId} and name = ${name})`;

/** True in SQL once this version is the store's. */
export const hasKvVersion = (teamId: string, { name, versionId }: KvVersion): SQL =>
  sql`exists (select 1 from ${kvStores} where team_id = ${teamId} and name = ${name} and version_id = ${versionId})`;

/** The store's id, found in SQL. */
export const idOfKvStore = (teamId: string, name: string): SQL =>
  sql`(select id from ${kvStores} where team_id = ${teamId} and name = ${name})`;

export const deleteKvStoreRow = (db: Db, teamId: string, name: string) =>
  db.delete(kvStores).where(isStore(teamId, name)).returning({ id: kvStores.id });
