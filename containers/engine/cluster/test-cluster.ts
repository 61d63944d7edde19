// The test of a team's own Trino: it lets us in, is new enough, and reads this lake, by the lake's own catalog and at
// the same snapshot.

import type { ClusterReport, ClusterTest, ComparedTable } from "../../../kernel/wire/statements/cluster.ts";
import { Failure } from "../core/failure.ts";
import { quoteIdentifier } from "../duckdb/quoting.ts";
import { ClusterHttp } from "./connection/cluster-http.ts";
import { ClusterAway, ClusterError, connectionFailure, isKeyRefused, keyRefused } from "./connection/errors.ts";
import { runStatement } from "./connection/statement.ts";

/** The first release whose Iceberg connector reads a lake as the guide says. */
const VERSION_MIN = 476;
const ROWS_MAX = 10;

/** Rejects with `connection_failed` and a reason, or with the signal's reason. */
export async function testCluster({ cluster, table }: ClusterTest, signal: AbortSignal): Promise<ClusterReport> {
  const http = await ClusterHttp.open(cluster, { timeZone: "UTC", isParametric: true }, signal);
  try {
    const ask = (sql: string) => readAll(http, sql, signal);
    const { version, nodes } = await readVersion(ask);
    // Either is answered by the lake's own catalog. A cluster that was just started takes seconds for a statement.
    await (table ? requireSameTable(ask, cluster.catalog, table) : requireCatalog(ask, cluster.catalog));
    return { version, tls: http.isEncrypted, nodes, comparedTable: table !== null };
  } catch (error) {
    signal.throwIfAborted();
    throw testFailure(error);
  } finally {
    http.close();
  }
}

type Ask = (sql: string) => Promise<unknown[][]>;

async function readAll(http: ClusterHttp, sql: string, signal: AbortSignal): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  for await (const page of runStatement(http, sql, { bytesRead: 0 }, signal)) {
    rows.push(...page.rows);
    if (rows.length > ROWS_MAX) break;
  }
  return rows;
}

const NODES = "(SELECT count(*) FROM system.runtime.nodes WHERE state = 'active')";

/** `nodes` is null where the user may not see them. */
async function readVersion(ask: Ask): Promise<Pick<ClusterReport, "version" | "nodes">> {
  const [[value, count] = []] = await ask(`SELECT version(), ${NODES}`).catch((error: unknown) =>
    error instanceof ClusterError ? ask("SELECT version()") : Promise.reject(error),
  );
  const version = typeof value === "string" ? value.slice(0, 100) : "";
  const nodes = typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : null;
  const number = Number(/^\d{1,6}/.exec(version)?.[0] ?? 0);
  if (number >= VERSION_MIN) return { version, nodes };
  const message = `The cluster's version is ${JSON.stringify(version)}; ${VERSION_MIN} is the oldest that can be used.`;
  throw new Failure("connection_failed", message, { reason: "version_unsupported" });
}

async function requireCatalog(ask: Ask, catalog: string): Promise<void> {
  await ask(`SELECT 1 FROM ${quoteIdentifier(catalog)}.information_schema.schemata LIMIT 1`);
}

async function requireSameTable(ask: Ask, catalog: string, { schema, name, snapshotId, root }: ComparedTable) {
  const snapshots = [catalog, schema, `${name}$snapshots`].map(quoteIdentifier).join(".");
  const [[list] = []] = await ask(`SELECT manifest_list FROM ${snapshots} WHERE snapshot_id = BIGINT '${snapshotId}'`);
  if (typeof list === "string" && list.startsWith(root)) return;
  throw differs(
    list === undefined
      ? `The catalog's table ${schema}.${name} has no snapshot ${snapshotId}, which the lake's has.`
      : `The catalog's table ${schema}.${name} is another than the lake's.`,
  );
}

const differs = (message: string, cause?: unknown): Failure =>
  new Failure("connection_failed", `${message} The catalog's file is shown at the integration.`, {
    reason: "lake_differs",
    cause,
  });

const MISSING = ["TABLE_NOT_FOUND", "SCHEMA_NOT_FOUND", "NOT_FOUND"];

function testFailure(error: unknown): Failure {
  if (error instanceof ClusterAway || !(error instanceof ClusterError)) return connectionFailure(error);
  if (isKeyRefused(error)) return keyRefused(error);
  const { errorName, message } = error;
  if (errorName === "CATALOG_NOT_FOUND")
    return new Failure("connection_failed", `The cluster has no such catalog: ${message}`, {
      reason: "database_missing",
      cause: error,
    });
  if (MISSING.includes(errorName)) return differs(`The catalog does not have the lake's table: ${message}.`, error);
  return new Failure("connection_failed", `The cluster let us in, but fails: ${message} (${errorName})`, {
    reason: "other",
    cause: error,
  });
}
