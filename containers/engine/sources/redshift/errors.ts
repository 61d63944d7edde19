// What Redshift says when something goes wrong, where it says it otherwise than PostgreSQL.

import { Failure } from "../../core/failure.ts";
import { ServerError, statementFailure } from "../postgres/connection/errors.ts";

const CANCELED = "57014";

/**
 * Of a statement that was sent. Redshift ends a statement at its time limit in the words of a cancellation, and whoever
 * asked for one here has reported it already.
 */
export function redshiftFailure(error: unknown, expired: boolean): unknown {
  if (!(error instanceof ServerError) || error.code !== CANCELED || expired) return statementFailure(error, expired);
  return new Failure(
    "deadline_exceeded",
    `The database ended the statement: ${error.message}. Its statement_timeout, a rule of its workload management or ` +
      "an administrator did.",
    { cause: error },
  );
}
