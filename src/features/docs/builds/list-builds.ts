import type { LakeTableName } from "../../../../kernel/lake/lake.ts";
import { LIMITS } from "../../../core/limits.ts";
import type { Needs, OfTeam } from "../../../clients/context.ts";
import { selectBuilds, type TableBuild } from "./store.ts";

/** How a table was built last. `sources`: the tables that its rows were read from; none before it was published. */
export type ListedBuild = Omit<TableBuild, "teamId" | "sources"> & { sources: LakeTableName[] };

/** The tables of a lake that docs build, by schema and name, as many as a catalog lists. */
export async function listBuilds(ctx: Needs<"db"> & OfTeam, lakeId: string): Promise<ListedBuild[]> {
  const builds = await selectBuilds(ctx.db, ctx.scope.teamId, lakeId, LIMITS.catalogTablesMax);
  return builds.map(({ teamId: _, sources, ...build }) => ({
    ...build,
    sources: sources === null ? [] : (JSON.parse(sources) as LakeTableName[]),
  }));
}
