// Microsoft SQL Server as a source: one statement that reads, in a transaction that is rolled back, its rows straight
// from the wire.

import type { ConnectionReport } from "../../../../kernel/wire/source.ts";
import {
  DEADLINE_MS_DEFAULT,
  TIMEOUT_SLACK_MS,
  type Connector,
  type SourceOf,
  type SourceResult,
  type SourceStatement,
} from "../connector.ts";
import type { FetchRows } from "../row-collector.ts";
import { BoundStatement } from "./access/bound-statement.ts";
import { connect } from "./connection/connect.ts";
import { connectionFailure, isInMemoryRefused, statementFailure } from "./connection/errors.ts";
import { beginReading, beginWithoutSnapshot } from "./connection/session.ts";
import { protocolViolation } from "./connection/tokens.ts";
import { SqlServerSnapshot } from "./extraction/snapshot.ts";
import { checkSqlserverStatement } from "./gate/check-statement.ts";
import { introspectSqlServer } from "./introspect.ts";
import { sendStatement } from "./rows/send-statement.ts";
import { testOpened } from "../open-connection.ts";

export const sqlserver: Connector<"sqlserver"> = {
  test,
  introspect: introspectSqlServer,
  query,
  openSnapshot: ({ credentials }, name, signal) => SqlServerSnapshot.open({ credentials, name }, signal),
};

/** The products that `SERVERPROPERTY('EngineEdition')` names; the rest are SQL Server's editions. */
const PRODUCTS: Record<string, string> = {
  5: "Azure SQL Database",
  6: "Azure Synapse Analytics",
  8: "Azure SQL Managed Instance",
  9: "Azure SQL Edge",
  11: "Azure Synapse Analytics (serverless)",
  12: "SQL database in Microsoft Fabric",
};

/** Rights on the database, those of fixed roles among them, or on anything in it, given to the account or its roles. */
const ABOUT = `
  SELECT CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(128)) AS version,
    CAST(SERVERPROPERTY('EngineEdition') AS int) AS edition,
    CASE WHEN HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'INSERT') = 1
      OR HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'UPDATE') = 1
      OR HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'DELETE') = 1
      OR HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'ALTER') = 1
      OR HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'CREATE TABLE') = 1
      OR EXISTS (
        SELECT 1 FROM sys.database_permissions p JOIN sys.user_token t ON t.principal_id = p.grantee_principal_id
        WHERE p.state IN ('G', 'W') AND p.type IN ('IN', 'UP', 'DL', 'AL', 'CL', 'TO'))
    THEN 1 ELSE 0 END AS can_write`;

async function test({ credentials }: SourceOf<"sqlserver">, signal: AbortSignal): Promise<ConnectionReport> {
  const { wire, tls, close } = await connect(credentials, signal);
  const ask = async (until: AbortSignal) => {
    const [[version, edition, canWrite] = protocolViolation("it does not tell its version")] = await wire.fetchRows(
      ABOUT,
      "tNn",
      until,
    );
    return { product: PRODUCTS[edition ?? ""] ?? "SQL Server", version: version!, tls, canWrite: canWrite === "1" };
  };
  return testOpened({ signal, ask, failureOf: connectionFailure, close });
}

async function query<T>(
  {
    source: { credentials },
    sql,
    values,
    access,
    signal,
    id,
    deadlineMs = DEADLINE_MS_DEFAULT,
  }: SourceStatement<"sqlserver">,
  use: (result: SourceResult) => Promise<T>,
): Promise<T> {
  const startedAt = Date.now();
  const leftMs = () => deadlineMs - (Date.now() - startedAt);
  const statement = checkSqlserverStatement(sql, values?.length);
  const bound = access === "everything" ? undefined : new BoundStatement(statement, access);
  const toFailure = (error: unknown) =>
    bound ? bound.toFailure(error, leftMs() <= 0) : statementFailure(error, leftMs() <= 0, statement.text);
  const restoreNames = bound ? bound.restoreNames : (name: string) => name;
  signal.throwIfAborted();
  const { wire, close } = await connect(credentials, signal, id === undefined ? undefined : `fjord ${id}`);
  try {
    await beginReading(wire, leftMs() + TIMEOUT_SLACK_MS, signal);
    const fetchRows: FetchRows = (query, format) => wire.fetchRows(query, format, signal);
    const send = async () => {
      const sent = (await bound?.restrict(fetchRows)) ?? statement.text;
      return sendStatement(wire, { sql: sent, values }, signal);
    };
    const { columns, rows } = await send().catch(async (error: unknown) => {
      if (!isInMemoryRefused(error)) throw error;
      await beginWithoutSnapshot(wire, signal);
      return send();
    });
    return await use({
      columns: columns.map((column) => ({ ...column, name: restoreNames(column.name) })),
      rows: (take) => rows(take).catch((error: unknown) => Promise.reject(toFailure(error))),
    });
  } catch (error) {
    throw toFailure(error);
  } finally {
    await close();
  }
}
