// MySQL and MariaDB as a source: one read-only statement in a read-only transaction, its rows straight from the wire.

import type { ConnectionReport } from "../../../../kernel/wire/source.ts";
import type { FetchRows } from "../row-collector.ts";
import {
  DEADLINE_MS_DEFAULT,
  TIMEOUT_SLACK_MS,
  type Connector,
  type SourceOf,
  type SourceResult,
  type SourceStatement,
} from "../connector.ts";
import { BoundStatement } from "./access/bound-statement.ts";
import { connect } from "./connection/connect.ts";
import { connectionFailure, statementFailure } from "./connection/errors.ts";
import { protocolViolation } from "./connection/packets.ts";
import { checkMysqlStatement } from "./gate/check-statement.ts";
import { isSystemDatabase } from "./gate/forbidden.ts";
import { MysqlSnapshot } from "./extraction/snapshot.ts";
import { canWrite } from "./grants.ts";
import { introspectMysql } from "./introspect.ts";
import { prepareWithValues } from "./rows/bound-values.ts";
import { sendStatement } from "./rows/send-statement.ts";
import { testOpened } from "../open-connection.ts";

/**
 * The mode applies to the platform's own statements: a measure of a model that aggregates nothing would take its value
 * of any row of a group. A caller's statement is taken as both servers' users know it.
 */
const ONLY_FULL_GROUP_BY = "ONLY_FULL_GROUP_BY";

export const mysql: Connector<"mysql"> = {
  test,
  introspect: introspectMysql,
  query,
  openSnapshot: ({ credentials }, _, signal) => MysqlSnapshot.open(credentials, signal),
};

async function test({ credentials }: SourceOf<"mysql">, signal: AbortSignal): Promise<ConnectionReport> {
  const { wire, tls, drop, close } = await connect(credentials, signal);
  const ask = async (until: AbortSignal) => {
    const [[version, comment] = protocolViolation("it does not tell its version")] = await wire.fetchRows(
      "SELECT VERSION(), @@version_comment",
      "tT",
      until,
    );
    const grants = await wire.fetchRows("SHOW GRANTS", "t", until);
    await close();
    return {
      product: /mariadb/i.test(`${version} ${comment}`) ? "MariaDB" : "MySQL",
      version: version!.split("-")[0] ?? "",
      tls,
      canWrite: canWrite(
        grants.map(([grant]) => grant!),
        credentials.database,
      ),
    };
  };
  return testOpened({ signal, ask, failureOf: connectionFailure, close: drop });
}

async function query<T>(
  {
    source: { credentials },
    sql,
    values,
    isCompiled,
    access,
    signal,
    deadlineMs = DEADLINE_MS_DEFAULT,
  }: SourceStatement<"mysql">,
  use: (result: SourceResult) => Promise<T>,
): Promise<T> {
  const startedAt = Date.now();
  const leftMs = () => deadlineMs - (Date.now() - startedAt);
  const statement = checkMysqlStatement(sql, values?.length);
  const bound =
    access === "everything" ? undefined : new BoundStatement(statement, credentials.database, access, values?.length);
  const toFailure = (error: unknown) =>
    bound ? bound.toFailure(error, leftMs() <= 0) : statementFailure(error, leftMs() <= 0, statement);
  const restoreNames = bound ? bound.restoreNames : (name: string) => name;
  signal.throwIfAborted();
  // The gate knows tables of the server's own databases by the database's name before them, so no such database is
  // chosen.
  const isInNone = bound !== undefined || isSystemDatabase(credentials.database);
  const { wire, close } = await connect(isInNone ? { ...credentials, database: "" } : credentials, signal);
  try {
    const fetchRows: FetchRows = (query, format) => wire.fetchRows(query, format, signal);
    for (const opening of transactionOpening(leftMs() + TIMEOUT_SLACK_MS, isCompiled ? [ONLY_FULL_GROUP_BY] : []))
      await fetchRows(opening, "");
    const visible = (await bound?.restrict(fetchRows)) ?? statement;
    const sent = values ? await prepareWithValues(visible, values, fetchRows) : visible;
    const { columns, rows } = await sendStatement(wire, sent, signal);
    return await use({
      columns: columns.map(({ conversion: _, name, ...column }) => ({ ...column, name: restoreNames(name) })),
      rows: (take) => rows(take).catch((error: unknown) => Promise.reject(toFailure(error))),
    });
  } catch (error) {
    throw toFailure(error);
  } finally {
    await close();
  }
}

const MODES = ["STRICT_TRANS_TABLES", "ERROR_FOR_DIVISION_BY_ZERO", "NO_ENGINE_SUBSTITUTION"];

/**
 * The mode is what the statement gate's lexer assumes; otherwise it is what both servers start with. Times are in UTC.
 * A reader that is held up for minutes must not be cut off (`net_write_timeout`). MariaDB skips MySQL's `/*!50708`.
 */
const transactionOpening = (timeoutMs: number, modes: readonly string[]): string[] => [
  `SET SESSION time_zone = '+00:00',
    SESSION sql_mode = '${[...MODES, ...modes].join(",")}',
    SESSION net_write_timeout = 900
    /*M!100100 , SESSION max_statement_time = ${(Math.max(1, timeoutMs) / 1000).toFixed(3)} */
    /*!50708 , SESSION max_execution_time = ${Math.max(1, Math.round(timeoutMs))} */`,
  "SET SESSION TRANSACTION READ ONLY",
  "START TRANSACTION READ ONLY",
];
