// Every statement about docs and their versions. A read takes the team first, so none can forget it; only a re-seal
// looks across teams.

import { and, asc, desc, eq, isNotNull, isNull, lte, sql, type SQL } from "drizzle-orm";
import type { Page, PageOf } from "../../core/page.ts";
import { columnsOf, shownBy } from "../../http/shown-by.ts";
import type { Db } from "../../platform/db/client.ts";
import { docs, docVersions } from "../../platform/db/schema/schema.ts";
import { selectPage } from "../../platform/db/select-page.ts";
import type { Sealed } from "../../platform/crypto/vault.ts";
import type { DrawnColumns } from "./definition/draw.ts";
import { Doc, DocVersion, DocVersionDetail, type Source } from "./doc.ts";
import { newId } from "../../core/ids.ts";
import { sealedRowsOf } from "../../platform/db/sealed-rows.ts";

/** `archived` undefined: both. */
export type DocFilter = { name?: string | undefined; kind?: Doc["kind"] | undefined; archived?: boolean | undefined };

const isDoc = (teamId: string, id: string): SQL => and(eq(docs.teamId, teamId), eq(docs.id, id))!;

export const findDoc = async (db: Db, teamId: string, id: string): Promise<Doc | undefined> =>
  docOf(await db.select().from(docs).where(isDoc(teamId, id)).get());

/** Oldest first. `name` is found anywhere in it, in any case. */
export function selectDocs(
  db: Db,
  teamId: string,
  { name, kind, archived }: DocFilter,
  page: Page,
): Promise<PageOf<Doc>> {
  const where = and(
    eq(docs.teamId, teamId),
    name === undefined ? undefined : sql`instr(lower(${docs.name}), lower(${name})) > 0`,
    kind && eq(docs.kind, kind),
    archived === undefined ? undefined : archived ? isNotNull(docs.archivedAt) : isNull(docs.archivedAt),
  );
  return selectPage(db, docs, {
    where,
    orderBy: [asc(docs.createdAt), asc(docs.id)],
    page,
    toItem: (row) => docOf(row),
  });
}

export const countDocs = (db: Db, teamId: string): Promise<number> => db.$count(docs, eq(docs.teamId, teamId));

export const insertDoc = (db: Db, teamId: string, { is_signed: _, ...doc }: Doc) =>
  db.insert(docs).values({ ...columnsOf(doc), teamId, sealedWebhookSecret: null, vaultKeyId: null });

/** Returns the row, or nothing where another version has come in between, or the doc is archived. */
export const updateDocRow = (
  db: Db,
  teamId: string,
  seen: number,
  { id, name, description, kind, version, updated_at: updatedAt }: Doc,
) =>
  db
    .update(docs)
    .set({ name, description, kind, version, updatedAt })
    .where(and(isDoc(teamId, id), eq(docs.version, seen), isNull(docs.archivedAt)))
    .returning({ id: docs.id });

/** True in SQL once this version is the doc's newest, of this instant. */
export const hasDocVersion = (teamId: string, { id, version, updated_at }: Doc): SQL =>
  sql`exists (select 1 from ${docs} where team_id = ${teamId} and id = ${id} and version = ${version}
    and updated_at = ${updated_at})`;

/** True in SQL while the doc is there and not archived. */
export const isLiveInSql = (teamId: string, id: string): SQL =>
  sql`exists (select 1 from ${docs} where team_id = ${teamId} and id = ${id} and archived_at is null)`;

export const isArchivedInSql = (teamId: string, id: string): SQL =>
  sql`exists (select 1 from ${docs} where team_id = ${teamId} and id = ${id} and archived_at is not null)`;

export const archiveDocRow = (db: Db, teamId: string, id: string, at: string) =>
  db
    .update(docs)
    .set({ archivedAt: at })
    .where(and(isDoc(teamId, id), isNull(docs.archivedAt)));

export const restoreDocRow = (db: Db, teamId: string, id: string) =>
  db.update(docs).set({ archivedAt: null }).where(isDoc(teamId, id));

// ── Versions ───────────────────────────────────────────────────────────────────────────────────────────────────────

const isVersion = (teamId: string, docId: string): SQL =>
  and(eq(docVersions.teamId, teamId), eq(docVersions.docId, docId))!;

/** Recorded only where its doc is at it, so that one that lost the race leaves nothing behind. */
export function insertVersion(
  db: Db,
  teamId: string,
  { doc, source, columns, userId }: { doc: Doc; source: Source; columns: DrawnColumns | null; userId: string },
) {
  const { text, mediaType } = source;
  const row = sql`${newId()}, ${teamId}, ${doc.id}, ${doc.version}, ${text}, ${mediaType}, ${userId},
    ${doc.updated_at}, ${columns && JSON.stringify(columns)}`;
  // Where two changes race within a millisecond, the loser's condition is met by the winner's row; it has lost already,
  // since the update before it changed no row.
  return db
    .insert(docVersions)
    .select(sql`select ${row} where ${hasDocVersion(teamId, doc)}`)
    .onConflictDoNothing();
}

/** Bytes of all that is kept. Their lengths stand before the texts, which are not read for it. */
export const sumVersionBytes = async (db: Db, teamId: string): Promise<number> =>
  (await db
    .select({ bytes: sql<number>`coalesce(sum(octet_length(${docVersions.text})), 0)` })
    .from(docVersions)
    .where(eq(docVersions.teamId, teamId))
    .get())!.bytes;

export const deleteVersionsUpTo = (db: Db, teamId: string, docId: string, version: number) =>
  db.delete(docVersions).where(and(isVersion(teamId, docId), lte(docVersions.version, version)));

/** The columns that the charts of a doc's newest version are named by. */
export const findDrawnColumns = async (
  db: Db,
  teamId: string,
  { id, version }: Pick<Doc, "id" | "version">,
): Promise<DrawnColumns> =>
  (
    await db
      .select({ columns: docVersions.columns })
      .from(docVersions)
      .where(and(isVersion(teamId, id), eq(docVersions.version, version)))
      .get()
  )?.columns ?? {};

export async function findVersion(
  db: Db,
  teamId: string,
  docId: string,
  version: number,
): Promise<DocVersionDetail | undefined> {
  const row = await db
    .select()
    .from(docVersions)
    .where(and(isVersion(teamId, docId), eq(docVersions.version, version)))
    .get();
  return row && shownBy(DocVersionDetail, row);
}

/** Newest first. The texts, which may be long, are left where they are. */
export const selectVersions = (db: Db, teamId: string, docId: string, page: Page): Promise<PageOf<DocVersion>> =>
  selectPage(db, docVersions, {
    columns: { version: docVersions.version, createdBy: docVersions.createdBy, createdAt: docVersions.createdAt },
    where: isVersion(teamId, docId),
    orderBy: [desc(docVersions.version)],
    page,
    toItem: (row) => shownBy(DocVersion, row),
  });

// ── Webhook secrets ────────────────────────────────────────────────────────────────────────────────────────────────

export const findWebhookSecret = async (db: Db, teamId: string, id: string): Promise<string | null> =>
  (await db.select({ sealed: docs.sealedWebhookSecret }).from(docs).where(isDoc(teamId, id)).get())?.sealed ?? null;

export const saveWebhookSecret = (db: Db, teamId: string, id: string, sealed: Sealed | null) =>
  db
    .update(docs)
    .set({ sealedWebhookSecret: sealed?.text ?? null, vaultKeyId: sealed?.keyId ?? null })
    .where(isDoc(teamId, id));

/** The rows that key rotation re-seals, of any team. */
export const sealedWebhookSecrets = (db: Db) => sealedRowsOf(db, docs, "sealedWebhookSecret");

// ── Mapping ────────────────────────────────────────────────────────────────────────────────────────────────────────

type Row = typeof docs.$inferSelect;

function docOf(row: Row): Doc;
function docOf(row: Row | undefined): Doc | undefined;
function docOf(row: Row | undefined): Doc | undefined {
  return row && shownBy(Doc, row, { is_signed: row.sealedWebhookSecret !== null });
}
