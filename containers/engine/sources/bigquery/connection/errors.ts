// Errors of Google and of the network become failures in the engine's words, with Google's own reason.

import { z } from "zod";
import type { ConnectionReason } from "../../../../../kernel/wire/failures.ts";
import { Failure } from "../../../core/failure.ts";
import { explainNetwork, networkReason } from "../../network-errors.ts";
import { protocolError } from "../../protocol-error.ts";
import { explainCertificate } from "../../tls.ts";
import { sourceUnavailable, type PassingCause } from "../../unavailable.ts";

const TEXT_CHARACTERS_MAX = 4_000;

/** Throws a Failure. */
export const protocolViolation = (what: string): never => {
  throw protocolError("BigQuery", what);
};

/**
 * The service refused a request or a job. The status is that of the answer (0 for a job); the reason is Google's own
 * word.
 */
export class GoogleError extends Error {
  readonly status: number;
  readonly reason: string;
  /** The pause that the service asks for; nought where it names none. */
  retryAfterMs = 0;

  constructor(status: number, reason: string, message: string) {
    super(message.slice(0, TEXT_CHARACTERS_MAX) || "no message");
    this.status = status;
    this.reason = /^[\w.-]{1,64}$/.test(reason) ? reason : "unknown";
  }

  /** For people: the message, and the reason, which Google's pages on errors are ordered by. */
  get text(): string {
    return `${this.message} (${this.reason})`;
  }
}

/** One error of a job, as `status.errorResult` and the lists of errors have it. */
export const ErrorProto = z.object({ reason: z.string().catch("unknown"), message: z.string().catch("") });
export type ErrorProto = z.infer<typeof ErrorProto>;

/** The body of a refused call. OAuth's bodies have another form than the API's. */
const ErrorBody = z.union([
  z.object({
    error: z.object({
      message: z.string().catch(""),
      status: z.string().optional().catch(undefined),
      errors: z.array(ErrorProto).optional().catch(undefined),
    }),
  }),
  z.object({ error: z.string(), error_description: z.string().catch("") }),
]);

export function readErrorBody(status: number, body: Buffer): GoogleError {
  const parsed = ErrorBody.safeParse(parseJson(body));
  if (!parsed.success) return new GoogleError(status, `http${status}`, `The service answered with status ${status}.`);
  const { error } = parsed.data;
  if (typeof error === "string")
    return new GoogleError(status, error, (parsed.data as { error_description: string }).error_description);
  return new GoogleError(status, error.errors?.[0]?.reason ?? error.status ?? `http${status}`, error.message);
}

/** Undefined where the bytes are no JSON, which no value of JSON is. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

const PASSING_STATUSES: Record<number, PassingCause> = {
  408: "service_failure",
  429: "throttled",
  500: "service_failure",
  502: "service_failure",
  503: "service_failure",
  504: "service_failure",
};
const PASSING_REASONS: Record<string, PassingCause> = {
  rateLimitExceeded: "throttled",
  jobRateLimitExceeded: "throttled",
  userRateLimitExceeded: "throttled",
  backendError: "service_failure",
  jobBackendError: "service_failure",
  internalError: "service_failure",
  jobInternalError: "service_failure",
};

/** Why the same call may go better later; undefined where it won't. */
export const passingCause = ({ reason, status }: GoogleError): PassingCause | undefined =>
  PASSING_REASONS[reason] ?? PASSING_STATUSES[status];

/** The failure of a connection that was not made, or broke. */
export function connectionFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof GoogleError) {
    const passing = passingCause(error);
    if (passing) return sourceUnavailable(passing, error.text, { error, retryAfterMs: error.retryAfterMs });
    const reason: ConnectionReason = isDenied(error)
      ? "authentication"
      : error.status === 404
        ? "database_missing"
        : "other";
    return new Failure("connection_failed", `BigQuery refused: ${error.text}`, { reason, cause: error });
  }
  const certificate = explainCertificate(error, []);
  if (certificate !== undefined) return new Failure("connection_failed", certificate, { reason: "tls", cause: error });
  const { code = "", name } = error as { code?: string; name?: string };
  const reason = name === "TimeoutError" ? "timeout" : (networkReason(code) ?? "other");
  const message = explainNetwork(reason) ?? "The connection to BigQuery broke before its answer was whole.";
  return new Failure("connection_failed", message, { reason, cause: error });
}

const isDenied = ({ status, reason }: GoogleError): boolean =>
  status === 401 ||
  ["accessDenied", "PERMISSION_DENIED", "authError", "invalid_grant", "invalid_client"].includes(reason);

/** Google's reasons for which it lets nothing more through, or did not finish. */
const RESOURCES = ["quotaExceeded", "resourcesExceeded", "responseTooLarge", "billingTierLimitExceeded"];
/** The service's reasons for a job that somebody cancelled, or that its own time limit ended. */
const STOPPED = ["stopped", "timeout", "jobTimeout"];

/**
 * The failure of a statement that was sent; `sql` is its text where that is a caller's. `expired` says that its own
 * time limit has passed.
 */
export function statementFailure(error: unknown, expired: boolean, sql?: string): unknown {
  if (!(error instanceof GoogleError)) return error;
  const { reason, status, text } = error;
  if (STOPPED.includes(reason))
    return expired
      ? new Failure("deadline_exceeded", `BigQuery ended the statement: ${text}`, { cause: error })
      : new Failure("sql_error", `The statement was stopped at BigQuery: ${text}`, { cause: error });
  if (RESOURCES.includes(reason)) return new Failure("resources_exceeded", text, { cause: error });
  if (status === 401 || reason === "invalid_grant" || passingCause(error)) return connectionFailure(error);
  return new Failure("sql_error", text, {
    position: sql === undefined ? undefined : positionOf(text, sql),
    cause: error,
  });
}

/** Google says `at [line:column]`, both from 1, columns in characters. 1-based in characters of the whole. */
function positionOf(text: string, sql: string): number | undefined {
  const [, line, column] = / at \[(\d{1,9}):(\d{1,9})\]/.exec(text) ?? [];
  if (line === undefined || column === undefined) return undefined;
  const lines = sql.split("\n").map((each) => [...each].length);
  const isThere = Number(line) >= 1 && Number(line) <= lines.length && Number(column) <= lines[Number(line) - 1]! + 1;
  if (!isThere || Number(column) < 1) return undefined;
  return lines.slice(0, Number(line) - 1).reduce((sum, length) => sum + length + 1, 0) + Number(column);
}
