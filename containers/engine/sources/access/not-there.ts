// A caller whom data-access roles bind gets equal errors for what is hidden and for what is missing.

import { Failure } from "../../core/failure.ts";

/** There is no saying which of these it is. */
const NOT_THERE = "A table, a column or a function that the statement names does not exist, or is not open to you.";

/** A connector says the same of its server's errors, which are the `cause`. */
export const notThere = (cause?: unknown): Failure => new Failure("sql_error", NOT_THERE, { cause });
