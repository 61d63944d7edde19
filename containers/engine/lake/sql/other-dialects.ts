// What other databases' SQL has and this one has not, and what to write instead.

import { tokensOf } from "./sql-text.ts";

export const BACKTICKS = 'Names are quoted by double quotes here, not by backticks: "name".';

/** What of a statement that can't be parsed is another dialect's, and where it stands in `sql`, from 0. */
export function findOtherDialect(sql: string): { message: string; at: number } | undefined {
  const tokens = Array.from(tokensOf(sql), ({ at, end }) => ({ at, text: sql.slice(at, end) }));
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
