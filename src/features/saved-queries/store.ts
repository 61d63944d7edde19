// Every statement about saved queries and their versions. A read takes the team first, so none can forget it.

import { and, asc, desc, eq, getTableColumns, isNotNull, isNull, lte, sql, type SQL } from "drizzle-orm";
import { newId } from "../../core/ids.ts";
import type { Page, PageOf } from "../../core/page.ts";
import { columnsOf, shownBy } from "../../http/shown-by.ts";
import type { Db } from "../../platform/db/client.ts";
import { deliveries } from "../../platform/db/schema/question-schema.ts";
import { publications, savedQueries, savedQueryVersions } from "../../platform/db/schema/question-schema.ts";
import { selectPage } from "../../platform/db/select-page.ts";
import {
  searchTextOf,
  unpackDefinition,
  type SavedDefinition,
  SavedQuery,
  type SavedQueryUse,
  SavedQueryVersion,
  type SavedQueryVersionDetail,
} from "./saved-query.ts";

const isQuery = (teamId: string, id: string): SQL => and(eq(savedQueries.teamId, teamId), eq(savedQueries.id, id))!;

export async function findQueryRow(db: Db, teamId: string, id: string): Promise<SavedQuery | undefined> {
  const row = await db.select().from(savedQueries).where(isQuery(teamId, id)).get();
  return row && queryOf(row);
}

/** `words`: each is somewhere in name, description, tags or text. `archived` undefined: both. */
export type QueryFilter = {
  words: readonly string[];
  tag?: string | undefined;
  ownerId?: string | undefined;
  certified?: boolean | undefined;
  archived?: boolean | undefined;
};

/** Oldest first. */
export function selectQueries(
  db: Db,
  teamId: string,
  { words, tag, ownerId, certified, archived }: QueryFilter,
  page: Page,
): Promise<PageOf<SavedQuery>> {
  const { searchText, tags, certifiedAt, archivedAt } = savedQueries;
  const where = and(
    eq(savedQueries.teamId, teamId),
    ...words.map((word) => sql`instr(${searchText}, ${word}) > 0`),
    tag === undefined ? undefined : sql`exists (select 1 from json_each(${tags}) t where t.value = ${tag})`,
    ownerId === undefined ? undefined : eq(savedQueries.ownerId, ownerId),
    certified === undefined ? undefined : certified ? isNotNull(certifiedAt) : isNull(certifiedAt),
    archived === undefined ? undefined : archived ? isNotNull(archivedAt) : isNull(archivedAt),
  );
  return selectPage(db, savedQueries, {
    columns: SHOWN,
    where,
    orderBy: [asc(savedQueries.createdAt), asc(savedQueries.id)],
    page,
    toItem: queryOf,
  });
}

export const countQueries = (db: Db, teamId: string): Promise<number> =>
  db.$count(savedQueries, eq(savedQueries.teamId, teamId));

export const insertQuery = (db: Db, teamId: string, query: SavedQuery, definition: SavedDefinition) =>
  db.insert(savedQueries).values({ ...rowOf(query), teamId, searchText: searchTextOf(definition) });

/** True in SQL while the saved query is as it was seen, and not archived. */
export const hasQuery = (teamId: string, { id, version, updated_at: at }: SavedQuery): SQL =>
  sql`exists (select 1 from ${savedQueries} where team_id = ${teamId} and id = ${id} and version = ${version}
    and updated_at = ${at} and archived_at is null)`;

/** Returns the row, or nothing where another change has come in between, or the query is archived. */
export const updateQueryRow = (
  db: Db,
  teamId: string,
  { before, after, definition }: { before: SavedQuery; after: SavedQuery; definition: SavedDefinition },
) =>
  db
    .update(savedQueries)
    .set({ ...rowOf(after), searchText: searchTextOf(definition) })
    .where(and(isQuery(teamId, before.id), hasQuery(teamId, before)))
    .returning({ id: savedQueries.id });

/** True in SQL while the query is there and archived, or not. */
export const isArchivedInSql = (teamId: string, id: string, isArchived: boolean): SQL =>
  sql`exists (select 1 from ${savedQueries} where team_id = ${teamId} and id = ${id}
    and archived_at is ${isArchived ? sql`not null` : sql`null`})`;

export const archiveQueryRow = (db: Db, teamId: string, id: string, at: string) =>
  db
    .update(savedQueries)
    .set({ archivedAt: at })
    .where(and(isQuery(teamId, id), isNull(savedQueries.archivedAt)));

export const restoreQueryRow = (db: Db, teamId: string, id: string) =>
  db.update(savedQueries).set({ archivedAt: null }).where(isQuery(teamId, id));

// ── Uses ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** By kind, and then by name. A delivery sends the newest version. */
export async function selectUses(
  db: Db,
  teamId: string,
  queryId: string,
  { limit, offset }: Page,
): Promise<PageOf<SavedQueryUse>> {
  const uses = sql`select 'endpoint' as kind, id, name, query_version as version from ${publications}
      where kind = 'endpoint' and team_id = ${teamId} and query_id = ${queryId}
    union all select 'delivery', d.id, d.name, q.version from ${deliveries} d
      join ${savedQueries} q on q.team_id = d.team_id and q.id = d.source_id
      where d.team_id = ${teamId} and d.source_id = ${queryId}`;
  const [items, counted] = await Promise.all([
    db.all<SavedQueryUse>(sql`${uses} order by kind desc, name, id limit ${limit} offset ${offset}`),
    db.get<{ total: number }>(sql`select count(*) as total from (${uses})`),
  ]);
  return { items, total: counted.total, limit, offset };
}

// ── Versions ───────────────────────────────────────────────────────────────────────────────────────────────────────

const isVersionOf = (teamId: string, queryId: string): SQL =>
  and(eq(savedQueryVersions.teamId, teamId), eq(savedQueryVersions.queryId, queryId))!;

/** `seen`: of a change, the query that it changes: a change that lost its race leaves no version behind. */
export function insertVersion(
  db: Db,
  teamId: string,
  { query, text, userId, seen }: { query: SavedQuery; text: string; userId: string; seen?: SavedQuery },
) {
  const when = seen === undefined ? sql`1` : hasQuery(teamId, seen);
  const row = sql`${newId()}, ${teamId}, ${query.id}, ${query.version}, ${text}, ${userId}, ${query.updated_at}`;
  // A change of owner or mark alone leaves the version as it is.
  return db.insert(savedQueryVersions).select(sql`select ${row} where ${when}`).onConflictDoNothing();
}

/** Bytes of all that is kept. */
export const sumVersionBytes = async (db: Db, teamId: string): Promise<number> =>
  (await db
    .select({ bytes: sql<number>`coalesce(sum(octet_length(${savedQueryVersions.definition})), 0)` })
    .from(savedQueryVersions)
    .where(eq(savedQueryVersions.teamId, teamId))
    .get())!.bytes;

export const deleteVersionsUpTo = (db: Db, teamId: string, queryId: string, version: number) =>
  db.delete(savedQueryVersions).where(and(isVersionOf(teamId, queryId), lte(savedQueryVersions.version, version)));

export async function findVersion(
  db: Db,
  teamId: string,
  queryId: string,
  version: number,
): Promise<SavedQueryVersionDetail | undefined> {
  const row = await db
    .select()
    .from(savedQueryVersions)
    .where(and(isVersionOf(teamId, queryId), eq(savedQueryVersions.version, version)))
    .get();
  return row && { ...versionOf(row), ...unpackDefinition(row.definition) };
}

/** What each of them says at its version. */
export async function selectDefinitions(
  db: Db,
  teamId: string,
  queries: readonly SavedQuery[],
): Promise<{ queryId: string; definition: SavedDefinition }[]> {
  const { queryId, version, definition } = savedQueryVersions;
  const pairs = JSON.stringify(queries.map((query) => [query.id, query.version]));
  const isSought = sql`(${queryId}, ${version}) in
    (select p.value ->> 0, p.value ->> 1 from json_each(${pairs}) p)`;
  const rows = await db
    .select({ queryId, definition })
    .from(savedQueryVersions)
    .where(and(eq(savedQueryVersions.teamId, teamId), isSought));
  return rows.map((row) => ({ queryId: row.queryId, definition: unpackDefinition(row.definition) }));
}

/** Newest first. The definitions, which may be long, are left where they are. */
export const selectVersions = (
  db: Db,
  teamId: string,
  queryId: string,
  page: Page,
): Promise<PageOf<SavedQueryVersion>> =>
  selectPage(db, savedQueryVersions, {
    columns: {
      version: savedQueryVersions.version,
      createdBy: savedQueryVersions.createdBy,
      createdAt: savedQueryVersions.createdAt,
    },
    where: isVersionOf(teamId, queryId),
    orderBy: [desc(savedQueryVersions.version)],
    page,
    toItem: versionOf,
  });

// ── Mapping ────────────────────────────────────────────────────────────────────────────────────────────────────────

type Row = typeof savedQueries.$inferSelect;
type VersionRow = Pick<typeof savedQueryVersions.$inferSelect, "version" | "createdBy" | "createdAt">;

/** All but what a search looks through, which holds the whole text. */
const { searchText: _, teamId: __, ...SHOWN } = getTableColumns(savedQueries);

const versionOf = (row: VersionRow): SavedQueryVersion => shownBy(SavedQueryVersion, row);

const rowOf = ({ certified: _, ...query }: SavedQuery): Omit<Row, "teamId" | "searchText"> => columnsOf(query);

const queryOf = (row: Omit<Row, "teamId" | "searchText">): SavedQuery =>
  shownBy(SavedQuery, row, { certified: row.certifiedAt !== null });
