// The failures of a table's sync, in words that say what to do about them, and those that end the whole run.

import { diskFull, Failure, isDiskFull } from "../../core/failure.ts";
import { PlatformRefusal } from "../../../program/platform-client.ts";
import { LASTING_REASONS } from "../../../../kernel/wire/failures.ts";
import { describeFailure, isOutOfCapacity } from "../failures.ts";

const SET_RIGHT = "Set the credentials of the integration, or the database, right; no run before that can go better.";
const MAKE_ANEW = "Run the sync in full, which makes the table anew, or leave the value out by a view.";

/** Anything thrown by a table's sync, with what its owner can do. */
export function describeSyncFailure(error: unknown): Failure {
  const failure = describeFailure(error);
  const { code, message, reason } = failure;
  if (reason && LASTING_REASONS.includes(reason))
    return new Failure(code, `${message.replace(/\.?$/, ".")} ${SET_RIGHT}`, { reason, cause: error });
  // A Failure already says what to do.
  if (code === "sql_error" && failure !== error) return new Failure(code, `${message} ${MAKE_ANEW}`, { cause: error });
  return failure;
}

/** What a spill meets on a full disk: DuckDB's bound is by default what the disk had free. */
const SPILLED = /max_temp_directory_size/;

/** Whether another try may go better once the disk has space again. */
export const isOutOfDisk = (error: unknown): boolean =>
  isDiskFull(error) || (error instanceof Error && SPILLED.test(error.message));

/** A failure in words for people, where a user can do something about an error of DuckDB's or of the disk. */
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

/** Whether the other tables would fail as well: the source or the platform is gone. */
export function endsTheRun(error: unknown): boolean {
  const failure = describeFailure(error);
  return (
    failure.code === "connection_failed" ||
    failure.code === "source_unavailable" ||
    failure.code === "cancelled" ||
    (failure.code === "platform_unavailable" && !(failure.cause instanceof PlatformRefusal))
  );
}
