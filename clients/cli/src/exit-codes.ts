// A command's exit code says what cures its failure. docs/questions/clients.md lists the codes.

import { CommanderError } from "commander";
import { FjordProblem } from "../../typescript/src/client.ts";
import { UNKNOWN_CODE } from "../../typescript/src/problem.ts";

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  notAllowed: 3,
  conflict: 4,
  retryLater: 5,
  interrupted: 130,
} as const;

/** A mistake in what was typed. */
export class UsageError extends Error {}

/** Nobody is signed in: no profile, and no key in the environment. */
export class NotSignedInError extends Error {}

/** What is there is not what the caller has read. */
export class ConflictError extends Error {}

const STATUS_CODES: Readonly<Record<number, number>> = {
  401: EXIT.notAllowed,
  403: EXIT.notAllowed,
  409: EXIT.conflict,
  412: EXIT.conflict,
};

/** The statuses of a gateway in front of the platform that does not reach it. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

export function exitCodeOf(error: unknown, isInterrupted: boolean): number {
  if (isInterrupted) return EXIT.interrupted;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof NotSignedInError) return EXIT.notAllowed;
  if (error instanceof ConflictError) return EXIT.conflict;
  if (error instanceof FjordProblem) {
    if (error.retryable || error.code === "write_outcome_unknown") return EXIT.retryLater;
    if (error.code === UNKNOWN_CODE && GATEWAY_STATUSES.has(error.status)) return EXIT.retryLater;
    return STATUS_CODES[error.status] ?? EXIT.failed;
  }
  return isLost(error) ? EXIT.retryLater : EXIT.failed;
}

/**
 * Whether no whole answer came. The client throws a `TimeoutError` where none came in time, and `fetch` a TypeError
 * whose cause has the code of a connection's failure. Any other TypeError is a mistake, which no waiting cures.
 */
function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === "TimeoutError") return true;
  const { code } = (error.cause ?? {}) as { code?: unknown };
  return error instanceof TypeError && typeof code === "string" && code !== "ERR_INVALID_URL";
}

/** What went wrong, in lines for people. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof FjordProblem)) {
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
    return error.message + cause;
  }
  const { line, column } = error.details as { line?: number; column?: number };
  const place = line === undefined ? [] : [`  at line ${line}, column ${column}`];
  const flaws = error.flaws.length > 1 ? error.flaws.map(({ pointer, message }) => `  ${pointer}: ${message}`) : [];
  const id = error.requestId === undefined ? "" : `, request ${error.requestId}`;
  return [error.message, ...place, ...flaws, `(${error.code}${id})`].join("\n");
}
