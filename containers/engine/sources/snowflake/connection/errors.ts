// Errors of Snowflake, the SDK and the network become failures in the engine's words.

import type { ConnectionReason } from "../../../../../kernel/wire/failures.ts";
import { Failure } from "../../../core/failure.ts";
import { explainNetwork, networkReason } from "../../network-errors.ts";
import { protocolError } from "../../protocol-error.ts";
import { explainCertificate } from "../../tls.ts";
import { sourceUnavailable, type PassingCause } from "../../unavailable.ts";

const TEXT_CHARACTERS_MAX = 4_000;

/** An error that Snowflake answered with: its number of six digits, and the standard's SQLSTATE. */
export class SnowflakeError extends Error {
  readonly code: string;
  readonly sqlState: string | undefined;

  constructor(code: string, message: string, sqlState: string | undefined) {
    super(message.slice(0, TEXT_CHARACTERS_MAX));
    this.code = code;
    this.sqlState = sqlState;
  }
}

/** Reads `code`, `message` and SQLSTATE of an answer, or of the SDK's error that it made of one. */
export function snowflakeError(answer: unknown): SnowflakeError {
  const { code, message, sqlState, data } = (answer ?? {}) as Record<string, unknown>;
  const state = sqlState ?? (data as Record<string, unknown> | null | undefined)?.sqlState;
  return new SnowflakeError(
    typeof code === "string" || typeof code === "number" ? String(code).slice(0, 10) : "",
    typeof message === "string" ? message : "",
    typeof state === "string" ? state.slice(0, 5) : undefined,
  );
}

export const protocolViolation = (what: string): never => {
  throw protocolError("Snowflake", what);
};

/** The failure of a connection that was not made, or broke. */
export function connectionFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (explainCertificate(error) !== undefined)
    return new Failure(
      "connection_failed",
      "The certificate of Snowflake's host can't be verified. Something between it and us may stand in for it.",
      { reason: "tls", cause: error },
    );
  const { code = "" } = error as { code?: string };
  const reason = networkReason(code) ?? "other";
  const explained = explainNetwork(reason) ?? "The connection to Snowflake broke.";
  return new Failure("connection_failed", explained, { reason, cause: error });
}

const DATABASE_MISSING = "390201";
const MFA = /multi-factor|\bMFA\b|second factor|duo/i;
/** By Snowflake's number, of a login, a session and a statement. */
const PASSING: Record<string, PassingCause> = {
  "000625": "lock_timeout",
  "370001": "service_failure",
  "390104": "session_ended",
  "390110": "session_ended",
  "390111": "session_ended",
  "390112": "session_ended",
  "390113": "session_ended",
  "390114": "session_ended",
};

/** The failure of a login that was refused, or a session that was not renewed. */
export function sessionFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { code, message } = snowflakeError(error);
  const passing = PASSING[code];
  const head = passing === "session_ended" ? "The session with Snowflake ended" : "Snowflake answers";
  if (passing) return sourceUnavailable(passing, `${head}: ${said(message, code)}`, { error });
  const hint = MFA.test(message)
    ? " Nobody is here to give a second factor: use a programmatic access token as the password."
    : "";
  return new Failure("connection_failed", `Snowflake refused the login: ${said(message, code)}${hint}`, {
    reason: loginReason(code, message),
    cause: error,
  });
}

function loginReason(code: string, message: string): ConnectionReason {
  if (code === DATABASE_MISSING || /database .*does not exist/i.test(message)) return "database_missing";
  return /^39[0-9]{4}$/.test(code) ? "authentication" : "other";
}

/** A statement that ran longer than its own limit; one that somebody ended. */
const TIMEOUT = "000630";
const CANCELLED = "000604";
/** The errors of scarce memory, of a result's size, and of the limits of a warehouse or a resource monitor. */
const RESOURCES = ["100078", "100145", "090073", "000709", "300005"];

/**
 * The failure of a statement that was sent; `sql` is its text where that is a caller's. `expired` says that its own
 * time limit has passed.
 */
export function statementFailure(error: unknown, expired: boolean, sql?: string): unknown {
  if (!(error instanceof SnowflakeError)) return error;
  const { code, message, sqlState } = error;
  const text = said(message, [code, sqlState].filter(Boolean).join(", "));
  if (code === TIMEOUT || (code === CANCELLED && expired))
    return new Failure("deadline_exceeded", `Snowflake ended the statement: ${text}`, { cause: error });
  if (PASSING[code]) return sessionFailure(error);
  if (RESOURCES.includes(code)) return new Failure("resources_exceeded", text, { cause: error });
  return new Failure("sql_error", text, {
    position: sql === undefined ? undefined : positionOf(message, sql),
    cause: error,
  });
}

const said = (message: string, codes: string): string =>
  `${message.trim() || "it does not say why"}${codes === "" ? "" : ` (${codes})`}`;

/** `error line 2 at position 7`: lines from 1, positions in them from 0. */
function positionOf(message: string, sql: string): number | undefined {
  const [, line, position] = /line (\d{1,9}) at position (\d{1,9})/.exec(message) ?? [];
  if (line === undefined) return undefined;
  const before = sql.split("\n").slice(0, Number(line) - 1);
  const found = before.reduce((sum, { length }) => sum + length + 1, 0) + Number(position);
  return found <= sql.length ? [...sql.slice(0, found)].length + 1 : undefined;
}
