// Snowflake as a source: one statement that reads, in a session of its own, its rows straight from the wire.

import type { ConnectionReport } from "../../../../kernel/wire/source.ts";
import { Failure } from "../../core/failure.ts";
import {
  DEADLINE_MS_DEFAULT,
  TIMEOUT_SLACK_MS,
  type Connector,
  type SourceOf,
  type SourceResult,
  type SourceStatement,
} from "../connector.ts";
import { BoundStatement } from "./access/bound-statement.ts";
import { checkCredentials } from "./connection/account.ts";
import { connect } from "./connection/connect.ts";
import { connectionFailure, SnowflakeError, statementFailure } from "./connection/errors.ts";
import { SnowflakeSnapshot } from "./extraction/snapshot.ts";
import { checkSnowflakeStatement } from "./gate/check-statement.ts";
import { introspectSnowflake } from "./introspect.ts";
import { testOpened } from "../open-connection.ts";

/** A warehouse that sleeps may take a while to wake up. */
const TEST_MS = 60_000;

export const snowflake: Connector<"snowflake"> = {
  test,
  introspect: introspectSnowflake,
  query,
  openSnapshot: ({ credentials }, name, signal) => SnowflakeSnapshot.open(credentials, name, signal),
};

/**
 * The version is read from the database's catalog, so that the test needs the warehouse and the role's leave to use the
 * database.
 */
const VERSION = "SELECT MAX(CURRENT_VERSION()) FROM information_schema.tables";

/**
 * The privileges by which a role writes: on tables, and on what holds them. Roles that the session's own role has are
 * among its roles.
 */
const WRITES = `
  SELECT COUNT(*) FROM information_schema.object_privileges
  WHERE privilege_type IN ('OWNERSHIP', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'CREATE TABLE', 'CREATE SCHEMA')
    AND IS_ROLE_IN_SESSION(grantee)`;

async function test({ credentials }: SourceOf<"snowflake">, signal: AbortSignal): Promise<ConnectionReport> {
  const connection = await connect(credentials, signal);
  const ask = async (until: AbortSignal) => {
    const [[version] = [""]] = await connection.fetchRows(VERSION, "t", until);
    const canWrite = await connection.fetchRows(WRITES, "n", until).then(
      ([row]) => row?.[0] !== "0",
      // A role's privileges can be hidden from it. The answer is advice, and the careful one is given then.
      (error: unknown) => (error instanceof SnowflakeError ? true : Promise.reject(error)),
    );
    return { product: "Snowflake", version: version!.split(" ")[0]!, tls: connection.tls, canWrite };
  };
  const failureOf = (error: unknown) => (error instanceof SnowflakeError ? notUsable(error) : connectionFailure(error));
  const close = () => connection.close();
  return testOpened({ signal, product: "Snowflake", testMs: TEST_MS, ask, failureOf, close });
}

/** The login was good: what fails then is what the session's role or warehouse may not do. */
const notUsable = (error: SnowflakeError): Failure =>
  new Failure("connection_failed", `Snowflake let us in, but runs no statement: ${error.message} (${error.code})`, {
    reason: "other",
    cause: error,
  });

async function query<T>(
  { source, sql, values, access, signal, id, deadlineMs = DEADLINE_MS_DEFAULT }: SourceStatement<"snowflake">,
  use: (result: SourceResult) => Promise<T>,
): Promise<T> {
  const startedAt = Date.now();
  const leftMs = () => deadlineMs - (Date.now() - startedAt);
  const { database } = checkCredentials(source.credentials);
  const statement = checkSnowflakeStatement(sql, database, values?.length);
  const bound = access === "everything" ? undefined : new BoundStatement(statement, database, access);
  const toFailure = (error: unknown) => {
    const failure = statementFailure(error, leftMs() <= 0, statement.sql);
    return bound ? bound.toFailure(failure) : failure;
  };
  signal.throwIfAborted();
  const connection = await connect(source.credentials, signal);
  try {
    await bound?.check((text, format) => connection.fetchRows(text, format, signal));
    const timeoutMs = leftMs() + TIMEOUT_SLACK_MS;
    const { columns, rows } = await connection.run({ sql: statement.sql, values, signal, timeoutMs, id });
    return await use({
      columns: columns.map(({ conversion: _, ...column }) => column),
      rows: (take) => rows(take).catch((error: unknown) => Promise.reject(toFailure(error))),
    });
  } catch (error) {
    throw toFailure(error);
  } finally {
    await connection.close();
  }
}
