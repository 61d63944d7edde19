// Redshift's errors where their words differ from PostgreSQL's.

import { Failure } from "../../core/failure.ts";
import { ServerError, statementFailure } from "../postgres/connection/errors.ts";

const CANCELED = "57014";

/**
 * The failure of a statement that was sent. Redshift ends a statement at its time limit in the words of a cancellation;
 * a cancellation that the engine asked for has been reported already.
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
