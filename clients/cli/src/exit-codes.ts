// A command's exit code says what cures its failure. docs/questions/clients.md lists the codes.

import { CommanderError } from "commander";
import { FjordProblem } from "../../typescript/src/client.ts";

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

export function exitCodeOf(error: unknown, isInterrupted: boolean): number {
  if (isInterrupted) return EXIT.interrupted;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof NotSignedInError) return EXIT.notAllowed;
  if (error instanceof ConflictError) return EXIT.conflict;
  if (error instanceof FjordProblem) {
    if (error.retryable || error.code === "write_outcome_unknown") return EXIT.retryLater;
    return STATUS_CODES[error.status] ?? EXIT.failed;
  }
  // `fetch` throws a TypeError where no answer came, and the client a TimeoutError where none came in time.
  const isLost = error instanceof TypeError || (error instanceof Error && error.name === "TimeoutError");
  return isLost ? EXIT.retryLater : EXIT.failed;
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
