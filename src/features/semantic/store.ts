// Every statement about semantic models. A read takes the team first, so none can forget it.

import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import type { Db } from "../../platform/db/client.ts";
import { semanticDefinitions, semanticModelVersions } from "../../platform/db/schema/semantic-schema.ts";
import type { LoadedModel } from "./loaded-model.ts";

type Versions = typeof semanticModelVersions;
type Definitions = typeof semanticDefinitions;

const isOf = (table: Versions | Definitions, teamId: string, integrationId: string): SQL =>
  and(eq(table.teamId, teamId), eq(table.integrationId, integrationId))!;

/** The version that queries are answered by. */
export type NewestVersion = { version: number; digest: string };

const selectNewest = (db: Db, teamId: string, integrationId: string) =>
  db
    .select({ version: semanticModelVersions.version, digest: semanticModelVersions.digest })
    .from(semanticModelVersions)
    .where(isOf(semanticModelVersions, teamId, integrationId))
    .orderBy(desc(semanticModelVersions.version))
    .limit(1);

export const findNewestVersion = async (
  db: Db,
  teamId: string,
  integrationId: string,
): Promise<NewestVersion | undefined> => (await selectNewest(db, teamId, integrationId))[0];

/** Version and definitions of one instant, in the order in which they were written; `bytes` as they are stored. */
export async function findNewestModel(
  db: Db,
  teamId: string,
  integrationId: string,
): Promise<{ model: LoadedModel; bytes: number } | undefined> {
  const [[newest], rows] = await db.batch([
    selectNewest(db, teamId, integrationId),
    db
      .select()
      .from(semanticDefinitions)
      .where(isOf(semanticDefinitions, teamId, integrationId))
      .orderBy(sql`rowid`),
  ]);
  if (!newest) return undefined;
  const ofKind = (kind: "cube" | "view") =>
    rows.filter((row) => row.kind === kind).map(({ definition }) => JSON.parse(definition));
  const model = {
    ...newest,
    definitions: { cubes: ofKind("cube"), views: ofKind("view") },
    meta: rows.map(({ meta }) => JSON.parse(meta)),
  };
  return { model, bytes: rows.reduce((sum, { definition, meta }) => sum + definition.length + meta.length, 0) };
}
