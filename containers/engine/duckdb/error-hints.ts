// A hint says what to write instead of what DuckDB has refused. DuckDB gives its errors no codes: they are known by
// their words, and where the words are others there is no hint.

import { replacementHint } from "./foreign-functions.ts";
import { foldName } from "./names.ts";
import { quoteLiteral } from "./quoting.ts";

const UNITS = new Set(
  ["millennium", "century", "decade", "year", "quarter", "month", "week", "day", "hour", "minute", "second"].concat([
    "isoyear",
    "dayofweek",
    "dayofyear",
    "millisecond",
    "microsecond",
    "epoch",
  ]),
);

/** A hint that stands behind DuckDB's words, or nothing. `first`: the character of the statement that they point at. */
export function hintOf(words: string, first: string | undefined): string {
  const hint = HINTS.map((find) => find(words, first)).find((one) => one !== undefined);
  return hint === undefined ? "" : `\n${hint}`;
}

const HINTS: readonly ((words: string, first: string | undefined) => string | undefined)[] = [
  hintOfColumn,
  hintOfArguments,
  (words) =>
    words.startsWith("Binder Error: WHERE clause cannot contain aggregates")
      ? "Put the condition on groups into HAVING, after GROUP BY."
      : undefined,
  (words) =>
    words.startsWith("Binder Error: WHERE clause cannot contain window functions")
      ? "Put the condition on a window function into QUALIFY, after WHERE and GROUP BY."
      : undefined,
];

/** A name that is no column may be meant as text, which DuckDB reads in single quotes alone, or as a unit of time. */
function hintOfColumn(words: string, first: string | undefined): string | undefined {
  const [, name] = /^Binder Error: Referenced column "(.{1,200}?)" (?:was )?not found/s.exec(words) ?? [];
  if (name === undefined) return undefined;
  if (first === '"') return `If "${name}" is meant as text, write it in single quotes: ${quoteLiteral(name)}.`;
  const unit = foldName(name);
  return UNITS.has(unit)
    ? `If ${name} is meant as a unit of time, write it first, and as text: date_trunc('${unit}', d), date_part('${unit}', d).`
    : undefined;
}

const LIKE_OPERATORS = new Set(["~~", "~~*", "!~~", "!~~*", "like_escape", "ilike_escape"]);
const TEXT_TYPES = new Set(["VARCHAR", "STRING_LITERAL"]);

/** Arguments of the wrong types: by the function's other spelling here, or by casting what has to be cast. */
function hintOfArguments(words: string): string | undefined {
  const [, name = "", types = ""] =
    /^Binder Error: No function matches the given name and argument types '([^(']{1,60})\(([^']{0,500})\)'/.exec(
      words,
    ) ?? [];
  if (name === "") return undefined;
  if (LIKE_OPERATORS.has(name))
    return "LIKE and ILIKE compare texts: write CAST(a AS VARCHAR) for a value that is none.";
  const replacement = replacementHint(foldName(name)).trim();
  if (replacement !== "") return replacement;
  const [candidates = ""] = words.split("Candidate functions:").slice(1);
  const takesText = /\((?:VARCHAR|ANY)/.test(candidates);
  return TEXT_TYPES.has(types.split(",")[0]!) && candidates !== "" && !takesText
    ? "A text becomes a number by CAST(t AS DECIMAL(18, 2)), or by TRY_CAST where it may be none."
    : undefined;
}
