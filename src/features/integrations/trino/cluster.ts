// An integration of type trino is a cluster of the team's own that reads one of the team's lakes. It holds no tables of
// its own: it is another engine for the lake's.

import { notFound } from "../../../core/problem.ts";
import type { Needs, OfTeam } from "../../../clients/context.ts";
import { TrinoCredentials, type TrinoRoute } from "../credentials/trino.ts";
import { getIntegration } from "../get.ts";
import type { Integration } from "../integration.ts";
import { openCredentials } from "../open-source.ts";
import { selectClustersOf } from "../store.ts";

/** A cluster by what of it is no secret. */
export type Cluster = { id: string; name: string; lakeId: string; route: TrinoRoute };

export function clusterOf({ id, name, details }: Integration): Cluster {
  const { lake_id: lakeId, above_bytes: above, after_memory_failure: after } = details;
  if (lakeId === undefined) throw new Error(`The trino integration ${id} names no lake.`);
  return {
    ...{ id, name, lakeId },
    route: { above_bytes: above === undefined ? null : Number(above), after_memory_failure: after === "true" },
  };
}

/** Throws 404 where the team has no such integration, or one of another type. */
export async function requireCluster(deps: Needs<"db"> & OfTeam, integrationId: string): Promise<Cluster> {
  const integration = await getIntegration(deps, integrationId);
  if (integration.type !== "trino") throw notFound("Integration of type trino", integrationId);
  return clusterOf(integration);
}

/** The clusters that read a lake, oldest first. */
export const findClusters = async ({ scope, db }: Needs<"db"> & OfTeam, lakeId: string): Promise<Cluster[]> =>
  (await selectClustersOf(db, scope.teamId, lakeId)).map((integration) => clusterOf(integration));

export const openTrinoCredentials = async (
  deps: Needs<"db" | "vault"> & OfTeam,
  { id }: Pick<Integration, "id">,
): Promise<TrinoCredentials> => TrinoCredentials.parse(await openCredentials(deps, id));
