// Snowflake's words, for the statement gate and for the access check of bound callers.
//
// Where Snowflake's own reading is not documented, or clients read otherwise than the server, a statement is refused.

import { type LexicalRules, matchEnd, refused, refuseNul, scanStatement } from "../../statement-tokens.ts";

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

const WORD = /[A-Za-z_][A-Za-z0-9_$]*/y;
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const COLUMN = /\$\d+/y;
const WORD_CHARACTER = /[A-Za-z0-9_$]/;
/** Signs that reading statements are made of; `::` and `=>` come as two. */
const SYMBOLS = "()[]{},.;:+-*/%=<>!|?^";

export const SNOWFLAKE_RULES: LexicalRules = {
  space: /[ \t\r\n]+/y,
  lineComment: /(?:--|\/\/)[^\n]*/y,
  refusedComments: [
    [/^\/\*.*\/\*/s, "A comment holds the beginning of another: there is no saying where it ends."],
    // A line ends with a line feed; what others may take for one is refused within a comment.
    [
      /^(?:--|\/\/).*(?:\r(?!$)|[\v\f\u0085\u2028\u2029])/s,
      "A comment holds a line break that not everything takes for one.",
    ],
  ],
  quotes: {
    "'": { kind: "string", closedBy: "'", isDoubled: true, hasEscapes: true },
    '"': { kind: "name", closedBy: '"', isDoubled: true },
    $$: { kind: "string", closedBy: "$$" },
  },
};

/** Cuts a statement into tokens, without space and comments. Throws `statement_refused`. */
export function tokenize(sql: string): Statement {
  if (sql.length > CHARACTERS_MAX)
    throw refused(sql, 0, `The statement is longer than ${CHARACTERS_MAX.toLocaleString("en")} characters.`);
  refuseNul(sql);
  const tokens: Token[] = [];
  const push = (kind: Token["kind"], text: string, at: number) => {
    if (tokens.length === TOKENS_MAX)
      throw refused(sql, at, `The statement has more than ${TOKENS_MAX.toLocaleString("en")} words and signs.`);
    tokens.push({ kind, text, at });
  };
  const text = scanStatement(sql, SNOWFLAKE_RULES, {
    quoted({ kind, closedBy }, inner, at, end) {
      if (kind === "name" && inner === "") throw refused(sql, at, "A quoted identifier is empty.");
      // `$$a$$$` is the end of one string and the beginning of something, or a string that ends in a dollar sign.
      if (closedBy === "$$" && sql[end] === "$")
        throw refused(sql, at, "There is no saying where a string in dollar signs ends.");
      push(kind, kind === "name" ? inner.replaceAll('""', '"') : closedBy === "'" ? readString(inner) : inner, at);
    },
    plain: (at) => {
      const { kind, end } = readPlain(sql, at);
      push(kind, kind === "word" ? sql.slice(at, end).toUpperCase() : sql.slice(at, end), at);
      return end;
    },
  });
  return { tokens, text };
}

/** The token that begins at `at` without quotes. */
function readPlain(sql: string, at: number): { kind: Token["kind"]; end: number } {
  const character = sql[at]!;
  if (character === "$") return { kind: "column", end: endOfColumn(sql, at) };
  const number = matchEnd(NUMBER, sql, at);
  if (number !== undefined) return { kind: "number", end: checkEndOfNumber(sql, at, number) };
  const word = matchEnd(WORD, sql, at);
  if (word !== undefined) {
    if (sql.slice(at, word).includes("$$")) throw refused(sql, at, "Two dollar signs may not stand within a word.");
    return { kind: "word", end: word };
  }
  if (sql.startsWith("->>", at)) throw refused(sql, at, "Statements can't be chained (->>).");
  if (!SYMBOLS.includes(character)) throw refused(sql, at, explainCharacter(character));
  return { kind: "symbol", end: at + 1 };
}

function explainCharacter(character: string): string {
  if (character === "@") return "Stages (@…) can't be read.";
  if (character > "~") return "Letters and signs beyond ASCII need double quotes around the identifier.";
  return `The character ${JSON.stringify(character)} is not allowed outside quotes.`;
}

function endOfColumn(sql: string, at: number): number {
  const end = matchEnd(COLUMN, sql, at);
  if (end === undefined || WORD_CHARACTER.test(sql[end] ?? ""))
    throw refused(sql, at, "Session variables ($name) can't be used.");
  return end;
}

function checkEndOfNumber(sql: string, at: number, end: number): number {
  if (WORD_CHARACTER.test(sql[end] ?? ""))
    throw refused(sql, at, "A number and a word need a space between them; a name that begins with a digit, quotes.");
  return end;
}

const ESCAPE = /\\(?:(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[0-7]{1,3})|([\s\S]))|''/g;
const LETTERS: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** The text of a string literal. A quote within is doubled, or stands after a backslash. */
const readString = (inner: string): string =>
  inner.replace(ESCAPE, (_, code?: string, letter?: string) => {
    if (code === undefined) return letter === undefined ? "'" : (LETTERS[letter] ?? letter);
    const isOctal = /^\d/.test(code);
    return String.fromCharCode(Number.parseInt(isOctal ? code : code.slice(1), isOctal ? 8 : 16));
  });
