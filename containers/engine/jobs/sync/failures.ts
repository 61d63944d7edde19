// What may be tried again, and what ends the whole run and not just its table.

import { diskFull, Failure, isDiskFull, toFailure } from "../../core/failure.ts";
import { PlatformRefusal } from "../../../program/platform-client.ts";
import { LASTING_REASONS } from "../../contract/protocol.ts";

const CONFLICT = 409;
const TOO_MANY = 429;

const SET_RIGHT = "Set the credentials of the integration, or the database, right; no run before that can go better.";

/** Anything thrown by a table's sync, in words for people: DuckDB's own where a value is at fault. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof Failure && error.reason && LASTING_REASONS.includes(error.reason)) {
    return new Failure(error.code, `${error.message.replace(/\.?$/, ".")} ${SET_RIGHT}`, {
      reason: error.reason,
      cause: error,
    });
  }
  if (error instanceof Failure || !(error instanceof Error)) return toFailure(error);
  if (/^Out of Memory Error/i.test(error.message))
    return new Failure(
      "busy",
      "The engine's memory did not suffice. Another try may find more once other work has ended; a larger instance " +
        "type has more.",
      { cause: error },
    );
  if (/^(Conversion|Out of Range|Invalid Input) Error: /.test(error.message)) {
    return new Failure(
      "sql_error",
      `A value does not fit its column in the lake: ${error.message.split("\n")[0]} Run the sync in full, which ` +
        "makes the table anew, or leave the value out by a view.",
      { cause: error },
    );
  }
  return toFailure(error);
}

/** What a commit was made from is not so any more. */
export const isConflict = (error: unknown): boolean =>
  error instanceof Failure && error.cause instanceof PlatformRefusal && error.cause.status === CONFLICT;

const isRefusal = (failure: Failure): boolean => {
  const { cause } = failure;
  return (
    cause instanceof PlatformRefusal && cause.status < 500 && cause.status !== CONFLICT && cause.status !== TOO_MANY
  );
};

/** How DuckDB says that its memory is used up. */
const OUT_OF_MEMORY = /^(Out of Memory Error|.*std::bad_alloc|.*failed to (allocate|offload|pin))/i;

/** What a spill meets on a full disk: DuckDB's bound is by default what the disk had free. */
const SPILLED = /max_temp_directory_size/;

/** Whether another try may go better once the disk has space again. */
export const isOutOfDisk = (error: unknown): boolean =>
  isDiskFull(error) || (error instanceof Error && SPILLED.test(error.message));

/** Whether the engine's memory or disk was too little for what was asked of DuckDB. */
export const isOutOfCapacity = (error: unknown): boolean =>
  isDiskFull(error) ||
  (error instanceof Error &&
    ((!(error instanceof Failure) && OUT_OF_MEMORY.test(error.message)) || isOutOfCapacity(error.cause)));

/** In words for people, where an error of DuckDB's or of the disk is one that a user can do something about. */
export function toSyncFailure(error: unknown): unknown {
  if (error instanceof Failure || !isOutOfCapacity(error)) return error;
  if (isDiskFull(error)) return diskFull(error);
  return new Failure(
    "resources_exceeded",
    "The engine's memory or disk did not do for this table beside what else it works on. It is tried again; should " +
      "that fail too, sync fewer tables at once, or give the engine a larger disk.",
    { cause: error },
  );
}

/** Whether a later attempt may go better although nobody does anything. */
export function isRetryable(error: unknown): boolean {
  const failure = describeFailure(error);
  switch (failure.code) {
    case "connection_failed":
      return !LASTING_REASONS.includes(failure.reason ?? "other");
    case "platform_unavailable":
      return !isRefusal(failure);
    case "deadline_exceeded":
    case "busy":
    case "cancelled":
    case "internal":
      return true;
    // What else the engine works on may have left nothing; a value that is too large stays so.
    case "resources_exceeded":
      return isOutOfCapacity(failure);
    default:
      return false;
  }
}

/** Whether the other tables would meet the same: the source or the platform is gone. */
export function endsTheRun(error: unknown): boolean {
  const failure = describeFailure(error);
  return (
    failure.code === "connection_failed" ||
    failure.code === "cancelled" ||
    (failure.code === "platform_unavailable" && !(failure.cause instanceof PlatformRefusal))
  );
}
