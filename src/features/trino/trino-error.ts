// A failure as Trino's clients read it: within an answer of status 200.

import { isProblem, type Problem, type ProblemCode } from "../../core/problem.ts";
import { Refusal, USER_ERRORS, type UserError } from "../trino-sql/refusal.ts";

type ErrorType = "USER_ERROR" | "INTERNAL_ERROR" | "INSUFFICIENT_RESOURCES" | "EXTERNAL";
type Named = { errorCode: number; errorName: string; errorType: ErrorType };

const user = (errorName: UserError): Named => ({
  errorCode: USER_ERRORS[errorName],
  errorName,
  errorType: "USER_ERROR",
});
const INTERNAL: Named = { errorCode: 65_536, errorName: "GENERIC_INTERNAL_ERROR", errorType: "INTERNAL_ERROR" };
const AWAY: Named = { errorCode: 65_541, errorName: "NO_NODES_AVAILABLE", errorType: "INTERNAL_ERROR" };
const FULL: Named = { errorCode: 131_074, errorName: "QUERY_QUEUE_FULL", errorType: "INSUFFICIENT_RESOURCES" };
const EXTERNAL: Named = { errorCode: 16_777_216, errorName: "GENERIC_EXTERNAL", errorType: "EXTERNAL" };

/** Any other problem is an internal error. */
const NAMED: Partial<Record<ProblemCode, Named>> = {
  query_failed: user("GENERIC_USER_ERROR"),
  validation_failed: user("GENERIC_USER_ERROR"),
  resource_not_found: user("NOT_FOUND"),
  forbidden_insufficient_permissions: user("PERMISSION_DENIED"),
  heavy_engine_restricted: user("PERMISSION_DENIED"),
  query_cancelled: user("USER_CANCELED"),
  resource_conflict: user("TRANSACTION_CONFLICT"),
  query_timeout: { errorCode: 131_075, errorName: "EXCEEDED_TIME_LIMIT", errorType: "INSUFFICIENT_RESOURCES" },
  too_many_requests: FULL,
  business_quota_exceeded: FULL,
  monthly_quota_exceeded: FULL,
  source_unavailable: EXTERNAL,
  source_unreachable: EXTERNAL,
  connection_failed: EXTERNAL,
  engine_unavailable: AWAY,
};

/** Throws again what is neither a refusal nor a problem that a statement may have. */
export function trinoError(error: unknown, text: string): object {
  if (error instanceof Refusal) {
    const location = error.at === undefined ? undefined : locate(text, error.at);
    return errorOf(user(error.error), error.message, location);
  }
  if (!isProblem(error) || error.code === "internal_error") throw error;
  const { line, column } = error.location ?? {};
  const location = line === undefined || column === undefined ? undefined : { lineNumber: line, columnNumber: column };
  return errorOf(NAMED[error.code] ?? INTERNAL, messageOf(error), location);
}

type Location = { lineNumber: number; columnNumber: number };

/** Trino puts the place in front of its words. */
function errorOf(named: Named, words: string, errorLocation?: Location): object {
  const place = errorLocation && { errorLocation };
  const message = errorLocation ? `line ${errorLocation.lineNumber}:${errorLocation.columnNumber}: ${words}` : words;
  const failureInfo = { type: "io.trino.spi.TrinoException", message, suppressed: [], stack: [], ...place };
  return { message, ...named, ...place, failureInfo };
}

/** A client of Trino's has no id under which a statement is sent again. */
const UNKNOWN_OUTCOME =
  "Whether the statement was written is not known. Look at what it writes to before you send it again: it may be written twice.";

const messageOf = ({ code, message, flaws }: Problem): string =>
  code === "write_outcome_unknown" ? UNKNOWN_OUTCOME : (flaws.find((flaw) => flaw.message !== "")?.message ?? message);

function locate(text: string, at: number): Location {
  const before = text.slice(0, at);
  const line = before.lastIndexOf("\n") + 1;
  return { lineNumber: before.split("\n").length, columnNumber: [...before.slice(line)].length + 1 };
}
