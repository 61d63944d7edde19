// MySQL's words, for the statement gate. It assumes the sql_mode of our sessions: double quotes are strings,
// backslashes escape.

import { type LexicalRules, matchEnd, refused, refuseNul, scanStatement } from "../../statement-tokens.ts";

/**
 * `word` is a bare word in capitals, `name` a quoted identifier in capitals, `symbol` any other character. Numbers and
 * strings are distinguished only as far as the gate needs.
 */
export type Token = { kind: "word" | "name" | "string" | "number" | "symbol"; text: string; at: number };

const WORD = /[A-Za-z0-9_$\u0080-\u{10ffff}]+/uy;

export const MYSQL_RULES: LexicalRules = {
  space: /[ \t-\r]+/y,
  // Two dashes begin a comment only before space, a control character or the end: `1--1` is a sum.
  lineComment: /(?:#|--(?=[\0- \x7f]|$))[^\n]*/y,
  refusedComments: [
    [/^\/\*M?!/i, "Executable comments (/*! … */) are not allowed."],
    [
      /^\/\*\+.*(?:SET_VAR|RESOURCE_GROUP|['"`])/is,
      "Optimizer hints that set variables or resource groups, and hints with quotes, are not allowed.",
    ],
  ],
  quotes: {
    "'": { kind: "string", closedBy: "'", isDoubled: true, hasEscapes: true },
    '"': { kind: "string", closedBy: '"', isDoubled: true, hasEscapes: true },
    "`": { kind: "name", closedBy: "`", isDoubled: true },
  },
};

/**
 * Cuts a statement into tokens, without space and comments. Throws `statement_refused` for what can't be tokenized
 * safely: executable comments, hints that set variables, anything without its end, dollar quotes, NUL.
 */
export function tokenize(sql: string): Token[] {
  refuseNul(sql);
  const tokens: Token[] = [];
  scanStatement(sql, MYSQL_RULES, {
    quoted: ({ kind }, inner, at) =>
      void tokens.push({ kind, text: kind === "name" ? inner.replaceAll("``", "`").toUpperCase() : "", at }),
    plain(at) {
      const end = matchEnd(WORD, sql, at);
      if (end === undefined) tokens.push({ kind: "symbol", text: sql[at]!, at });
      else pushWords(tokens, sql, sql.slice(at, end), at);
      return end ?? at + 1;
    },
  });
  return tokens;
}

/**
 * A run of letters and digits. The server ends some numbers in the middle of one (`1e5into` is `1e5 INTO`), so a run
 * that begins with a digit also counts as every run of letters inside it.
 */
function pushWords(tokens: Token[], sql: string, run: string, at: number): void {
  const isNumber = run[0]! >= "0" && run[0]! <= "9";
  if (run[0] === "$" || (isNumber && run.includes("$")))
    throw refused(sql, at, "Dollar signs may not begin a word. Quote the identifier with backticks.");
  if (!isNumber) return void tokens.push({ kind: "word", text: run.toUpperCase(), at });
  tokens.push({ kind: "number", text: run, at });
  for (const part of run.matchAll(/[^0-9]{2,}/g))
    tokens.push({ kind: "word", text: part[0].toUpperCase(), at: at + part.index });
}
