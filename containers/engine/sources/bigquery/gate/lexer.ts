// GoogleSQL's words, for the statement gate: cut where BigQuery's own lexer cuts, and refused where the two could
// differ.

import { refused } from "../../statement-tokens.ts";

/**
 * `word` is a bare word, `name` one in backticks, `symbol` any other character. `text` is as written, of a name without
 * its backticks; of strings and numbers there is nothing to know. `capitals`: of a word.
 */
export type Token = {
  kind: "word" | "name" | "string" | "number" | "symbol";
  text: string;
  capitals: string;
  at: number;
};

/** A raw string ends where one that is not raw would: a backslash keeps the character behind it from ending either. */
const PREFIX = /^(r|b|rb|br)$/i;
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
/** What may follow a dot in a path: also a number, and what begins with one. */
const PART = /[A-Za-z0-9_]+/y;
const NUMBER = /0[xX][0-9A-Fa-f]+|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?/y;
const LINE_BREAK = /[\r\n]/g;
/** Those of Unicode that BigQuery takes for one. */
const SPACE = /[ \n\r\t\b\f\v\u00a0\u2000-\u200a\u202f\u205f\u3000]/;

/**
 * Cuts a statement into tokens, without space and comments. Throws `statement_refused` for anything without its end,
 * and for characters that stand in no reading statement.
 */
export function tokenize(sql: string): Token[] {
  const nul = sql.indexOf("\0");
  if (nul >= 0) throw refused(sql, nul, "The statement holds a NUL character.");
  const tokens: Token[] = [];
  let at = 0;
  while (at < sql.length) {
    const character = sql[at]!;
    if (SPACE.test(character)) at++;
    else if (character === "#" || sql.startsWith("--", at)) at = endOfLine(sql, at);
    else if (sql.startsWith("/*", at)) at = endOfComment(sql, at);
    else if (character === "'" || character === '"') at = pushString(tokens, sql, at);
    else if (character === "`") at = pushName(tokens, sql, at);
    else at = pushPlain(tokens, sql, at);
  }
  return tokens;
}

function endOfLine(sql: string, at: number): number {
  LINE_BREAK.lastIndex = at;
  return LINE_BREAK.exec(sql)?.index ?? sql.length;
}

function endOfComment(sql: string, at: number): number {
  const end = sql.indexOf("*/", at + 2);
  if (end < 0) throw refused(sql, at, "A comment is not closed.");
  return end + 2;
}

function pushString(tokens: Token[], sql: string, start: number): number {
  const quote = sql[start]!;
  const isTriple = sql.startsWith(quote.repeat(3), start);
  const end = endOfQuoted(sql, start, isTriple ? quote.repeat(3) : quote);
  if (end < 0) throw refused(sql, start, "A string is not closed.");
  const before = tokens.at(-1);
  // Its prefix is no word.
  if (before?.kind === "word" && PREFIX.test(before.text) && before.at + before.text.length === start) tokens.pop();
  tokens.push({ kind: "string", text: "", capitals: "", at: start });
  return end;
}

function pushName(tokens: Token[], sql: string, start: number): number {
  const end = endOfQuoted(sql, start, "`");
  if (end < 0) throw refused(sql, start, "A quoted identifier is not closed.");
  const text = sql.slice(start + 1, end - 1);
  // What an escape stands for would have to be reckoned as BigQuery does.
  if (text.includes("\\")) throw refused(sql, start, "A quoted identifier with a backslash is not allowed.");
  tokens.push({ kind: "name", text, capitals: "", at: start });
  return end;
}

/** Behind the closing quotes; -1 where there are none. Only three quotes hold a line break. */
function endOfQuoted(sql: string, start: number, quotes: string): number {
  for (let at = start + quotes.length; at < sql.length; at++) {
    const character = sql[at];
    if (character === "\\") at++;
    else if (sql.startsWith(quotes, at)) return at + quotes.length;
    else if (quotes.length === 1 && (character === "\n" || character === "\r")) return -1;
  }
  return -1;
}

function pushPlain(tokens: Token[], sql: string, at: number): number {
  const isPart = tokens.at(-1)?.text === "." && isPathEnd(tokens.at(-2));
  const text = match(isPart ? PART : WORD, sql, at);
  if (text !== undefined) {
    tokens.push({ kind: "word", text, capitals: text.toUpperCase(), at });
    return at + text.length;
  }
  const number = match(NUMBER, sql, at);
  if (number !== undefined) {
    const end = at + number.length;
    if (match(WORD, sql, end) !== undefined)
      throw refused(sql, end, "A number is followed by letters: put a space between, or the name into backticks.");
    tokens.push({ kind: "number", text: "", capitals: "", at });
    return end;
  }
  const character = String.fromCodePoint(sql.codePointAt(at)!);
  if (!/^[!-~]$/.test(character) || /[\\$@]/.test(character)) throw refused(sql, at, explain(character));
  tokens.push({ kind: "symbol", text: character, capitals: "", at });
  return at + 1;
}

function match(pattern: RegExp, sql: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(sql)?.[0];
}

const isPathEnd = (token: Token | undefined): boolean =>
  token?.kind === "word" || token?.kind === "name" || /^[)\]?]$/.test(token?.text ?? "");

const explain = (character: string): string =>
  character === "@"
    ? "Variables, named parameters and hints (@) are not allowed."
    : /^[!-~]$/.test(character)
      ? `${character} outside quotes is not allowed.`
      : "A character outside quotes that BigQuery's SQL has not: put a name that has it into backticks.";
