// A failure of a job's work, of every kind: in words for people, and whether another try may go better.

import { PlatformRefusal } from "../../program/platform-client.ts";
import { LASTING_REASONS } from "../../../kernel/wire/failures.ts";
import { Failure, isDiskFull, toFailure } from "../core/failure.ts";

const CONFLICT = 409;
const TOO_MANY = 429;

/** Anything thrown by a job's work: DuckDB's own words where a value is at fault. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof Failure || !(error instanceof Error)) return toFailure(error);
  if (/^Out of Memory Error/i.test(error.message))
    return new Failure(
      "busy",
      "The engine's memory did not suffice. Another try may find more once other work has ended; a larger instance " +
        "type has more.",
      { cause: error },
    );
  if (/^(Conversion|Out of Range|Invalid Input) Error: /.test(error.message))
    return new Failure("sql_error", `A value does not fit its column in the lake: ${error.message.split("\n")[0]}`, {
      cause: error,
    });
  return toFailure(error);
}

/** Whether the state that a commit was made from has changed. */
export const isConflict = (error: unknown): boolean =>
  error instanceof Failure && error.cause instanceof PlatformRefusal && error.cause.status === CONFLICT;

/** Whether a later attempt may succeed although nobody changes anything. */
export function isRetryable(error: unknown): boolean {
  const failure = describeFailure(error);
  switch (failure.code) {
    case "connection_failed":
      return !LASTING_REASONS.includes(failure.reason ?? "other");
    case "platform_unavailable":
      return !isRefusal(failure);
    case "source_unavailable":
    case "deadline_exceeded":
    case "queue_full":
    case "busy":
    case "stopping":
    case "disk_full":
    case "cancelled":
    case "process_killed":
    case "internal":
      return true;
    // The engine's other work may have used up the memory or disk; a value that is too large stays so.
    case "resources_exceeded":
      return isOutOfCapacity(failure);
    default:
      return false;
  }
}

function isRefusal({ cause }: Failure): boolean {
  return (
    cause instanceof PlatformRefusal && cause.status < 500 && cause.status !== CONFLICT && cause.status !== TOO_MANY
  );
}

/** How DuckDB says that its memory is used up. */
const OUT_OF_MEMORY = /^(Out of Memory Error|.*std::bad_alloc|.*failed to (allocate|offload|pin))/i;

/** Whether the engine's memory or disk was too little for what was asked of DuckDB. */
export const isOutOfCapacity = (error: unknown): boolean =>
  isDiskFull(error) ||
  (error instanceof Error &&
    ((!(error instanceof Failure) && OUT_OF_MEMORY.test(error.message)) || isOutOfCapacity(error.cause)));
