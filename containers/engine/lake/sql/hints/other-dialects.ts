// Syntax of other databases' SQL that this one lacks, and what to write instead.

import { quoteIdentifier } from "../../../duckdb/quoting.ts";
import type { LakeText, SqlToken } from "../sql-text.ts";

export const BACKTICKS = "Names are quoted by double quotes here, not by backticks";

type Finding = { message: string; at: number };

/** The first syntax of another dialect in a statement that can't be parsed, and its offset in the text, from 0. */
export function findOtherDialect({ sql, tokens }: LakeText): Finding | undefined {
  for (const [i, { at, text }] of tokens.entries()) {
    if (text === "`") return { message: `${BACKTICKS}: ${quotedName(sql.slice(at + 1).split("`")[0]!)}.`, at };
    const [second, third, fourth] = tokens.slice(i + 1, i + 4).map((token) => token.text);
    if (/^limit$/i.test(text) && third === "," && fourth !== undefined)
      return { message: `LIMIT takes one number here: write LIMIT ${fourth} OFFSET ${second}.`, at };
    if (/^top$/i.test(text) && /^\d+$/.test(second === "(" ? third! : second!))
      return { message: `There is no TOP here: write LIMIT ${second === "(" ? third : second} at the end.`, at };
    if (/^safe_cast$/i.test(text) && second === "(")
      return { message: "There is no SAFE_CAST here: write TRY_CAST( with the same arguments.", at };
    if (/^(?:from|join|into|update)$/i.test(text) && second === "[") return bracketsIn(tokens);
    if (i === 0 && text === "(" && /^(?:analyze|analyse|format|verbose|costs|buffers)$/i.test(second ?? ""))
      return { message: "EXPLAIN takes no options in parentheses here: write EXPLAIN or EXPLAIN ANALYZE.", at };
  }
  return undefined;
}

/** The name in the first brackets of a statement that quotes names by them. */
function bracketsIn(tokens: readonly SqlToken[]): Finding {
  const first = tokens.findIndex(({ text }) => text === "[");
  const name = tokens[first + 1]?.text ?? "name";
  return {
    message: `Names are quoted by double quotes here, not by brackets: ${quotedName(name)}.`,
    at: tokens[first]!.at,
  };
}

const NAME_CHARACTERS_MAX = 100;

const quotedName = (name: string): string => quoteIdentifier(name.slice(0, NAME_CHARACTERS_MAX));
