// Errors of SQL Server, its driver and the network become failures in the engine's words.

import type { ConnectionReason } from "../../../../../kernel/wire/failures.ts";
import { Failure } from "../../../core/failure.ts";
import { explainNetwork, networkReason } from "../../network-errors.ts";
import { explainCertificate } from "../../tls.ts";
import { sourceUnavailable, type PassingCause } from "../../unavailable.ts";
import { UntrustedServer } from "./login.ts";
import { SqlServerError } from "./tokens.ts";

const TEXT_CHARACTERS_MAX = 4_000;

/** The server's words to a login that it refuses. */
export class LoginError extends Error {
  readonly number: number;

  constructor(message: string, number: number) {
    super(message.slice(0, TEXT_CHARACTERS_MAX));
    this.number = number;
  }
}

/** The meaning of a server's error number for the login, and advice where its own words give none. */
const LOGIN_ERRORS: Record<number, [reason: ConnectionReason, advice?: string]> = {
  911: ["database_missing"],
  4060: ["database_missing", "There is no such database at this server, or the account may not open it."],
  4064: ["database_missing", "The account's default database can't be opened: name one among the credentials."],
  18450: ["authentication"],
  18451: ["authentication"],
  18452: ["authentication", "Only SQL Server's own logins are supported, with a user name and a password."],
  18456: ["authentication", "User name or password are wrong, or the server does not let SQL Server's own logins in."],
  18470: ["authentication", "The account is disabled."],
  18486: ["authentication", "The account is locked out."],
  18487: ["authentication", "The account's password has expired."],
  18488: ["authentication", "The account's password must be changed."],
  33155: ["authentication", "Only SQL Server's own logins are supported, with a user name and a password."],
  40532: ["authentication", "The server's full name must be the host; Azure may want it behind the user name too."],
  40615: ["refused", "Azure's firewall does not let our address in: add it to the server's firewall rules."],
  40914: ["refused", "Azure's firewall does not let our address in: add it to the server's firewall rules."],
  47073: ["refused", "The server does not take connections from the public internet."],
};

/** By the server's number, of a login and of a statement. */
const PASSING: Record<number, PassingCause> = {
  978: "not_ready",
  983: "not_ready",
  1205: "deadlock",
  1222: "lock_timeout",
  3960: "conflict",
  4221: "not_ready",
  6005: "shutting_down",
  10928: "throttled",
  10929: "throttled",
  17142: "not_ready",
  17809: "too_many_connections",
  18401: "not_ready",
  40143: "service_failure",
  40197: "service_failure",
  40501: "throttled",
  40613: "not_ready",
  49918: "throttled",
  49919: "throttled",
  49920: "throttled",
};

/** The failure of a connection that was not made. */
export function connectionFailure(error: unknown): Failure {
  const failure = failureIn(error);
  if (failure) return failure;
  if (error instanceof LoginError) {
    const said = `The server refused the connection: ${error.message} (error ${error.number})`;
    const passing = PASSING[error.number];
    if (passing) return sourceUnavailable(passing, said, { error });
    const [reason, advice] = LOGIN_ERRORS[error.number] ?? ["other"];
    return connectionFailed(reason, advice === undefined ? said : `${said}. ${advice}`, error);
  }
  if (error instanceof SqlServerError && PASSING[error.number])
    return sourceUnavailable(PASSING[error.number]!, spell(error), { error });
  if (error instanceof SqlServerError)
    return connectionFailed("other", `The database refused what the engine asks of it: ${spell(error)}`, error);
  const certificate = explainServer(error);
  if (certificate !== undefined) return connectionFailed("tls", certificate, error);
  if (isTlsRequired(error))
    return connectionFailed("tls", "The server takes connections with TLS only, and sslmode is disable.", error);
  const code = codeOf(error);
  const reason = networkReason(code) ?? (isHandshake(error) ? "tls" : "other");
  return connectionFailed(reason, explain(reason, code), error);
}

const connectionFailed = (reason: ConnectionReason, message: string, cause: unknown): Failure =>
  new Failure("connection_failed", message, { reason, cause });

/** The driver wraps what its socket, and whoever dialled it, failed with. */
function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) yield cause;
}

const failureIn = (error: unknown): Failure | undefined =>
  [...causesOf(error)].find((cause): cause is Failure => cause instanceof Failure);

/** The innermost code: the network's, where the driver put its own around it. */
const codeOf = (error: unknown): string =>
  [...causesOf(error)]
    .map((cause) => (cause as { code?: unknown }).code)
    .findLast((code) => typeof code === "string") ?? "";

function explainServer(error: unknown): string | undefined {
  if (!(error instanceof UntrustedServer)) return undefined;
  return (
    explainCertificate(new Error(CERTIFICATE_WORDS[error.message] ?? error.message)) ??
    "The server's certificate is not trusted."
  );
}

/** OpenSSL's codes, in the words that it has for them. */
const CERTIFICATE_WORDS: Record<string, string> = {
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate's altnames",
  DEPTH_ZERO_SELF_SIGNED_CERT: "self-signed certificate",
  SELF_SIGNED_CERT_IN_CHAIN: "self-signed certificate",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "unable to verify the first certificate",
  UNABLE_TO_GET_ISSUER_CERT: "unable to get issuer certificate",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "unable to get local issuer certificate",
  CERT_HAS_EXPIRED: "certificate has expired",
  CERT_NOT_YET_VALID: "certificate is not yet valid",
};

/** The driver has one code for a server without TLS and for one that takes nothing else. */
const ENCRYPTION = "EENCRYPT";
const isTlsRequired = (error: unknown): boolean =>
  codeOf(error) === ENCRYPTION && /requires encryption/i.test((error as Error).message);

/** Whether the server offers no TLS to who asked for it. */
export const isWithoutTls = (error: unknown): boolean => codeOf(error) === ENCRYPTION && !isTlsRequired(error);

const isHandshake = (error: unknown): boolean =>
  [...causesOf(error)].some(({ message }) => /\b(ssl|tls)\b|wrong version number|handshake/i.test(message));

function explain(reason: ConnectionReason, code: string): string {
  return (
    explainNetwork(reason) ??
    (code === "ECONNRESET" || code === "EPIPE"
      ? "The server closed the connection before anyone could log in. It may take TDS 8.0 (strict encryption) only."
      : "The server at this host and port does not answer as SQL Server does.")
  );
}

/** Words and numbers, as SQL Server's own tools show them. */
const spell = ({ message, number, state, line }: SqlServerError): string =>
  `${message} (error ${number}, state ${state}${line > 0 ? `, line ${line}` : ""})`;

/** Lock waits, and limits that the server sets. */
const TIMEOUTS = [1222, 8649];
/** The server lacks locks, temporary or log space, memory, or room for the versions that snapshots need. */
const RESOURCES = [701, 802, 1101, 1105, 1204, 3958, 3966, 3967, 8623, 8645, 8651, 8657, 9002];
/** A database, or a login, that may only be read. */
const READ_ONLY = [3906, 3929];

/** Whether a statement touched a memory-optimised table in a transaction of SNAPSHOT isolation. */
export const isInMemoryRefused = (error: unknown): boolean => error instanceof SqlServerError && error.number === 41332;

/** Advice where the server's own words give none. */
const STATEMENT_ADVICE: Record<number, string> = {
  41368:
    "A statement here is in a transaction, which ends with a rollback: write WITH (SNAPSHOT) behind the table, or have " +
    "the database's owner turn MEMORY_OPTIMIZED_ELEVATE_TO_SNAPSHOT on.",
};

/**
 * The failure of a statement that was sent; `sql` is its text where that is a caller's. `expired` says that its time
 * limit has passed.
 */
export function statementFailure(error: unknown, expired: boolean, sql?: string): unknown {
  if (!(error instanceof SqlServerError)) return error;
  const { number } = error;
  const text = spell(error);
  if (TIMEOUTS.includes(number) && expired)
    return new Failure("deadline_exceeded", `The database ended the statement: ${text}`, { cause: error });
  const passing = PASSING[number];
  if (passing) return sourceUnavailable(passing, text, { error });
  if (READ_ONLY.includes(number))
    return new Failure("statement_refused", `Sources are read only: ${text}`, { cause: error });
  if (RESOURCES.includes(number)) return new Failure("resources_exceeded", text, { cause: error });
  const advice = STATEMENT_ADVICE[number];
  return new Failure("sql_error", advice === undefined ? text : `${text}. ${advice}`, {
    position: sql === undefined ? undefined : positionOf(error, sql),
    cause: error,
  });
}

/** The server quotes what it stumbled over, and says in which line: 1-based in characters, where it is there once. */
function positionOf({ message, line }: SqlServerError, sql: string): number | undefined {
  const [, named = ""] = /(?:near|column name|object name) '([^']+)'/.exec(message) ?? [];
  const lines = sql.split("\n");
  const text = lines[line - 1] ?? "";
  const found = text.indexOf(named);
  if (named === "" || found < 0 || text.indexOf(named, found + 1) >= 0) return undefined;
  const before = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
  return [...sql.slice(0, before + found)].length + 1;
}
