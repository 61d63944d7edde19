import type { LakeTableName } from "../../../../kernel/lake/lake.ts";
import type { ColumnLineage } from "../../../../kernel/wire/builds.ts";
import { LIMITS } from "../../../core/limits.ts";
import type { Needs, OfTeam } from "../../../clients/context.ts";
import { findBuild, selectBuilds, type ShortBuild } from "./store.ts";

/** How a table was built last. `sources`: the tables that its rows were read from; none before it was published. */
export type ListedBuild = Omit<ShortBuild, "teamId" | "sources"> & { sources: LakeTableName[] };

/** A listed build, with where its columns come from: none before it was published. */
export type BuildDetail = ListedBuild & { columns: ColumnLineage[] };

/** The tables of a lake that docs build, by schema and name, as many as a catalog lists; perhaps of live docs alone. */
export async function listBuilds(
  { db, scope }: Needs<"db"> & OfTeam,
  lakeId: string,
  { ofLiveDocs = false } = {},
): Promise<ListedBuild[]> {
  const which = { teamId: scope.teamId, lakeId, ofLiveDocs, rowsMax: LIMITS.catalogTablesMax };
  const builds = await selectBuilds(db, which);
  return builds.map(shownBuild);
}

/** Undefined where no doc has built the table. */
export async function findTableBuild(
  { db, scope }: Needs<"db"> & OfTeam,
  lakeId: string,
  table: LakeTableName,
): Promise<BuildDetail | undefined> {
  const found = await findBuild(db, { teamId: scope.teamId, lakeId }, table);
  if (!found) return undefined;
  const { columns, ...build } = found;
  return { ...shownBuild(build), columns: columns === null ? [] : (JSON.parse(columns) as ColumnLineage[]) };
}

const shownBuild = ({ teamId: _, sources, ...build }: ShortBuild): ListedBuild => ({
  ...build,
  sources: sources === null ? [] : (JSON.parse(sources) as LakeTableName[]),
});
