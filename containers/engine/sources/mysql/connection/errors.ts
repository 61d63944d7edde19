// Errors of MySQL, its driver and the network become failures in the engine's words.

import { Failure } from "../../../core/failure.ts";
import type { ConnectionReason } from "../../../../../kernel/wire/failures.ts";
import { MysqlError } from "./packets.ts";
import { explainNetwork, networkReason } from "../../network-errors.ts";
import { explainCertificate } from "../../tls.ts";
import { sourceUnavailable, type PassingCause } from "../../unavailable.ts";

const TEXT_CHARACTERS_MAX = 4_000;

type ErrorFields = { code: string; errno: number; text: string };

/**
 * An error's fields, whether the server or the driver that logs in made it. `errno` is the server's number, 0 where the
 * server did not speak.
 */
const readError = (error: unknown): ErrorFields => {
  if (error instanceof MysqlError) return { code: "", errno: error.errno, text: error.message };
  const { code = "", errno = 0, sqlMessage } = error as { code?: string; errno?: number; sqlMessage?: string };
  return { code, errno: sqlMessage === undefined ? 0 : errno, text: (sqlMessage ?? "").slice(0, TEXT_CHARACTERS_MAX) };
};

const REASON_OF_CODE: Record<string, ConnectionReason> = {
  HANDSHAKE_SSL_ERROR: "tls",
  ER_SECURE_TRANSPORT_REQUIRED: "tls",
  AUTH_SWITCH_PLUGIN_ERROR: "authentication",
  ER_ACCESS_DENIED_ERROR: "authentication",
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: "authentication",
  ER_DBACCESS_DENIED_ERROR: "authentication",
  ER_HOST_NOT_PRIVILEGED: "authentication",
  ER_HOST_IS_BLOCKED: "authentication",
  ER_NOT_SUPPORTED_AUTH_MODE: "authentication",
  MYSQL_CLEAR_PASSWORD_NOT_ENABLED: "authentication",
  ER_MUST_CHANGE_PASSWORD_LOGIN: "authentication",
  ER_ACCOUNT_HAS_BEEN_LOCKED: "authentication",
  ER_BAD_DB_ERROR: "database_missing",
};

/** Causes that pass, by the server's number of the error, at a login and at a statement. */
const PASSING: Record<number, PassingCause> = {
  1020: "conflict",
  1040: "too_many_connections",
  1053: "shutting_down",
  1203: "too_many_connections",
  1205: "lock_timeout",
  1213: "deadlock",
  1226: "throttled",
  1927: "session_ended",
  3168: "not_ready",
  3169: "session_ended",
  3572: "lock_timeout",
};

/** The failure of a connection that was not made. */
export function connectionFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof Error && error.cause instanceof Failure) return error.cause;
  const certificate = explainCertificate(error);
  if (certificate !== undefined) return new Failure("connection_failed", certificate, { reason: "tls", cause: error });
  const { code, errno, text } = readError(error);
  const passing = PASSING[errno];
  if (passing) return sourceUnavailable(passing, `The server refused the connection: ${text}`, { error });
  const reason = REASON_OF_CODE[code] ?? networkReason(code) ?? "other";
  return new Failure(
    "connection_failed",
    errno > 0 ? `The server refused the connection: ${text}` : explain(reason, code),
    { reason, cause: error },
  );
}

function explain(reason: ConnectionReason, code: string): string {
  if (reason === "authentication") return "The way this account proves itself is not supported.";
  const explained = explainNetwork(reason);
  if (explained !== undefined) return explained;
  return code === "PROTOCOL_CONNECTION_LOST" || code === "ECONNRESET"
    ? "The server closed the connection before anyone could log in."
    : "The server at this host and port does not answer as MySQL does.";
}

/** The errors of the server's own time limits: MariaDB's, then MySQL's. */
const TIMEOUTS = [1969, 3024];
/** The errors of scarce locks, sort and temporary space, and memory. */
const RESOURCES = [1021, 1037, 1038, 1041, 1114, 1135, 3175];
const READ_ONLY = 1792;
const INTERRUPTED = 1317;
const SYNTAX = 1064;

/**
 * The failure of a statement that was sent; `sql` is its text where that is a caller's. `expired` says that its own
 * time limit has passed.
 */
export function statementFailure(error: unknown, expired: boolean, sql?: string): unknown {
  if (!(error instanceof MysqlError)) return error;
  const { errno, text } = readError(error);
  const passing = PASSING[errno];
  if (passing) return sourceUnavailable(passing, text, { error });
  if (TIMEOUTS.includes(errno) || (errno === INTERRUPTED && expired))
    return new Failure("deadline_exceeded", `The database ended the statement: ${text}`, { cause: error });
  if (errno === READ_ONLY) return new Failure("statement_refused", `Sources are read only: ${text}`, { cause: error });
  if (RESOURCES.includes(errno)) return new Failure("resources_exceeded", text, { cause: error });
  return new Failure("sql_error", text, {
    position: errno === SYNTAX && sql !== undefined ? positionOf(text, sql) : undefined,
    cause: error,
  });
}

/**
 * The server quotes the text that follows the error, which MariaDB cuts with dots, and says in which line: 1-based in
 * characters, where that text stands in the line once.
 */
function positionOf(text: string, sql: string): number | undefined {
  const [, near, line] = /near '(.*?)(?:(?<=.{77})\.\.\.)?' at line (\d+)$/s.exec(text) ?? [];
  if (near === undefined) return undefined;
  const before = sql
    .split("\n")
    .slice(0, Number(line) - 1)
    .reduce((sum, { length }) => sum + length + 1, 0);
  const found = near === "" ? sql.length : sql.indexOf(near, before);
  const isInLine =
    near === "" || (found >= 0 && !sql.slice(before, found).includes("\n") && sql.indexOf(near, found + 1) < 0);
  return isInLine ? [...sql.slice(0, found)].length + 1 : undefined;
}
