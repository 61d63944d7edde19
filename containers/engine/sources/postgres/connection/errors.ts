// Errors of PostgreSQL and of the network become failures in the engine's words.

import { Failure } from "../../../core/failure.ts";
import type { ConnectionReason } from "../../../../../kernel/wire/failures.ts";
import { explainNetwork, networkReason } from "../../network-errors.ts";
import { explainCertificate } from "../../tls.ts";
import { sourceUnavailable, type PassingCause } from "../../unavailable.ts";

/** An ErrorResponse. `code` is the SQLSTATE; the rest may be absent. */
export class ServerError extends Error {
  readonly code: string;
  readonly detail: string | undefined;
  readonly hint: string | undefined;
  readonly position: number | undefined;

  constructor(fields: Map<string, string>) {
    super(fields.get("M") ?? "The database answered with an error.");
    this.code = fields.get("C") ?? "";
    this.detail = fields.get("D");
    this.hint = fields.get("H");
    const position = Number(fields.get("P"));
    this.position = position > 0 ? position : undefined;
  }
}

export function readServerError(bytes: Buffer, from: number, to: number): ServerError {
  const fields = new Map<string, string>();
  for (let at = from; at < to && bytes[at] !== 0; ) {
    const end = bytes.indexOf(0, at + 1);
    if (end < 0 || end >= to) break;
    fields.set(String.fromCharCode(bytes[at]!), bytes.toString("utf8", at + 1, end));
    at = end + 1;
  }
  return new ServerError(fields);
}

const TEXT_CHARACTERS_MAX = 4_000;

/** By SQLSTATE, of a login and of a statement. */
const PASSING: Record<string, PassingCause> = {
  "40001": "conflict",
  "40P01": "deadlock",
  "53300": "too_many_connections",
  "55P03": "lock_timeout",
  "57P01": "shutting_down",
  "57P02": "shutting_down",
  "57P03": "not_ready",
  "57P05": "session_ended",
  "72000": "conflict",
};

/** The failure of a statement that was sent. `expired` says that its own time limit has passed. */
export function statementFailure(error: unknown, expired: boolean): unknown {
  if (!(error instanceof ServerError)) return error;
  const { code, position } = error;
  const text = sentences(error);
  const passing = PASSING[code];
  if (passing) return sourceUnavailable(passing, text, { error });
  if (code === "57014" && (expired || /statement timeout/.test(error.message)))
    return new Failure("deadline_exceeded", `The database ended the statement: ${text}`, { cause: error });
  if (code === "25006") return new Failure("statement_refused", `Sources are read only: ${text}`, { cause: error });
  if (/^(53[124]|54001)/.test(code)) return new Failure("resources_exceeded", text, { cause: error });
  if (/^(08|57P)/.test(code)) return new Failure("connection_failed", text, { reason: "other", cause: error });
  return new Failure("sql_error", text, { position, cause: error });
}

/** The server's message with its detail and hint. */
const sentences = ({
  message,
  detail,
  hint,
}: Pick<ServerError, "message"> & Partial<Pick<ServerError, "detail" | "hint">>): string =>
  [message, detail && `Detail: ${detail}`, hint && `Hint: ${hint}`]
    .filter(Boolean)
    .join("\n")
    .slice(0, TEXT_CHARACTERS_MAX);

const REASON_OF_CODE: Record<string, ConnectionReason> = {
  "28P01": "authentication",
  "28000": "authentication",
  "42501": "authentication",
  "3D000": "database_missing",
};

/**
 * The failure of a connection that was not made: `error` is Node's, pg's or the server's. `product` is the server's
 * expected name.
 */
export function connectionFailure(error: unknown, product = "PostgreSQL"): Failure {
  if (error instanceof Failure) return error;
  const certificate = explainCertificate(error);
  if (certificate !== undefined) return new Failure("connection_failed", certificate, { reason: "tls", cause: error });
  const { code = "", message = "" } = error as { code?: string; message?: string };
  const passing = PASSING[code];
  if (passing)
    return sourceUnavailable(passing, `${product} refused the connection: ${sentences(error as Error)}`, { error });
  const reason =
    REASON_OF_CODE[code] ?? networkReason(code) ?? (message.startsWith("SASL") ? "authentication" : "other");
  return new Failure("connection_failed", explain({ reason, code, error: error as Error, product }), {
    reason,
    cause: error,
  });
}

type Refusal = { reason: ConnectionReason; code: string; error: Error; product: string };

function explain({ reason, code, error, product }: Refusal): string {
  // Five characters of SQLSTATE: the server answered, and its own words are the best.
  if (/^[0-9A-Z]{5}$/.test(code) && !code.startsWith("E"))
    return `${product} refused the connection: ${sentences(error)}`;
  if (reason === "authentication") return "The password was not accepted.";
  return (
    explainNetwork(reason) ??
    `The server at this host and port does not answer as ${product} does, or closed the connection.`
  );
}
