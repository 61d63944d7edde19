// DuckDB's errors as ours: which code, which words, and where in the caller's text.

import { diskFull, Failure, isDiskFull } from "../core/failure.ts";
import { hintOf } from "./error-hints.ts";

const TOO_LARGE = "The statement needed more memory or temporary disk than one statement may have.";

/**
 * `linesBefore`: the number of our own lines before the caller's `sql` in the text that DuckDB ran. Messages keep
 * DuckDB's words without its excerpt of the statement, from which `position` is computed.
 */
export function fromDuckdb(error: unknown, sql: string, linesBefore: number, offset = 0): Failure {
  if (error instanceof Failure) return error;
  if (isDiskFull(error)) return diskFull(error);
  const message = error instanceof Error ? error.message : String(error);
  if (/^(Out of Memory Error|.*std::bad_alloc|.*failed to allocate)/i.test(message))
    return new Failure("resources_exceeded", TOO_LARGE, { cause: error });
  if (message.startsWith("INTERRUPT Error"))
    return new Failure("cancelled", "The statement was cancelled.", { cause: error });
  if (/^(INTERNAL|FATAL) Error/.test(message))
    return new Failure("internal", "DuckDB met an internal error in this statement.", { cause: error });
  if (!/^[\w -]+ Error: /.test(message))
    return new Failure("internal", "The engine met an internal error.", { cause: error });
  const excerpt = /\n\s*LINE (\d+): (.*)\n( *)\^/.exec(message);
  const said = (excerpt ? message.slice(0, excerpt.index) : message).trim();
  const position = excerpt
    ? positionOf(sql, Number(excerpt[1]) - linesBefore, excerpt[2]!, excerpt[3]!.length - `LINE ${excerpt[1]}: `.length)
    : undefined;
  const first = position === undefined ? undefined : sql[position - 1];
  return new Failure("sql_error", said + hintOf(said, first), {
    position: position === undefined ? undefined : position + offset,
    cause: error,
  });
}

/**
 * 1-based position in `sql` of column `column` of an excerpt of its line `line`; undefined where the excerpt was cut
 * and is not to be found again.
 */
function positionOf(sql: string, line: number, excerpt: string, column: number): number | undefined {
  const lines = sql.split("\n");
  const text = lines[line - 1];
  if (text === undefined) return undefined;
  const before = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
  const dots = excerpt.startsWith("...") ? 3 : 0;
  const shown = excerpt.slice(dots).replace(/\.\.\.$/, "");
  const start = text.indexOf(shown);
  if (start < 0 || text.indexOf(shown, start + 1) >= 0) return undefined;
  const at = before + start + column - dots + 1;
  return at > before && at <= before + text.length + 1 ? at : undefined;
}
