// Syntax of other databases' SQL that this one lacks, and what to write instead.

import { tokensOf } from "./sql-text.ts";

export const BACKTICKS = 'Names are quoted by double quotes here, not by backticks: "name".';

/** The first syntax of another dialect in a statement that can't be parsed, and its offset in `sql`, from 0. */
export function findOtherDialect(sql: string): { message: string; at: number } | undefined {
  const tokens = [...tokensOf(sql)];
  for (const [i, { at, text }] of tokens.entries()) {
    if (text === "`") return { message: BACKTICKS, at };
    const [skipped, comma, taken] = tokens.slice(i + 1, i + 4).map((token) => token.text);
    if (/^limit$/i.test(text) && comma === "," && taken !== undefined)
      return { message: `LIMIT takes one number here: write LIMIT ${taken} OFFSET ${skipped}.`, at };
    if (i === 0 && text === "(" && /^(?:analyze|analyse|format|verbose|costs|buffers)$/i.test(skipped ?? ""))
      return { message: "EXPLAIN takes no options in parentheses here: write EXPLAIN or EXPLAIN ANALYZE.", at };
  }
  return undefined;
}
