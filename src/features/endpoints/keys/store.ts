// Every statement about endpoints' keys but the one that finds who calls.

import { and, asc, eq, sql, type SQL } from "drizzle-orm";
import type { Page, PageOf } from "../../../core/page.ts";
import { columnsOf, shownBy } from "../../../http/shown-by.ts";
import type { Db } from "../../../platform/db/client.ts";
import { endpointKeys } from "../../../platform/db/schema/question-schema.ts";
import { selectPage } from "../../../platform/db/select-page.ts";
import { EndpointKey } from "./key.ts";

type Owner = { teamId: string; endpointId: string };

const isOf = ({ teamId, endpointId }: Owner): SQL =>
  and(eq(endpointKeys.teamId, teamId), eq(endpointKeys.endpointId, endpointId))!;

export const countEndpointKeys = (db: Db, owner: Owner): Promise<number> => db.$count(endpointKeys, isOf(owner));

export const insertEndpointKey = (db: Db, owner: Owner, key: EndpointKey, keyHash: string) =>
  db.insert(endpointKeys).values({ ...owner, ...columnsOf(key), keyHash });

/** Oldest first; expired ones are among them. */
export const selectEndpointKeys = (db: Db, owner: Owner, page: Page): Promise<PageOf<EndpointKey>> =>
  selectPage(db, endpointKeys, {
    where: isOf(owner),
    orderBy: [asc(endpointKeys.createdAt), asc(endpointKeys.id)],
    page,
    toItem: keyOf,
  });

export async function findEndpointKey(db: Db, owner: Owner, id: string): Promise<EndpointKey | undefined> {
  const row = await db
    .select()
    .from(endpointKeys)
    .where(and(isOf(owner), eq(endpointKeys.id, id)))
    .get();
  return row && keyOf(row);
}

/** True in SQL while the key is there. */
export const hasEndpointKey = ({ teamId }: Owner, id: string): SQL =>
  sql`exists (select 1 from ${endpointKeys} where team_id = ${teamId} and id = ${id})`;

export const deleteEndpointKeyRow = (db: Db, owner: Owner, id: string) =>
  db.delete(endpointKeys).where(and(isOf(owner), eq(endpointKeys.id, id)));

/** Every key of an endpoint that is taken back, while `isSeen` holds. */
export const deleteEndpointKeysStatements = (db: Db, { teamId, id }: { teamId: string; id: string }, isSeen: SQL) => [
  db.delete(endpointKeys).where(and(isOf({ teamId, endpointId: id }), isSeen)),
];

const keyOf = (row: typeof endpointKeys.$inferSelect): EndpointKey => shownBy(EndpointKey, row);
