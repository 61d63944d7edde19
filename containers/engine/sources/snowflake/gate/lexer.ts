// Snowflake's words, for the statement gate and for the access check of bound callers.
//
// Where Snowflake's own reading is not documented, or clients read otherwise than the server, a statement is refused.

import { refused } from "../../statement-tokens.ts";

/**
 * `word`: an identifier or keyword without quotes, in capitals as the server folds it. `name`: an identifier in double
 * quotes, exactly. `string`: what a constant stands for, its escapes resolved. `column`: one by its position, `$1`.
 */
export type Token = { kind: "word" | "name" | "string" | "number" | "column" | "symbol"; text: string; at: number };

export type Statement = {
  tokens: Token[];
  /** The text with each comment written over by spaces, so that positions stay what they were. */
  text: string;
};

const CHARACTERS_MAX = 1_000_000;
const TOKENS_MAX = 200_000;

const SPACE = /[ \t\r\n]+/y;
const WORD = /[A-Za-z_][A-Za-z0-9_$]*/y;
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const COLUMN = /\$\d+/y;
const WORD_CHARACTER = /[A-Za-z0-9_$]/;
/** Signs that reading statements are made of; `::` and `=>` come as two. */
const SYMBOLS = "()[]{},.;:+-*/%=<>!|?^";

/** Cuts a statement into tokens, without space and comments. Throws `statement_refused`. */
export function tokenize(sql: string): Statement {
  if (sql.length > CHARACTERS_MAX)
    throw refused(sql, 0, `The statement is longer than ${CHARACTERS_MAX.toLocaleString("en")} characters.`);
  const nul = sql.indexOf("\0");
  if (nul >= 0) throw refused(sql, nul, "The statement holds a NUL character.");
  const tokens: Token[] = [];
  const parts: string[] = [];
  for (let at = 0; at < sql.length; ) {
    const comment = endOfComment(sql, at);
    const end = comment ?? matchAt(SPACE, sql, at) ?? pushToken(tokens, sql, at);
    parts.push(comment === undefined ? sql.slice(at, end) : sql.slice(at, end).replace(/[^\r\n]/g, " "));
    at = end;
    if (tokens.length > TOKENS_MAX)
      throw refused(sql, at, `The statement has more than ${TOKENS_MAX.toLocaleString("en")} words and signs.`);
  }
  return { tokens, text: parts.join("") };
}

/** Where a match that begins at `at` ends. */
function matchAt(pattern: RegExp, sql: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(sql) ? pattern.lastIndex : undefined;
}

/** Undefined where no comment begins. */
function endOfComment(sql: string, start: number): number | undefined {
  if (sql.startsWith("--", start) || sql.startsWith("//", start)) return endOfLine(sql, start);
  if (!sql.startsWith("/*", start)) return undefined;
  const end = sql.indexOf("*/", start + 2);
  if (end < 0) throw refused(sql, start, "A comment is not closed.");
  if (sql.slice(start + 2, end + 1).includes("/*"))
    throw refused(sql, start, "A comment holds the beginning of another: there is no saying where it ends.");
  return end + 2;
}

/** A line ends with a line feed; what others may take for one is refused within a comment. */
function endOfLine(sql: string, start: number): number {
  const feed = sql.indexOf("\n", start);
  const end = feed < 0 ? sql.length : feed;
  if (/\r(?!$)|[\v\f\u0085\u2028\u2029]/.test(sql.slice(start, end)))
    throw refused(sql, start, "A comment holds a line break that not everything takes for one.");
  return end;
}

/** Where the token ends that begins at `at`. */
function pushToken(tokens: Token[], sql: string, at: number): number {
  const character = sql[at]!;
  if (character === "'") return pushString(tokens, sql, at);
  if (character === '"') return pushName(tokens, sql, at);
  if (sql.startsWith("$$", at)) return pushDollarString(tokens, sql, at);
  const end = (kind: Token["kind"], to: number, fold = (text: string) => text) => {
    tokens.push({ kind, text: fold(sql.slice(at, to)), at });
    return to;
  };
  if (character === "$") return end("column", endOfColumn(sql, at));
  const number = matchAt(NUMBER, sql, at);
  if (number !== undefined) return end("number", checkEndOfNumber(sql, at, number));
  const word = matchAt(WORD, sql, at);
  if (word !== undefined) {
    if (sql.slice(at, word).includes("$$")) throw refused(sql, at, "Two dollar signs may not stand within a word.");
    return end("word", word, (text) => text.toUpperCase());
  }
  if (sql.startsWith("->>", at)) throw refused(sql, at, "Statements can't be chained (->>).");
  if (!SYMBOLS.includes(character)) throw refused(sql, at, explainCharacter(character));
  return end("symbol", at + 1);
}

function explainCharacter(character: string): string {
  if (character === "@") return "Stages (@…) can't be read.";
  if (character > "~") return "Letters and signs beyond ASCII need double quotes around the identifier.";
  return `The character ${JSON.stringify(character)} is not allowed outside quotes.`;
}

function endOfColumn(sql: string, at: number): number {
  const end = matchAt(COLUMN, sql, at);
  if (end === undefined || WORD_CHARACTER.test(sql[end] ?? ""))
    throw refused(sql, at, "Session variables ($name) can't be used.");
  return end;
}

function checkEndOfNumber(sql: string, at: number, end: number): number {
  if (WORD_CHARACTER.test(sql[end] ?? ""))
    throw refused(sql, at, "A number and a word need a space between them; a name that begins with a digit, quotes.");
  return end;
}

function pushName(tokens: Token[], sql: string, start: number): number {
  for (let at = sql.indexOf('"', start + 1); at >= 0; at = sql.indexOf('"', at + 2)) {
    if (sql[at + 1] === '"') continue;
    const text = sql.slice(start + 1, at).replaceAll('""', '"');
    if (text === "") throw refused(sql, start, "A quoted identifier is empty.");
    tokens.push({ kind: "name", text, at: start });
    return at + 1;
  }
  throw refused(sql, start, "A quoted identifier is not closed.");
}

function pushDollarString(tokens: Token[], sql: string, start: number): number {
  const end = sql.indexOf("$$", start + 2);
  if (end < 0) throw refused(sql, start, "A string is not closed.");
  // `$$a$$$` is the end of one string and the beginning of something, or a string that ends in a dollar sign.
  if (sql[end + 2] === "$") throw refused(sql, start, "There is no saying where a string in dollar signs ends.");
  tokens.push({ kind: "string", text: sql.slice(start + 2, end), at: start });
  return end + 2;
}

/** A quote within is doubled, or stands after a backslash. */
function pushString(tokens: Token[], sql: string, start: number): number {
  let text = "";
  for (let at = start + 1; at < sql.length; ) {
    const character = sql[at]!;
    if (character === "'" && sql[at + 1] !== "'") {
      tokens.push({ kind: "string", text, at: start });
      return at + 1;
    }
    if (character === "\\") {
      const escape = readEscape(sql, at);
      text += escape.text;
      at = escape.end;
    } else {
      text += character;
      at += character === "'" ? 2 : 1;
    }
  }
  throw refused(sql, start, "A string is not closed.");
}

const CODE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([0-7]{1,3}))/y;
const LETTERS: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", "0": "\0" };

function readEscape(sql: string, at: number): { text: string; end: number } {
  CODE.lastIndex = at;
  const [all, hex, unicode, octal] = CODE.exec(sql) ?? [];
  if (all !== undefined) {
    const code = octal === undefined ? Number.parseInt((hex ?? unicode)!, 16) : Number.parseInt(octal, 8);
    return { text: String.fromCharCode(code), end: at + all.length };
  }
  const letter = sql[at + 1] ?? "";
  return { text: LETTERS[letter] ?? letter, end: at + 2 };
}
