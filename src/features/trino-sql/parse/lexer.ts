// A statement's text as Trino divides it into words.

import { Refusal, unsupported } from "../refusal.ts";

/**
 * `text` of a name is as written, without its quotes; of a word as written, with `upper` to compare by; of a binary the
 * digits alone.
 */
export type Token =
  | { kind: "word"; text: string; upper: string; at: number; end: number }
  | { kind: "name"; text: string; at: number; end: number }
  | { kind: "string" | "number" | "sign" | "binary"; text: string; at: number; end: number }
  | { kind: "end"; text: ""; at: number; end: number };

const SIGNS = ["<>", "!=", "<=", ">=", "||", "->", "=>"];
const SPACE = /\s/;
/** Either ends a comment that begins with `--`. */
const LINE_END = /[\r\n]/;
const WORD = /[A-Za-z_][A-Za-z0-9_@:]*/y;
const NUMBER = /(?:\d[\d_]*)?\.?\d*(?:[eE][+-]?\d+)?/y;

export function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    at = afterSpace(sql, at);
    if (at >= sql.length) break;
    const token = tokenAt(sql, at);
    tokens.push(token);
    at = token.end;
  }
  tokens.push({ kind: "end", text: "", at: sql.length, end: sql.length });
  return tokens;
}

/** Past blanks and comments. */
function afterSpace(sql: string, from: number): number {
  let at = from;
  for (;;) {
    while (at < sql.length && SPACE.test(sql[at]!)) at++;
    if (sql.startsWith("--", at)) {
      while (at < sql.length && !LINE_END.test(sql[at]!)) at++;
    } else if (sql.startsWith("/*", at)) {
      const end = sql.indexOf("*/", at + 2);
      if (end < 0) throw new Refusal("SYNTAX_ERROR", "A comment does not end.", at);
      at = end + 2;
    } else return at;
  }
}

function tokenAt(sql: string, at: number): Token {
  const first = sql[at]!;
  if (first === "'" || first === '"') {
    const { text, end } = quoted(sql, at, first);
    return { kind: first === "'" ? "string" : "name", text, at, end };
  }
  if (/^[xX]'/.test(sql.slice(at, at + 2))) return binaryAt(sql, at);
  if (/^[uU]&'/.test(sql.slice(at, at + 3))) return unicodeAt(sql, at);
  WORD.lastIndex = at;
  const word = WORD.exec(sql)?.[0];
  if (word) return { kind: "word", text: word, upper: word.toUpperCase(), at, end: at + word.length };
  if (/\d/.test(first) || (first === "." && /\d/.test(sql[at + 1] ?? ""))) {
    NUMBER.lastIndex = at;
    const text = NUMBER.exec(sql)![0];
    const next = sql[at + text.length] ?? "";
    if (/[A-Za-z_]/.test(next)) throw new Refusal("SYNTAX_ERROR", "A name does not begin with a digit.", at);
    return { kind: "number", text: text.replaceAll("_", ""), at, end: at + text.length };
  }
  const sign = SIGNS.find((each) => sql.startsWith(each, at)) ?? first;
  if (!/^[<>=!|+\-*/%(),.;?[\]]+$/.test(sign)) throw new Refusal("SYNTAX_ERROR", `mismatched input '${sign}'`, at);
  return { kind: "sign", text: sign, at, end: at + sign.length };
}

/** `X'65 68'`. */
function binaryAt(sql: string, at: number): Token {
  const { text, end } = quoted(sql, at + 1, "'");
  const digits = text.replaceAll(/[ \t\r\n]/g, "");
  if (!/^([0-9A-Fa-f]{2})*$/.test(digits))
    throw new Refusal("INVALID_LITERAL", "A binary literal has an even number of hexadecimal digits.", at);
  return { kind: "binary", text: digits, at, end };
}

/** `U&'caf\00e9'`, whose characters may be written by their numbers. */
function unicodeAt(sql: string, at: number): Token {
  const { text, end } = quoted(sql, at + "U&".length, "'");
  const written = text.replaceAll(ESCAPED, (_, four?: string, six?: string) => {
    const code = four ?? six;
    return code === undefined ? "\\" : characterOf(Number.parseInt(code, 16), at);
  });
  if (/\\/.test(text.replaceAll(ESCAPED, ""))) throw new Refusal("INVALID_LITERAL", "Invalid escaped character", at);
  return { kind: "string", text: written, at, end };
}

const ESCAPED = /\\(?:([0-9A-Fa-f]{4})|\+([0-9A-Fa-f]{6})|\\)/g;

function characterOf(code: number, at: number): string {
  const isHalf = code >= 0xd800 && code <= 0xdfff;
  if (code === 0 || isHalf || code > 0x10ffff) throw new Refusal("INVALID_LITERAL", "Invalid escaped character", at);
  return String.fromCodePoint(code);
}

function quoted(sql: string, from: number, quote: string): { text: string; end: number } {
  let text = "";
  let at = from + 1;
  for (;;) {
    const end = sql.indexOf(quote, at);
    if (end < 0) throw new Refusal("SYNTAX_ERROR", "A quote does not end.", from);
    const piece = sql.slice(at, end);
    text += piece;
    // DuckDB's parser ends a statement there.
    if (piece.includes("\0")) throw unsupported("A zero character within a text or a name", from);
    if (sql[end + 1] !== quote) return { text, end: end + 1 };
    text += quote;
    at = end + 2;
  }
}
