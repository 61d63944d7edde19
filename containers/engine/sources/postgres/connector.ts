// PostgreSQL as a source.

import type { Connector } from "../connector.ts";
import { findHindrances } from "./access/own-objects.ts";
import { RESTRICTED_OPENING, restrictStatement } from "./access/restrict-statement.ts";
import { statementFailure } from "./connection/errors.ts";
import { PostgresSnapshot } from "./extraction/snapshot.ts";
import { postgresGate } from "./gate/gate.ts";
import { introspectPostgres } from "./introspect.ts";
import { runQuery, testConnection, type ProtocolDialect } from "./protocol-connector.ts";
import { ColumnTypes, POSTGRES_TYPES } from "./rows/column-types.ts";

export const postgres: Connector<"postgres"> = {
  test: (source, signal) => testConnection(DIALECT, source, signal),
  introspect: introspectPostgres,
  query: (statement, use) => runQuery(DIALECT, statement, use),
  openSnapshot: ({ credentials }, name, signal) => PostgresSnapshot.open(credentials, name, signal),
};

/**
 * Version, and whether the role could write: it is a superuser, may create something, or may change a table that is not
 * the system's.
 */
const REPORT_QUERY = `
  SELECT pg_catalog.current_setting('server_version') AS version,
    (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user)
    OR pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE')
    OR EXISTS (SELECT FROM pg_catalog.pg_namespace n
      WHERE n.nspname !~ '^(pg_|information_schema$)' AND pg_catalog.has_schema_privilege(n.oid, 'CREATE'))
    OR EXISTS (SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname !~ '^(pg_|information_schema$)' AND c.relkind IN ('r', 'p', 'v', 'f')
      AND (pg_catalog.has_table_privilege(c.oid, 'DELETE, TRUNCATE')
        OR pg_catalog.has_any_column_privilege(c.oid, 'INSERT, UPDATE'))) AS can_write`;

/**
 * Opens the read-only transaction and makes the session print what `rows/value-text.ts` reads: times in ISO 8601 and
 * UTC, intervals as `P1DT2H`, floats with every digit that matters. Settings are local to the transaction, for a pooler
 * may hand the session on. On Linux servers from version 14 on, the server itself notices within seconds when this
 * process is gone.
 */
const transactionOpening = (timeoutMs: number | undefined) => `
  BEGIN TRANSACTION READ ONLY;
  SET LOCAL default_transaction_read_only = on;
  SET LOCAL standard_conforming_strings = on;
  SET LOCAL client_encoding = 'UTF8';
  SET LOCAL datestyle = 'ISO';
  SET LOCAL intervalstyle = 'iso_8601';
  SET LOCAL timezone = 'UTC';
  SET LOCAL bytea_output = 'hex';
  SET LOCAL extra_float_digits = 3;
  SELECT pg_catalog.set_config('client_connection_check_interval', '5000', true)
    WHERE pg_catalog.current_setting('client_connection_check_interval', true) = '0' AND pg_catalog.version() ~ 'linux';
  ${timeoutMs === undefined ? "" : timeLimit(timeoutMs)}`;

/** A role's own shorter `statement_timeout` stays. */
const timeLimit = (timeoutMs: number) => `
  SELECT pg_catalog.set_config('statement_timeout', '${Math.max(1, Math.round(timeoutMs))}', true)
    WHERE extract(epoch FROM pg_catalog.current_setting('statement_timeout')::interval) * 1000
      NOT BETWEEN 1 AND ${Math.round(timeoutMs)};`;

const DIALECT: ProtocolDialect = {
  product: "PostgreSQL",
  gate: postgresGate,
  types: new ColumnTypes(POSTGRES_TYPES),
  report: {
    sql: REPORT_QUERY,
    format: "tt",
    read: ([version, canWrite]) => ({
      product: "PostgreSQL",
      version: version!.split(" ")[0] ?? "",
      canWrite: canWrite !== "f",
    }),
  },
  findHindrances,
  openTransaction: (_wire, timeoutMs) => transactionOpening(timeoutMs),
  restrict: restrictStatement,
  restrictedOpening: RESTRICTED_OPENING,
  statementFailure,
};
