// Connections to Snowflake: a session of the account's user, in which statements run one by one or side by side.

import type { SnowflakeCredentials } from "../../../../../kernel/wire/source.ts";
import { Failure } from "../../../core/failure.ts";
import { emulatorOf } from "../../emulator.ts";
import type { RowFormat, TextRow } from "../../row-collector.ts";
import { openResult, type SnowflakeResult } from "../rows/open-result.ts";
import { fetchAll, fetchNamed } from "../rows/fetch-all.ts";
import { checkCredentials } from "./account.ts";
import { sessionFailure } from "./errors.ts";
import type { Service } from "./hosts.ts";
import { Session } from "./session.ts";
import { runStatement, type Statement } from "./statement.ts";

/** A login asks nothing of a warehouse, which may have to wake up. */
const LOGIN_MS = 20_000;

/** A logged-in connection. */
export type Connection = {
  tls: boolean;
  /** Runs a statement; it has ended at the server when this settles, and its rows come as they are asked for. */
  run(statement: Statement): Promise<SnowflakeResult>;
  /** Runs a statement of the engine's own and returns its rows: cells as canonical text. */
  fetchRows(sql: string, format: RowFormat, signal: AbortSignal): Promise<TextRow[]>;
  /**
   * Fetches the rows of a statement whose answer has columns by name, such as SHOW: the named columns, in this order.
   */
  fetchNamed(sql: string, names: readonly string[], signal: AbortSignal): Promise<TextRow[]>;
  /** Ends the session at the server and closes the sockets. Never rejects. */
  close(): Promise<void>;
};

/** Rejects with `connection_failed` and a reason, or with `signal.reason`. */
export async function connect(credentials: SnowflakeCredentials, signal: AbortSignal): Promise<Connection> {
  const checked = checkCredentials(credentials);
  const emulator = emulatorOf("snowflake");
  const service: Service = {
    origin: emulator?.origin ?? `https://${checked.host}`,
    isEmulated: emulator !== undefined,
  };
  const session = new Session(service, checked);
  const until = AbortSignal.any([signal, AbortSignal.timeout(LOGIN_MS)]);
  try {
    checkPlace(await session.logIn(until), checked);
  } catch (error) {
    await session.close();
    if (signal.aborted) throw signal.reason;
    throw until.aborted
      ? new Failure("connection_failed", `Snowflake did not let us in within ${LOGIN_MS / 1000} s.`, {
          reason: "timeout",
          cause: error,
        })
      : sessionFailure(error);
  }
  const run = async (statement: Statement) =>
    openResult(session, await runStatement(session, statement), statement.signal);
  return {
    tls: service.origin.startsWith("https:"),
    run,
    fetchRows: async (sql, format, until) => fetchAll(await run({ sql, signal: until }), format),
    fetchNamed: async (sql, names, until) => fetchNamed(await run({ sql, signal: until }), names),
    close: () => session.close(),
  };
}

/** The login says where the session is; one that is elsewhere would answer from what nobody asked for. */
function checkPlace({ sessionInfo }: Record<string, unknown>, asked: { database: string; warehouse: string }): void {
  const place = (sessionInfo ?? {}) as { databaseName?: unknown; warehouseName?: unknown };
  if (!isNamed(place.databaseName, asked.database))
    throw new Failure("connection_failed", "The database does not exist, or the role may not use it.", {
      reason: "database_missing",
    });
  if (!isNamed(place.warehouseName, asked.warehouse))
    throw new Failure("connection_failed", "The warehouse does not exist, or the role may not use it.", {
      reason: "other",
    });
}

/** Names that need them may come in quotes; what the login does not tell at all is left to the statements. */
const isNamed = (name: unknown, asked: string): boolean =>
  name === undefined || (typeof name === "string" && name.replace(/^"(.*)"$/s, "$1") === asked);
