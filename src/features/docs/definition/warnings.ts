// A definition's warnings tell its writer what to look at again, as sentences with a pointer, line and column.

import { REQUEST_LIMITS } from "../../../http/request/limits.ts";
import type { Flaw } from "../../../core/problem.ts";
import type { ReadText } from "./read-text.ts";

/** At most so many are reported; the last one then counts the others. */
export function warningsOf(flaws: readonly Flaw[], locate: ReadText["locate"]): string[] {
  const reported = locate(flaws.slice(0, REQUEST_LIMITS.flawsReportedMax)).map(
    ({ pointer, message, line, column }) =>
      `${pointer}${line === undefined ? "" : ` (line ${line}, column ${column})`}: ${message}`,
  );
  const left = flaws.length - reported.length;
  return left > 0 ? [...reported, `There are ${left} more warnings.`] : reported;
}
