// MySQL's words, for the statement gate. It assumes the sql_mode of our sessions: double quotes are strings,
// backslashes escape.

import { refused } from "../../statement-tokens.ts";

/**
 * `word` is a bare word in capitals, `name` a quoted identifier in capitals, `symbol` any other character. Numbers and
 * strings are distinguished only as far as the gate needs.
 */
export type Token = { kind: "word" | "name" | "string" | "number" | "symbol"; text: string; at: number };

const WORD = /[A-Za-z0-9_$\u0080-\u{10ffff}]+/uy;
const HINT_REFUSED = /SET_VAR|RESOURCE_GROUP|['"`]/i;

/**
 * Cuts a statement into tokens, without space and comments. Throws `statement_refused` for what can't be tokenized
 * safely: executable comments, hints that set variables, anything without its end, dollar quotes, NUL.
 */
export function tokenize(sql: string): Token[] {
  const nul = sql.indexOf("\0");
  if (nul >= 0) throw refused(sql, nul, "The statement holds a NUL character.");
  const tokens: Token[] = [];
  let at = 0;
  while (at < sql.length) {
    const character = sql[at]!;
    if (isSpace(character)) at++;
    else if (character === "#" || startsDashComment(sql, at)) at = endOfLine(sql, at);
    else if (sql.startsWith("/*", at)) at = endOfComment(sql, at);
    else if (character === "'" || character === '"') at = pushQuoted(tokens, sql, at, "string");
    else if (character === "`") at = pushQuoted(tokens, sql, at, "name");
    else {
      WORD.lastIndex = at;
      const word = WORD.exec(sql)?.[0];
      if (word === undefined) tokens.push({ kind: "symbol", text: character, at });
      else pushWords(tokens, sql, word, at);
      at += word?.length ?? 1;
    }
  }
  return tokens;
}

const isSpace = (character: string) => character === " " || (character >= "\t" && character <= "\r");

/** Two dashes begin a comment only before space, a control character or the end: `1--1` is a sum. */
const startsDashComment = (sql: string, at: number) =>
  sql.startsWith("--", at) && (at + 2 === sql.length || sql[at + 2]! <= " " || sql[at + 2] === "\x7f");

function endOfLine(sql: string, at: number): number {
  const end = sql.indexOf("\n", at);
  return end < 0 ? sql.length : end;
}

function endOfComment(sql: string, at: number): number {
  if (/^\/\*M?!/i.test(sql.slice(at, at + 4)))
    throw refused(sql, at, "Executable comments (/*! … */) are not allowed.");
  const end = sql.indexOf("*/", at + 2);
  if (end < 0) throw refused(sql, at, "A comment is not closed.");
  if (sql[at + 2] === "+" && HINT_REFUSED.test(sql.slice(at, end))) {
    throw refused(
      sql,
      at,
      "Optimizer hints that set variables or resource groups, and hints with quotes, are not allowed.",
    );
  }
  return end + 2;
}

function pushQuoted(tokens: Token[], sql: string, start: number, kind: "string" | "name"): number {
  const quote = sql[start]!;
  for (let at = start + 1; at < sql.length; at++) {
    const character = sql[at];
    if (character === "\\" && kind === "string") at++;
    else if (character === quote) {
      if (sql[at + 1] !== quote) {
        tokens.push({
          kind,
          text:
            kind === "name"
              ? sql
                  .slice(start + 1, at)
                  .replaceAll("``", "`")
                  .toUpperCase()
              : "",
          at: start,
        });
        return at + 1;
      }
      at++;
    }
  }
  throw refused(sql, start, kind === "name" ? "A quoted identifier is not closed." : "A string is not closed.");
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
