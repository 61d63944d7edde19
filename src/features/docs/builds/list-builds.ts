import type { LakeTableName } from "../../../../kernel/lake/lake.ts";
import { LIMITS } from "../../../core/limits.ts";
import type { Needs, OfTeam } from "../../../clients/context.ts";
import { selectBuilds, type TableBuild } from "./store.ts";

/** How a table was built last. `sources`: the tables that its rows were read from; none before it was published. */
export type ListedBuild = Omit<TableBuild, "teamId" | "sources"> & { sources: LakeTableName[] };

/** The tables of a lake that docs build, by schema and name, as many as a catalog lists; perhaps of live docs alone. */
export async function listBuilds(
  { db, scope }: Needs<"db"> & OfTeam,
  lakeId: string,
  { ofLiveDocs = false } = {},
): Promise<ListedBuild[]> {
  const which = { teamId: scope.teamId, lakeId, ofLiveDocs, rowsMax: LIMITS.catalogTablesMax };
  const builds = await selectBuilds(db, which);
  return builds.map(({ teamId: _, sources, ...build }) => ({
    ...build,
    sources: sources === null ? [] : (JSON.parse(sources) as LakeTableName[]),
  }));
}
