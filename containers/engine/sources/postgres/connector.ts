// PostgreSQL as a source: one read-only statement in a read-only transaction, its rows straight from the wire.

import { Failure } from "../../core/failure.ts";
import type { ConnectionReport, Source } from "../../contract/source.ts";
import type { Connector, SourceResult, StatementInfo } from "../connector.ts";
import { fetchRows } from "./connection/fetch-rows.ts";
import { connect } from "./connection/connect.ts";
import { connectionFailure, statementFailure } from "./connection/errors.ts";
import { checkInThread } from "./gate/check-in-thread.ts";
import { introspectPostgres } from "./introspect.ts";
import { protocolViolation, readFields } from "./connection/messages.ts";
import { createRowReader } from "./rows/row-reader.ts";
import {
  catalogKey,
  catalogQuery,
  toColumns,
  unknownTypes,
  type CatalogType,
  type Field,
} from "./rows/column-types.ts";
import {
  COMMAND_COMPLETE,
  EMPTY,
  EXTENDED,
  message,
  ROW,
  ROW_DESCRIPTION,
  SIMPLE,
  type OnMessage,
  type Wire,
} from "./connection/wire.ts";

type Postgres = Extract<Source, { type: "postgres" }>;

const TEST_MS = 10_000;
/** The server's own timeout comes after ours, so that ours is the one that is told. */
const TIMEOUT_SLACK_MS = 2_000;
const TIMEOUT_MS_MAX = 2_147_483_647;

export const postgres: Connector<"postgres"> = { test, introspect: introspectPostgres, query };

async function test(source: Postgres, signal: AbortSignal): Promise<ConnectionReport> {
  // Connecting has a bound of its own, which says what took too long.
  const connection = await connect(source.credentials, signal, "fjord");
  const until = AbortSignal.any([signal, AbortSignal.timeout(TEST_MS)]);
  const abort = () => connection.wire.fail(until.reason);
  until.addEventListener("abort", abort, { once: true });
  if (until.aborted) abort();
  try {
    const [[version, canWrite] = protocolViolation("it does not tell its version")] = await fetchRows(
      connection.wire,
      message("Q", LOOK_AROUND),
      "tt",
    );
    return {
      product: "PostgreSQL",
      version: version!.split(" ")[0] ?? "",
      tls: connection.tls,
      canWrite: canWrite !== "f",
    };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw until.aborted
      ? new Failure("connection_failed", "The database did not answer in time.", { reason: "timeout", cause: error })
      : connectionFailure(error);
  } finally {
    until.removeEventListener("abort", abort);
    await connection.close();
  }
}

/**
 * Version, and whether the role could write: it is a superuser, may create something, or may change a table that is not
 * the system's.
 */
const LOOK_AROUND = `
  SELECT pg_catalog.current_setting('server_version') AS version,
    (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user)
    OR pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE')
    OR EXISTS (SELECT FROM pg_catalog.pg_namespace n
      WHERE n.nspname !~ '^(pg_|information_schema$)' AND pg_catalog.has_schema_privilege(n.oid, 'CREATE'))
    OR EXISTS (SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname !~ '^(pg_|information_schema$)' AND c.relkind IN ('r', 'p', 'v', 'f')
      AND (pg_catalog.has_table_privilege(c.oid, 'DELETE, TRUNCATE') OR pg_catalog.has_any_column_privilege(c.oid, 'INSERT, UPDATE'))) AS can_write`;

/** Session: see {@link opening}. Intervals arrive in ISO 8601 (`P1DT2H`), floats with every digit that matters. */
async function query<T>(
  source: Postgres,
  sql: string,
  signal: AbortSignal,
  use: (result: SourceResult) => Promise<T>,
  notes?: StatementInfo,
): Promise<T> {
  const startedAt = Date.now();
  await checkInThread(sql, signal);
  signal.throwIfAborted();
  const connection = await connect(source.credentials, signal, `fjord ${notes?.id ?? ""}`.trim().slice(0, 63));
  const timeoutMs = notes && Math.min(notes.deadlineMs - (Date.now() - startedAt) + TIMEOUT_SLACK_MS, TIMEOUT_MS_MAX);
  const { wire } = connection;
  const abort = () => wire.fail(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    const fields = await describe(wire, sql, timeoutMs);
    const { columns, shapes } = toColumns(fields, await lookUp(wire, fields));
    return await use({
      columns,
      rows: (take) => run(wire, createRowReader(shapes), take, () => expired(startedAt, notes)),
    });
  } catch (error) {
    throw statementFailure(error, expired(startedAt, notes));
  } finally {
    signal.removeEventListener("abort", abort);
    await connection.close();
  }
}

const expired = (startedAt: number, notes: StatementInfo | undefined) =>
  notes !== undefined && Date.now() - startedAt >= notes.deadlineMs;

/**
 * Opens the read-only transaction and makes the session print what `postgres-text.ts` reads. Settings are local to the
 * transaction, for a pooler may hand the session on. A role's own shorter statement_timeout stays. On Linux servers
 * from version 14 on, the server itself notices within seconds when this process is gone.
 */
const opening = (timeoutMs: number | undefined) => `
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
  ${
    timeoutMs === undefined
      ? ""
      : `SELECT pg_catalog.set_config('statement_timeout', '${Math.max(1, Math.round(timeoutMs))}', true)
    WHERE extract(epoch FROM pg_catalog.current_setting('statement_timeout')::interval) * 1000 NOT BETWEEN 1 AND ${Math.round(timeoutMs)};`
  }`;

/** Parses the statement at the server, which runs nothing yet. */
async function describe(wire: Wire, sql: string, timeoutMs: number | undefined): Promise<Field[]> {
  const sync = message("S");
  let fields: Field[] | undefined;
  const opened = wire.exchange(
    Buffer.concat([
      message("Q", opening(timeoutMs)),
      message("P", "fjord", sql, Buffer.alloc(2)),
      message("D", Buffer.from("S"), "fjord"),
      sync,
    ]),
    SIMPLE,
    () => undefined,
  );
  await opened;
  await wire.exchange(undefined, EXTENDED, (type, bytes, from, to) => {
    if (type !== ROW_DESCRIPTION) return;
    if (fields) protocolViolation("a statement is described twice");
    fields = readFields(bytes, from, to);
  });
  return fields ?? [];
}

/** Asks the catalog about the types that are not PostgreSQL's own. */
async function lookUp(wire: Wire, fields: Field[]): Promise<Map<string, CatalogType>> {
  const types = new Map<string, CatalogType>();
  const keys = unknownTypes(fields);
  if (keys.length === 0) return types;
  for (const [oid, typmod, name, elementOid, delimiter] of await fetchRows(
    wire,
    message("Q", catalogQuery(keys)),
    "nntnt",
  )) {
    types.set(catalogKey({ oid: Number(oid), typmod: Number(typmod) }), {
      name: name!,
      elementOid: Number(elementOid),
      elementDelimiter: delimiter!.charCodeAt(0),
    });
  }
  return types;
}

async function run(
  wire: Wire,
  read: ReturnType<typeof createRowReader>,
  take: Parameters<SourceResult["rows"]>[0],
  isExpired: () => boolean,
): Promise<void> {
  let isComplete = false;
  const onMessage: OnMessage = (type, bytes, from, to) => {
    if (isComplete) protocolViolation("the result goes on after its end");
    if (type === ROW) return take(read(bytes, from, to));
    isComplete = type === COMMAND_COMPLETE || type === EMPTY;
    return undefined;
  };
  const bindings = Buffer.alloc(6); // no parameter formats, no parameters, every result as text
  try {
    const isWhole = await wire.exchange(
      Buffer.concat([message("B", "", "fjord", bindings), message("E", "", Buffer.alloc(4)), message("S")]),
      EXTENDED,
      onMessage,
    );
    if (isWhole && !isComplete) protocolViolation("a result has no end");
  } catch (error) {
    throw statementFailure(error, isExpired());
  }
}
