// Every statement about terms and their versions. A read takes the team first, so none can forget it.

import { and, asc, desc, eq, lte, sql, type SQL } from "drizzle-orm";
import { newId } from "../../core/ids.ts";
import type { Page, PageOf } from "../../core/page.ts";
import type { Db } from "../../platform/db/client.ts";
import { glossaryTerms, glossaryTermVersions } from "../../platform/db/schema/question-schema.ts";
import { selectPage } from "../../platform/db/select-page.ts";
import { packContent, termKeyOf, type GlossaryTermVersion, type KeptTerm, type TermContent } from "./term.ts";

const isTerm = (teamId: string, id: string): SQL => and(eq(glossaryTerms.teamId, teamId), eq(glossaryTerms.id, id))!;

export async function findTerm(db: Db, teamId: string, id: string): Promise<KeptTerm | undefined> {
  const row = await db.select().from(glossaryTerms).where(isTerm(teamId, id)).get();
  return row && termOf(row);
}

/** In the order of the alphabet. */
export const selectTerms = (db: Db, teamId: string, page: Page): Promise<PageOf<KeptTerm>> =>
  selectPage(db, glossaryTerms, {
    where: eq(glossaryTerms.teamId, teamId),
    orderBy: [asc(glossaryTerms.termKey)],
    page,
    toItem: termOf,
  });

export const countTerms = (db: Db, teamId: string): Promise<number> =>
  db.$count(glossaryTerms, eq(glossaryTerms.teamId, teamId));

/** Returns nothing where the team has the term already. */
export const insertTerm = (db: Db, teamId: string, term: KeptTerm) =>
  db
    .insert(glossaryTerms)
    .values({ ...rowOf(term), teamId })
    .onConflictDoNothing()
    .returning({ id: glossaryTerms.id });

/** True in SQL while the term is as it was seen. */
export const hasTerm = (teamId: string, { id, version }: KeptTerm): SQL =>
  sql`exists (select 1 from ${glossaryTerms} where team_id = ${teamId} and id = ${id} and version = ${version})`;

/** True in SQL while the term is there, at whichever version. */
export const isThere = (teamId: string, id: string): SQL =>
  sql`exists (select 1 from ${glossaryTerms} where team_id = ${teamId} and id = ${id})`;

/** True in SQL while the term is as it was seen, and no other is called what it is to be called. */
export const isUpdatable = (teamId: string, before: KeptTerm, after: KeptTerm): SQL =>
  and(
    hasTerm(teamId, before),
    sql`not exists (select 1 from ${glossaryTerms}
      where team_id = ${teamId} and id <> ${before.id} and term_key = ${termKeyOf(after)})`,
  )!;

/** Returns the row, or nothing where {@link isUpdatable} does not hold. */
export const updateTermRow = (db: Db, teamId: string, before: KeptTerm, after: KeptTerm) =>
  db
    .update(glossaryTerms)
    .set(rowOf(after))
    .where(and(isTerm(teamId, before.id), isUpdatable(teamId, before, after)))
    .returning({ id: glossaryTerms.id });

/** Returns the row, or nothing where it was deleted meanwhile. */
export const deleteTermRow = (db: Db, teamId: string, id: string) =>
  db.delete(glossaryTerms).where(isTerm(teamId, id)).returning({ id: glossaryTerms.id });

// ── Versions ───────────────────────────────────────────────────────────────────────────────────────────────────────

const isVersionOf = (teamId: string, termId: string): SQL =>
  and(eq(glossaryTermVersions.teamId, teamId), eq(glossaryTermVersions.termId, termId))!;

/** `when`: a change that lost its race leaves no version behind. */
export function insertVersion(db: Db, teamId: string, term: KeptTerm, when: SQL) {
  const { id, version, updated_by: by, updated_at: at } = term;
  const row = sql`${newId()}, ${teamId}, ${id}, ${version}, ${packContent(term)}, ${by}, ${at}`;
  return db.insert(glossaryTermVersions).select(sql`select ${row} where ${when}`);
}

/** Bytes of all that is kept. */
export const sumVersionBytes = async (db: Db, teamId: string): Promise<number> =>
  (await db
    .select({ bytes: sql<number>`coalesce(sum(octet_length(${glossaryTermVersions.content})), 0)` })
    .from(glossaryTermVersions)
    .where(eq(glossaryTermVersions.teamId, teamId))
    .get())!.bytes;

export const deleteVersionsUpTo = (db: Db, teamId: string, termId: string, version: number) =>
  db.delete(glossaryTermVersions).where(and(isVersionOf(teamId, termId), lte(glossaryTermVersions.version, version)));

export async function findVersion(
  db: Db,
  teamId: string,
  termId: string,
  version: number,
): Promise<(GlossaryTermVersion & TermContent) | undefined> {
  const row = await db
    .select()
    .from(glossaryTermVersions)
    .where(and(isVersionOf(teamId, termId), eq(glossaryTermVersions.version, version)))
    .get();
  return row && { ...versionOf(row), ...(JSON.parse(row.content) as TermContent) };
}

/** Newest first. */
export const selectVersions = (
  db: Db,
  teamId: string,
  termId: string,
  page: Page,
): Promise<PageOf<GlossaryTermVersion>> =>
  selectPage(db, glossaryTermVersions, {
    where: isVersionOf(teamId, termId),
    orderBy: [desc(glossaryTermVersions.version)],
    page,
    toItem: versionOf,
  });

// ── Mapping ────────────────────────────────────────────────────────────────────────────────────────────────────────

type Row = typeof glossaryTerms.$inferSelect;
type VersionRow = typeof glossaryTermVersions.$inferSelect;

const versionOf = ({ version, createdBy, createdAt }: VersionRow): GlossaryTermVersion => ({
  version,
  created_by: createdBy,
  created_at: createdAt,
});

const rowOf = (term: KeptTerm): Omit<Row, "teamId"> => ({
  ...{ id: term.id, term: term.term, termKey: termKeyOf(term), synonyms: term.synonyms },
  ...{ definition: term.definition, links: term.links, version: term.version },
  ...{ createdBy: term.created_by, createdAt: term.created_at, updatedBy: term.updated_by, updatedAt: term.updated_at },
});

const termOf = (row: Row): KeptTerm => ({
  ...{ id: row.id, term: row.term, synonyms: row.synonyms, definition: row.definition, links: row.links },
  version: row.version,
  ...{ created_by: row.createdBy, created_at: row.createdAt, updated_by: row.updatedBy, updated_at: row.updatedAt },
});
