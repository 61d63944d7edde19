// Amazon Redshift as a source: PostgreSQL's protocol, with what Redshift has of PostgreSQL 8.0's SQL and catalog.

import { Failure } from "../../core/failure.ts";
import type { Connector } from "../connector.ts";
import { runQuery, testConnection, type ProtocolDialect } from "../postgres/protocol-connector.ts";
import type { TextRow } from "../row-collector.ts";
import { RESTRICTED_OPENING, restrictStatement } from "./access/restrict-statement.ts";
import { redshiftFailure } from "./errors.ts";
import { RedshiftSnapshot } from "./extraction/snapshot.ts";
import { redshiftGate } from "./gate/gate.ts";
import { introspectRedshift } from "./introspect.ts";
import { PRODUCT } from "./product.ts";
import { REDSHIFT_TYPES } from "./rows/column-types.ts";
import { openTransaction } from "./transaction.ts";

export const redshift: Connector<"redshift"> = {
  test: (source, signal) => testConnection(DIALECT, source, signal),
  introspect: ({ credentials }, signal) => introspectRedshift(credentials, signal),
  query: (statement, use) => runQuery(DIALECT, statement, use),
  openSnapshot: ({ credentials }, name, signal) => RedshiftSnapshot.open(credentials, name, signal),
};

/**
 * Version, and whether the user could write: it is a superuser, may create something, or may change a table that is not
 * the system's. All of it runs on the leader node.
 */
const REPORT_QUERY = `
  SELECT version(),
    CASE WHEN (SELECT usesuper FROM pg_catalog.pg_user WHERE usename = current_user)
      OR has_database_privilege(current_database(), 'CREATE')
      OR EXISTS (SELECT 1 FROM pg_catalog.pg_namespace n
        WHERE substring(n.nspname, 1, 3) <> 'pg_' AND n.nspname <> 'information_schema'
        AND has_schema_privilege(n.oid, 'CREATE'))
      OR EXISTS (SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE substring(n.nspname, 1, 3) <> 'pg_' AND n.nspname <> 'information_schema' AND c.relkind = 'r'
        AND (has_table_privilege(c.oid, 'INSERT') OR has_table_privilege(c.oid, 'UPDATE')
          OR has_table_privilege(c.oid, 'DELETE')))
    THEN 'yes' ELSE 'no' END`;

/** `PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by …, Redshift 1.0.12103`. */
function readReport([version, canWrite]: TextRow) {
  const own = /\bRedshift (\d[\w.]*)/.exec(version ?? "")?.[1];
  if (own === undefined)
    throw new Failure(
      "connection_failed",
      `The server says that it is ${(version ?? "").slice(0, 100)}, which is not ${PRODUCT}: choose its own kind.`,
      { reason: "other" },
    );
  return { product: PRODUCT, version: own, canWrite: canWrite !== "no" };
}

const DIALECT: ProtocolDialect = {
  product: PRODUCT,
  gate: redshiftGate,
  types: REDSHIFT_TYPES,
  report: { sql: REPORT_QUERY, format: "tt", read: readReport },
  openTransaction,
  restrict: restrictStatement,
  restrictedOpening: RESTRICTED_OPENING,
  statementFailure: redshiftFailure,
};
