// Every statement about semantic models. A read takes the team first, so none can forget it.

import { and, asc, desc, eq, lt, lte, or, sql, type SQL } from "drizzle-orm";
import type { Page, PageOf } from "../../core/page.ts";
import { columnsOf, shownBy } from "../../http/shown-by.ts";
import type { Db } from "../../platform/db/client.ts";
import { requireInSql } from "../../platform/db/require-in-sql.ts";
import {
  semanticDefinitions,
  semanticModelFiles,
  semanticModelVersions,
} from "../../platform/db/schema/semantic-schema.ts";
import { selectPage } from "../../platform/db/select-page.ts";
import type { CompiledDefinition, LoadedModel } from "./loaded-model.ts";
import { ModelVersion, type ModelFile, type ModelVersionDetail } from "./versions/model-version.ts";

/** Whose model. */
export type ModelName = { teamId: string; integrationId: string };
type Tables = typeof semanticModelVersions | typeof semanticModelFiles | typeof semanticDefinitions;

const isOf = (table: Tables, { teamId, integrationId }: ModelName): SQL =>
  and(eq(table.teamId, teamId), eq(table.integrationId, integrationId))!;

const selectNewest = (db: Db, name: ModelName) =>
  db
    .select()
    .from(semanticModelVersions)
    .where(isOf(semanticModelVersions, name))
    .orderBy(desc(semanticModelVersions.version))
    .limit(1);

/** The version that queries are answered by. */
export async function findNewestVersion(db: Db, name: ModelName): Promise<ModelVersion | undefined> {
  const [row] = await selectNewest(db, name);
  return row && versionOf(row);
}

/** Version and definitions of one instant, in the order in which they were written; `bytes` as they are stored. */
export async function findNewestModel(
  db: Db,
  name: ModelName,
): Promise<{ model: LoadedModel; bytes: number } | undefined> {
  const [[newest], rows] = await db.batch([
    selectNewest(db, name),
    db.select().from(semanticDefinitions).where(isOf(semanticDefinitions, name)).orderBy(sql`rowid`),
  ]);
  if (!newest) return undefined;
  const ofKind = (kind: "cube" | "view") =>
    rows.filter((row) => row.kind === kind).map(({ definition }) => JSON.parse(definition));
  const model = {
    version: newest.version,
    digest: newest.digest,
    definitions: { cubes: ofKind("cube"), views: ofKind("view") },
    meta: rows.map(({ meta }) => JSON.parse(meta)),
  };
  return { model, bytes: rows.reduce((sum, { definition, meta }) => sum + definition.length + meta.length, 0) };
}

// ── Versions ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Newest first, without their files. */
export const selectModelVersions = (db: Db, name: ModelName, page: Page): Promise<PageOf<ModelVersion>> =>
  selectPage(db, semanticModelVersions, {
    where: isOf(semanticModelVersions, name),
    orderBy: [desc(semanticModelVersions.version)],
    page,
    toItem: versionOf,
  });

export async function findModelVersion(
  db: Db,
  name: ModelName,
  version: number,
): Promise<ModelVersionDetail | undefined> {
  const [[row], files] = await db.batch([
    db
      .select()
      .from(semanticModelVersions)
      .where(and(isOf(semanticModelVersions, name), eq(semanticModelVersions.version, version))),
    db
      .select({ path: semanticModelFiles.path, content: semanticModelFiles.content })
      .from(semanticModelFiles)
      .where(and(isOf(semanticModelFiles, name), eq(semanticModelFiles.version, version)))
      .orderBy(asc(semanticModelFiles.path)),
  ]);
  return row && { ...versionOf(row), files };
}

const teamBytes = (teamId: string): SQL<number> =>
  sql`(select coalesce(sum(bytes), 0) from ${semanticModelVersions} where team_id = ${teamId})`;

/** The bytes of all kept files of a team. */
export const sumModelBytes = async (db: Db, teamId: string): Promise<number> =>
  (await db.get<{ bytes: number }>(sql`select ${teamBytes(teamId)} as bytes`)).bytes;

/** The batch that adds a version fails where the team's would have more bytes than so many. */
export const modelBytesGuard = (db: Db, teamId: string, bytesMax: number) =>
  requireInSql(db, sql`${teamBytes(teamId)} <= ${bytesMax}`);

/**
 * A version with all that belongs to it, in the place of the definitions before. It fails, and its batch with it, where
 * another version has taken the number, or the integration is gone: the rows' keys see to that.
 */
export const insertModelStatements = (
  db: Db,
  name: ModelName,
  { version, files, definitions }: { version: ModelVersion; files: ModelFile[]; definitions: CompiledDefinition[] },
) =>
  [
    db.insert(semanticModelVersions).values(rowOf(name, version)),
    ...inRows(files, 5).map((some) =>
      db.insert(semanticModelFiles).values(some.map((file) => ({ ...name, version: version.version, ...file }))),
    ),
    db.delete(semanticDefinitions).where(isOf(semanticDefinitions, name)),
    ...inRows(definitions, 7).map((some) =>
      db
        .insert(semanticDefinitions)
        .values(some.map((definition) => ({ ...name, version: version.version, ...definition }))),
    ),
  ] as const;

/**
 * Leaves the newest and the one before, and of those before them as many as there may be and as few as their bytes
 * together allow. Files go with their versions.
 */
export function deleteOldModelVersions(
  db: Db,
  name: ModelName,
  { newest, versionsMax, bytesMax }: { newest: number; versionsMax: number; bytesMax: number },
) {
  const bytesSince = sql`(select sum(since.bytes) from ${semanticModelVersions} as since
    where since.team_id = ${name.teamId} and since.integration_id = ${name.integrationId}
      and since.version >= ${sql.identifier("semantic_model_versions")}.version)`;
  return db
    .delete(semanticModelVersions)
    .where(
      and(
        isOf(semanticModelVersions, name),
        lt(semanticModelVersions.version, newest - 1),
        or(lte(semanticModelVersions.version, newest - versionsMax), sql`${bytesSince} > ${bytesMax}`),
      ),
    );
}

/** Splits rows by the number of values that one statement may bind. */
function inRows<Row>(rows: readonly Row[], columns: number): Row[][] {
  const rowsMax = Math.floor(BOUND_VALUES_MAX / columns);
  return Array.from({ length: Math.ceil(rows.length / rowsMax) }, (_, i) => rows.slice(i * rowsMax, (i + 1) * rowsMax));
}

/** D1 itself bounds a statement's values so. */
const BOUND_VALUES_MAX = 100;

// ── Mapping ────────────────────────────────────────────────────────────────────────────────────────────────────────

type Row = typeof semanticModelVersions.$inferSelect;

const versionOf = (row: Row) => shownBy(ModelVersion, row, { created_by: row.authorId });

const rowOf = (name: ModelName, { created_by: authorId, ...version }: ModelVersion): Row => ({
  ...name,
  ...columnsOf(version),
  authorId,
});
