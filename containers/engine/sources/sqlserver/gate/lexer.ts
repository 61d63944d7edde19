// T-SQL's words, for the statement gate. It assumes the settings of our sessions: double quotes are identifiers.
//
// Where another reader could take a text otherwise, it is refused; comments are taken out of what is sent, so that no
// two readers can differ on where one ends.

import type { Failure } from "../../../core/failure.ts";
import { refused } from "../../statement-tokens.ts";

/**
 * `word` is a bare word, `name` a quoted identifier, `string` a string with its quotes, `symbol` any other character.
 * `text` is as the server would understand it, `folded` the same in capitals without accents, `end` behind its last
 * character.
 */
export type Token = {
  kind: "word" | "name" | "string" | "number" | "symbol";
  text: string;
  folded: string;
  at: number;
  end: number;
};

/** `text`: the statement with blanks for its comments, as long as before, so that places and lines stay. */
export type Lexed = { text: string; tokens: Token[] };

const WORD = /[\p{L}\p{M}\p{Nd}_@#$]+/uy;
const WORD_CHARACTER = /[\p{L}\p{M}\p{Nd}_@#$]/u;
/** A sign belongs to an exponent only before its digits: what follows could be the dashes of a comment. */
const NUMBER = /0[xX][0-9a-fA-F]*|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE](?:[+-]?[0-9]+)?)?/y;
const SYMBOLS = "(),.+-*/%&|^~=<>!:;";
/** What begins with a dollar sign and is no amount of money: pseudo-columns and the function of partitions. */
const DOLLAR_WORD = /^\$(IDENTITY|ROWGUID|PARTITION|NODE_ID|EDGE_ID|FROM_ID|TO_ID)$/;

/**
 * Cuts a statement into tokens, without space and comments. Throws `statement_refused` for what can't be tokenized
 * safely: anything without its end, numbers that touch a word, characters that stand nowhere outside quotes.
 */
export function tokenize(sql: string): Lexed {
  const tokens: Token[] = [];
  let text = "";
  let at = 0;
  while (at < sql.length) {
    const end = endOfSpace(sql, at);
    if (end > at) {
      text += sql.slice(at, end).replace(/[^\r\n]/g, " ");
      at = end;
      continue;
    }
    const token = readToken(sql, at);
    tokens.push(token);
    text += sql.slice(at, token.end);
    at = token.end;
  }
  return { text, tokens };
}

/** One spelling of each word: servers may compare by collations to which case, accents and width are nothing. */
export const foldWord = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase();

const STROKES: Readonly<Record<string, string>> = { Ø: "O", Đ: "D", Ð: "D", Ł: "L", Ħ: "H", Ŧ: "T" };

/**
 * What is left of a folded name where the server's collation gives no weight to strokes and to signs that it does not
 * know, as some do, nor any to spaces at the end.
 */
export const plainLetters = (folded: string): string =>
  folded.replace(/[ØĐÐŁĦŦ]/g, (letter) => STROKES[letter]!).replace(/[^A-Z0-9_@#$]/g, "");

/** Behind the space or the comment at this place; the place itself where there is neither. */
function endOfSpace(sql: string, at: number): number {
  const character = sql[at]!;
  if (character === " " || character === "\t" || character === "\r" || character === "\n") return at + 1;
  if (sql.startsWith("--", at)) return endOfLine(sql, at);
  return sql.startsWith("/*", at) ? endOfComment(sql, at) : at;
}

/** Whether a lone carriage return ends a comment is for nobody to guess. */
function endOfLine(sql: string, start: number): number {
  const found = sql.indexOf("\n", start);
  const end = found < 0 ? sql.length : found;
  const returned = sql.indexOf("\r", start);
  if (returned >= 0 && returned < end - 1)
    throw refused(sql, start, "A comment of one line holds a carriage return. End lines with a line feed.");
  return end;
}

/** Comments of this form nest. */
function endOfComment(sql: string, start: number): number {
  let depth = 0;
  for (let at = start; at < sql.length; at++) {
    if (sql.startsWith("/*", at)) {
      depth++;
      at++;
    } else if (sql.startsWith("*/", at)) {
      depth--;
      at++;
      if (depth === 0) return at + 1;
    }
  }
  throw refused(sql, start, "A comment is not closed. Comments of this form nest.");
}

function readToken(sql: string, at: number): Token {
  const character = sql[at]!;
  if (character === "'") return readQuoted(sql, at, "'", "string");
  if (/^[nN]'/.test(sql.slice(at, at + 2))) return { ...readQuoted(sql, at + 1, "'", "string"), at };
  if (character === '"') return readQuoted(sql, at, '"', "name");
  if (character === "[") return readQuoted(sql, at, "]", "name");
  if (/^\.?[0-9]/.test(sql.slice(at, at + 2))) return readNumber(sql, at, at);
  if (character === "$" && /^\$[0-9.]/.test(sql.slice(at, at + 2))) return readNumber(sql, at, at + 1);
  WORD.lastIndex = at;
  const word = WORD.exec(sql)?.[0];
  if (word !== undefined) return readWord(sql, word, at);
  if (!SYMBOLS.includes(character)) throw refusedCharacter(sql, at);
  return { kind: "symbol", text: character, folded: character, at, end: at + 1 };
}

function refusedCharacter(sql: string, at: number): Failure {
  const character = String.fromCodePoint(sql.codePointAt(at)!);
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  const shown = /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `${character} (U+${code})` : `U+${code}`;
  return refused(sql, at, `The character ${shown} is not allowed outside quotes.`);
}

/** `close` is doubled inside, where it stands for itself. */
function readQuoted(sql: string, at: number, close: string, kind: "string" | "name"): Token {
  for (let end = at + 1; end < sql.length; end++) {
    if (sql[end] === "\0") throw refused(sql, end, "The statement holds a NUL character.");
    if (sql[end] !== close) continue;
    if (sql[end + 1] !== close) {
      const text = sql.slice(at + 1, end).replaceAll(close + close, close);
      return { kind, text, folded: kind === "name" ? foldWord(text) : "", at, end: end + 1 };
    }
    end++;
  }
  throw refused(sql, at, kind === "name" ? "A quoted identifier is not closed." : "A string is not closed.");
}

/** The server may end a number in the middle of a run of letters (`1eEXEC` is `1e EXEC`), so it may touch none. */
function readNumber(sql: string, at: number, digitsAt: number): Token {
  NUMBER.lastIndex = digitsAt;
  const number = NUMBER.exec(sql)?.[0];
  if (number === undefined) throw refusedCharacter(sql, at);
  const end = digitsAt + number.length;
  const next = sql.codePointAt(end);
  if (next !== undefined && WORD_CHARACTER.test(String.fromCodePoint(next)))
    throw refused(sql, at, "A number has to end before a space or a sign.");
  return { kind: "number", text: sql.slice(at, end), folded: "", at, end };
}

function readWord(sql: string, text: string, at: number): Token {
  const folded = foldWord(text);
  if (/^\p{Nd}/u.test(text)) throw refusedCharacter(sql, at);
  if (text.startsWith("$") && !DOLLAR_WORD.test(folded))
    throw refused(sql, at, "Dollar signs may not begin a word. Quote the identifier with brackets.");
  return { kind: "word", text, folded, at, end: at + text.length };
}
