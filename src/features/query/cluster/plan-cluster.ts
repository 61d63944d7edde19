// A statement for the team's own Trino: the text that was sent, with each of its tables held to a snapshot of the lake.

import type { ClusterTarget } from "../../../../kernel/wire/statements/cluster.ts";
import type { StatementRequest } from "../../../../kernel/wire/engine.ts";
import type { LakeTableName } from "../../../../kernel/lake/lake.ts";
import type { Needs } from "../../../clients/context.ts";
import { valueOf } from "../../../core/answer.ts";
import { QUERY_LIMITS } from "../limits.ts";
import { CONTAINER_LIMITS } from "../../../platform/container/limits.ts";
import { ASYNC_QUERY_LIMITS } from "../async/limits.ts";
import { invalidAt, Problem } from "../../../core/problem.ts";
import type { Pin } from "../../../lake/iceberg/pin-tables.ts";
import { findClusters, openTrinoCredentials, type Cluster } from "../../integrations/trino/cluster.ts";
import { lakeTableFinder, OWN_LAKE, type OpenedCatalog } from "../../trino-sql/lake-tables.ts";
import type { Expression, Query } from "../../trino-sql/parse/tree.ts";
import { pinQuery, type PinOptions } from "../../trino-sql/pin/pin-query.ts";
import { Refusal } from "../../trino-sql/refusal.ts";
import type { LakeTarget, Targeted } from "../target.ts";

export type ClusterDeps = Needs<"scope" | "db" | "vault" | "tokens" | "openLake">;

/** A query by its tree, the lake that it is of, and how its rows are to be written. */
export type HeavyQuery = {
  text: string;
  query: Query;
  values: readonly Expression[];
  catalog: OpenedCatalog;
  /** Where names are that do not say it themselves. */
  names: { catalog: string | undefined; schema: string | undefined };
  deadlineMs: number;
} & Pick<ClusterTarget, "timeZone" | "form" | "isParametric">;

/** What is sent to the engine, and the lake that it is about. */
export type ClusterPlan = Omit<Targeted, "target"> & { target: ClusterTarget } & {
  asked: { sql: string };
  integration: LakeTarget;
};

/** The cluster that a lake's statements go to: of several the oldest. */
export const findCluster = async (ctx: ClusterDeps, { lakeId }: OpenedCatalog): Promise<Cluster | undefined> =>
  (await findClusters(ctx, lakeId))[0];

/**
 * Throws a {@link Refusal} for what is not read at a cluster, `heavy_engine_restricted` where the caller does not read
 * a table whole. What is pinned stays until the statement has ended, or its time is over.
 */
export async function planCluster(ctx: ClusterDeps, heavy: HeavyQuery): Promise<ClusterPlan> {
  const { catalog, text, timeZone, form, isParametric } = heavy;
  const cluster = await findCluster(ctx, catalog);
  if (!cluster)
    throw invalidAt("/engine", "No Trino of the team's own reads this lake: add it as an integration first.");
  const credentials = await openTrinoCredentials(ctx, cluster);
  const pinned = pinQuery(text, heavy.query, optionsOf(heavy, credentials.catalog));
  const snapshots = await pinTables(ctx, heavy, pinned.tables);
  const edits = pinned.edits((table) => snapshots.get(keyOf(table))!);
  const target = {
    ...({ kind: "cluster", cluster: credentials, edits, timeZone, form, isParametric } as const),
    token: await mintReport(ctx, heavy),
  };
  const { access, lakeId } = catalog;
  return { target, access, write: null, asked: { sql: text }, integration: { id: lakeId, type: "lake" } };
}

const keyOf = ({ schema, name }: LakeTableName): string => JSON.stringify([schema, name]);

const optionsOf = ({ catalog, names, values }: HeavyQuery, clusterCatalog: string): PinOptions => ({
  catalog: clusterCatalog,
  lakeCatalogs: [...new Set([catalog.catalog, catalog.lakeId, ...(catalog.integrationId ? [] : [OWN_LAKE])])],
  values,
  findTable: lakeTableFinder(catalog, names),
});

/** The snapshot of each table, by {@link keyOf}; held from here on. */
async function pinTables(
  { scope, openLake }: ClusterDeps,
  { catalog: { lakeId, reader }, deadlineMs }: HeavyQuery,
  named: readonly LakeTableName[],
): Promise<ReadonlyMap<string, string>> {
  const tables = [...new Map(named.map((table) => [keyOf(table), table])).values()];
  if (tables.length > QUERY_LIMITS.pinnedTablesMax)
    throw new Refusal(
      "NOT_SUPPORTED",
      `A statement of a cluster names ${QUERY_LIMITS.pinnedTablesMax} tables at most.`,
    );
  if (tables.length === 0) return new Map();
  const hold = { statementId: scope.requestId, ttlMs: heldMs(deadlineMs) };
  const pins = valueOf(await openLake(lakeId).pinIcebergTables(tables, hold, reader.reader));
  return new Map(tables.map((table, i) => [keyOf(table), snapshotOf(table, pins[i]!)]));
}

/** A table has no pin where roles bind its caller, or where it was dropped in this moment. */
function snapshotOf({ schema, name }: LakeTableName, pin: Pin): string {
  if (!pin) {
    const message =
      `Of the table ${schema}.${name} you see some rows or cells: statements on it run on DuckDB, which picks them. ` +
      "Send `engine`: `duckdb` or `auto`.";
    throw new Problem("heavy_engine_restricted", message);
  }
  if (!pin.sharesFolder) return String(pin.snapshotId);
  const message = `The table ${schema}.${name} shares its folder with another, and is served to no cluster.`;
  throw new Refusal("NOT_SUPPORTED", message);
}

/** How long the pinned snapshots are held: longer than the statement may run. */
const heldMs = (deadlineMs: number): number => deadlineMs + CONTAINER_LIMITS.startMs + ASYNC_QUERY_LIMITS.graceMs;

/** Lets go of what is held for a statement that no engine has, and so nobody reports of. */
export async function releasePins(
  { openLake }: Needs<"openLake">,
  { id, target }: Pick<StatementRequest, "id" | "target">,
  lakeId: string,
): Promise<void> {
  // A hold that is not reached ends with its time.
  if (target.kind === "cluster")
    await openLake(lakeId)
      .releasePins(id)
      .catch(() => false);
}

const mintReport = ({ scope, tokens }: ClusterDeps, { catalog: { lakeId }, deadlineMs }: HeavyQuery): Promise<string> =>
  tokens.mint({
    ...({ use: "cluster", teamId: scope.teamId, lakeId, statementId: scope.requestId } as const),
    expiresAt: scope.now.getTime() + heldMs(deadlineMs),
  });
