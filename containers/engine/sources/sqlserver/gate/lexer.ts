// T-SQL's words, for the statement gate. It assumes the settings of our sessions: double quotes are identifiers.
//
// Where another reader could take a text otherwise, it is refused; comments are taken out of what is sent, so that no
// two readers can differ on where one ends.

import type { Failure } from "../../../core/failure.ts";
import { type LexicalRules, matchEnd, type Quote, refused, scanStatement } from "../../statement-tokens.ts";

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
/** Words that begin with a dollar sign and are no amounts of money: pseudo-columns and the function of partitions. */
const DOLLAR_WORD = /^\$(IDENTITY|ROWGUID|PARTITION|NODE_ID|EDGE_ID|FROM_ID|TO_ID)$/;

const STRING: Quote = { kind: "string", closedBy: "'", isDoubled: true };

export const SQLSERVER_RULES: LexicalRules = {
  space: /[ \t\r\n]+/y,
  lineComment: /--[^\n]*/y,
  hasNestedComments: true,
  refusedComments: [
    // Whether a lone carriage return ends a comment is for nobody to guess.
    [/^--.*\r(?!$)/s, "A comment of one line holds a carriage return. End lines with a line feed."],
  ],
  quotes: {
    "'": STRING,
    "N'": STRING,
    "n'": STRING,
    '"': { kind: "name", closedBy: '"', isDoubled: true },
    "[": { kind: "name", closedBy: "]", isDoubled: true },
  },
};

/**
 * Cuts a statement into tokens, without space and comments. Throws `statement_refused` for what can't be tokenized
 * safely: anything without its end, numbers that touch a word, characters that stand nowhere outside quotes.
 */
export function tokenize(sql: string): Lexed {
  const tokens: Token[] = [];
  const text = scanStatement(sql, SQLSERVER_RULES, {
    quoted({ kind, closedBy }, inner, at, end) {
      if (inner.includes("\0")) throw refused(sql, sql.indexOf("\0", at), "The statement holds a NUL character.");
      const meant = inner.replaceAll(closedBy + closedBy, closedBy);
      tokens.push({ kind, text: meant, folded: kind === "name" ? foldWord(meant) : "", at, end });
    },
    plain(at) {
      const token = readToken(sql, at);
      tokens.push(token);
      return token.end;
    },
  });
  return { text, tokens };
}

/** One spelling of each word: servers may compare by collations to which case, accents and width are nothing. */
export const foldWord = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase();

const STROKES: Readonly<Record<string, string>> = { Ø: "O", Đ: "D", Ð: "D", Ł: "L", Ħ: "H", Ŧ: "T" };

/**
 * Leaves out of a folded name the characters that some collations give no weight: strokes, unknown signs, and spaces at
 * the end.
 */
export const plainLetters = (folded: string): string =>
  folded.replace(/[ØĐÐŁĦŦ]/g, (letter) => STROKES[letter]!).replace(/[^A-Z0-9_@#$]/g, "");

function readToken(sql: string, at: number): Token {
  const character = sql[at]!;
  if (/^\.?[0-9]/.test(sql.slice(at, at + 2))) return readNumber(sql, at, at);
  if (character === "$" && /^\$[0-9.]/.test(sql.slice(at, at + 2))) return readNumber(sql, at, at + 1);
  const wordEnd = matchEnd(WORD, sql, at);
  if (wordEnd !== undefined) return readWord(sql, sql.slice(at, wordEnd), at);
  if (!SYMBOLS.includes(character)) throw refusedCharacter(sql, at);
  return { kind: "symbol", text: character, folded: character, at, end: at + 1 };
}

function refusedCharacter(sql: string, at: number): Failure {
  const character = String.fromCodePoint(sql.codePointAt(at)!);
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  const shown = /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `${character} (U+${code})` : `U+${code}`;
  return refused(sql, at, `The character ${shown} is not allowed outside quotes.`);
}

/** The server may end a number in the middle of a run of letters (`1eEXEC` is `1e EXEC`), so it may touch none. */
function readNumber(sql: string, at: number, digitsAt: number): Token {
  const end = matchEnd(NUMBER, sql, digitsAt);
  if (end === undefined) throw refusedCharacter(sql, at);
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
