// PostgreSQL as a source: one read-only statement in a read-only transaction, its rows straight from the wire.

import type { ConnectionReport } from "../../contract/source.ts";
import { Failure } from "../../core/failure.ts";
import type { Connector, SourceOf, SourceResult, SourceStatement } from "../connector.ts";
import { connect } from "./connection/connect.ts";
import { connectionFailure, statementFailure } from "./connection/errors.ts";
import { fetchRows } from "./connection/fetch-rows.ts";
import { protocolViolation } from "./connection/messages.ts";
import { RESTRICTED_OPENING, restrictStatement, type RestrictedStatement } from "./access/restrict-statement.ts";
import { checkInThread, readInThread } from "./gate/ask-thread.ts";
import { PostgresSnapshot } from "./extraction/snapshot.ts";
import { introspectPostgres } from "./introspect.ts";
import { prepareStatement } from "./rows/statement.ts";

const TEST_MS = 10_000;
/** The server's own timeout comes after ours, so that ours is the one that is reported. */
const TIMEOUT_SLACK_MS = 2_000;
const TIMEOUT_MS_MAX = 2_147_483_647;
/** PostgreSQL cuts longer names of applications. */
const APPLICATION_NAME_MAX = 63;

export const postgres: Connector<"postgres"> = {
  test,
  introspect: introspectPostgres,
  query,
  openSnapshot: ({ credentials }, name, signal) => PostgresSnapshot.open(credentials, name, signal),
};

async function test(source: SourceOf<"postgres">, signal: AbortSignal): Promise<ConnectionReport> {
  // Connecting has a bound of its own, which says what took too long.
  const { wire, tls, close } = await connect(source.credentials, signal, "fjord");
  const until = AbortSignal.any([signal, AbortSignal.timeout(TEST_MS)]);
  try {
    const [[version, canWrite] = protocolViolation("it does not tell its version")] = await wire.untilAborted(
      until,
      () => fetchRows(wire, REPORT_QUERY, "tt"),
    );
    return { product: "PostgreSQL", version: version!.split(" ")[0] ?? "", tls, canWrite: canWrite !== "f" };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw until.aborted
      ? new Failure("connection_failed", "The database did not answer in time.", { reason: "timeout", cause: error })
      : connectionFailure(error);
  } finally {
    await close();
  }
}

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

async function query<T>(
  { source, sql, values = [], access, signal, id = "", deadlineMs }: SourceStatement<"postgres">,
  use: (result: SourceResult) => Promise<T>,
): Promise<T> {
  const startedAt = Date.now();
  const leftMs = () => (deadlineMs ?? Infinity) - (Date.now() - startedAt);
  let failureOf: RestrictedStatement["runFailureOf"] = statementFailure;
  const toFailure = (error: unknown) => failureOf(error, leftMs() <= 0);
  const text = { sql, parameters: values.length };
  const bound = access && { text, access, statement: await readInThread(text, signal) };
  if (!bound) await checkInThread(text, signal);
  signal.throwIfAborted();
  const name = `fjord ${id}`.trim().slice(0, APPLICATION_NAME_MAX);
  const { wire, close } = await connect(source.credentials, signal, name);
  const timeoutMs = deadlineMs === undefined ? undefined : Math.min(leftMs() + TIMEOUT_SLACK_MS, TIMEOUT_MS_MAX);
  const prepareBound = async (opening: string) => {
    await fetchRows(wire, opening, "");
    const restricted = await restrictStatement(wire, bound!, signal);
    failureOf = restricted.parseFailureOf;
    const statement = await prepareStatement(wire, RESTRICTED_OPENING, { sql: restricted.sql, values });
    failureOf = restricted.runFailureOf;
    return statement;
  };
  try {
    return await wire.untilAborted(signal, async () => {
      const opening = transactionOpening(timeoutMs);
      const statement = bound ? await prepareBound(opening) : await prepareStatement(wire, opening, { sql, values });
      return use({
        columns: statement.columns,
        rows: (take) => statement.run(take).catch((error: unknown) => Promise.reject(toFailure(error))),
      });
    });
  } catch (error) {
    throw toFailure(error);
  } finally {
    await close();
  }
}

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
