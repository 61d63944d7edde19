// A cluster is asked whether it reads this lake, through this platform's catalog, at the same snapshot.

import type { Needs } from "../../../clients/context.ts";
import { valueOf } from "../../../core/answer.ts";
import { INTEGRATION_LIMITS } from "../limits.ts";
import type { Integration } from "../integration.ts";
import { lakeAddress, type Lake } from "../../../lake/lake.ts";
import { clusterOf, openTrinoCredentials } from "./cluster.ts";

type Deps = Needs<"scope" | "db" | "vault" | "openLake" | "openEngine" | "bucket">;

export type TestedCluster = { product: string; version: string; tls: boolean; warnings: string[] };

/** Rejects with `connection_failed`, or `source_unreachable`. */
export async function testCluster(ctx: Deps, integration: Integration): Promise<TestedCluster> {
  const { scope, bucket, openLake, openEngine } = ctx;
  const cluster = await openTrinoCredentials(ctx, integration);
  const { lakeId } = clusterOf(integration);
  const found = await findPinnable(openLake(lakeId));
  const root = lakeAddress(bucket.name, scope.teamId, lakeId);
  const table = found && { ...found, root };
  const test = { cluster, table, deadlineMs: INTEGRATION_LIMITS.connectionTestMs };
  const { version, tls, nodes, comparedTable } = await openEngine(scope.teamId).testCluster(test);
  return {
    ...{ product: "Trino", version, tls },
    warnings: [
      ...(comparedTable ? [] : ["The lake has no table yet that the cluster could be seen to read."]),
      ...(tls ? [] : ["The connection is not encrypted."]),
      ...(nodes === 0 ? ["No node of the cluster is active."] : []),
    ],
  };
}

/** Tables that share a folder are served by no catalog; a few are looked at. */
const TRIES = 10;

/** A table with the snapshot that other engines read it at; null where the lake has none that they read. */
async function findPinnable(lake: Lake): Promise<{ schema: string; name: string; snapshotId: string } | null> {
  const { tables } = valueOf(await lake.listIcebergTables("everything"));
  for (const table of tables.slice(0, TRIES)) {
    const opened = await lake.openIcebergTable(table, "everything");
    if (!opened.ok || opened.value.sharesFolder) continue;
    return { ...table, snapshotId: String(opened.value.versions.at(-1)!.snapshotId) };
  }
  return null;
}
