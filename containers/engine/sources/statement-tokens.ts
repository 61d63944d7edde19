// Steps with tokens that the statement gates without a grammar share. The languages differ in where a word, a string
// and a comment end: each kind of source has rules of its own for strings and comments, and reads its words itself.

import { Failure } from "../core/failure.ts";

/** `at`: where it begins in the statement, in UTF-16 units. */
type StatementToken = { kind: string; text: string; at: number };

/** `at`: in UTF-16 units; the failure's position counts characters, from one. */
export function refused(sql: string, at: number, message: string): Failure {
  return new Failure("statement_refused", message, { position: [...sql.slice(0, at)].length + 1 });
}

/** How one opening quote is read to its closing one. */
export type Quote = {
  kind: "string" | "name";
  closedBy: string;
  /** A closing quote that is doubled stands for itself. */
  isDoubled?: boolean;
  /** A backslash keeps the character behind it from closing the quotation. */
  hasEscapes?: boolean;
  isOneLine?: boolean;
};

/** Where space, comments and quotations of a dialect begin and end. Patterns without `^` are sticky. */
export type LexicalRules = {
  space: RegExp;
  /** How a comment of one line begins, with all that it holds. */
  lineComment: RegExp;
  hasNestedComments?: boolean;
  /** Comments that nobody may write, as patterns of the whole comment, with what is said of them. */
  refusedComments: readonly (readonly [pattern: RegExp, message: string])[];
  /** By opening quote; one that another begins with comes after that. */
  quotes: Readonly<Record<string, Quote>>;
};

/** `quoted` takes what stands within quotes. `plain` reads any other token and returns where it ends. */
type Reader = { quoted(quote: Quote, inner: string, at: number, end: number): void; plain(at: number): number };

/**
 * Cuts a statement into tokens, space and comments. Returns its text with spaces for its comments, as long as before.
 * Throws `statement_refused` where a comment or a quotation has no end, or the rules refuse a comment.
 */
export function scanStatement(sql: string, rules: LexicalRules, reader: Reader): string {
  const quotes = Object.entries(rules.quotes);
  let text = "";
  for (let at = 0; at < sql.length; ) {
    const comment = endOfComment(sql, at, rules);
    let end = comment ?? matchEnd(rules.space, sql, at);
    const quote = end === undefined ? quotes.find(([opening]) => sql.startsWith(opening, at)) : undefined;
    if (quote) {
      const [opening, rule] = quote;
      end = endOfQuoted(sql, at, at + opening.length, rule);
      reader.quoted(rule, sql.slice(at + opening.length, end - rule.closedBy.length), at, end);
    }
    end ??= reader.plain(at);
    text += comment === undefined ? sql.slice(at, end) : sql.slice(at, end).replace(/[^\r\n]/g, " ");
    at = end;
  }
  return text;
}

/** Where the match ends that begins at `at`. */
export function matchEnd(sticky: RegExp, sql: string, at: number): number | undefined {
  sticky.lastIndex = at;
  return sticky.test(sql) ? sticky.lastIndex : undefined;
}

export function refuseNul(sql: string): void {
  const nul = sql.indexOf("\0");
  if (nul >= 0) throw refused(sql, nul, "The statement holds a NUL character.");
}

const COMMENT_SIGN = /\/\*|\*\//g;

/** Undefined where no comment begins. */
function endOfComment(sql: string, start: number, rules: LexicalRules): number | undefined {
  const isBlock = sql.startsWith("/*", start);
  const end = isBlock ? endOfBlock(sql, start, rules) : matchEnd(rules.lineComment, sql, start);
  if (end === undefined) return undefined;
  const comment = sql.slice(start, end);
  const found = rules.refusedComments.find(([pattern]) => pattern.test(comment));
  if (found) throw refused(sql, start, found[1]);
  return end;
}

function endOfBlock(sql: string, start: number, { hasNestedComments }: LexicalRules): number {
  if (!hasNestedComments) {
    const end = sql.indexOf("*/", start + 2);
    if (end < 0) throw refused(sql, start, "A comment is not closed.");
    return end + 2;
  }
  COMMENT_SIGN.lastIndex = start;
  let depth = 0;
  for (let sign = COMMENT_SIGN.exec(sql); sign; sign = COMMENT_SIGN.exec(sql)) {
    depth += sign[0] === "/*" ? 1 : -1;
    if (depth === 0) return COMMENT_SIGN.lastIndex;
  }
  throw refused(sql, start, "A comment is not closed. Comments of this form nest.");
}

function endOfQuoted(sql: string, start: number, from: number, quote: Quote): number {
  const { kind, closedBy, isDoubled, hasEscapes, isOneLine } = quote;
  for (let at = from; at < sql.length; at++) {
    const character = sql[at];
    if (hasEscapes && character === "\\") at++;
    else if (sql.startsWith(closedBy, at)) {
      const end = at + closedBy.length;
      if (!isDoubled || !sql.startsWith(closedBy, end)) return end;
      at = end + closedBy.length - 1;
    } else if (isOneLine && (character === "\n" || character === "\r")) break;
  }
  throw refused(sql, start, kind === "name" ? "A quoted identifier is not closed." : "A string is not closed.");
}

export const isSymbol = (token: StatementToken | undefined, text: string): boolean =>
  token?.kind === "symbol" && token.text === text;

/**
 * The tokens before the first semicolon, and where that stands; undefined where there is none. Throws
 * `statement_refused` where anything but further semicolons follows, and where nothing is left.
 */
export function onlyStatement<Token extends StatementToken>(
  sql: string,
  all: readonly Token[],
): { tokens: readonly Token[]; end: number | undefined } {
  const semicolon = all.findIndex((token) => isSymbol(token, ";"));
  const tokens = semicolon < 0 ? all : all.slice(0, semicolon);
  const rest = semicolon < 0 ? [] : all.slice(semicolon);
  const second = rest.find((token) => !isSymbol(token, ";"));
  if (second) throw refused(sql, second.at, "Only one statement can be run at a time.");
  if (tokens.length === 0) throw refused(sql, 0, "The statement is empty.");
  return { tokens, end: rest[0]?.at };
}

/** `parameters`: how many values are bound to the statement, a `?` for each. */
export function checkParameters(sql: string, tokens: readonly StatementToken[], parameters: number): void {
  const found = tokens.filter((token) => isSymbol(token, "?"));
  if (found.length === parameters) return;
  throw refused(
    sql,
    found[0]?.at ?? 0,
    parameters === 0
      ? "A parameter has a name ($name), by which its value is sent in parameters."
      : `The statement has ${found.length} parameters and ${parameters} values.`,
  );
}
