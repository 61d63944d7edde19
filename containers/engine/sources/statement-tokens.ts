// What the statement gates that know words and not grammar do alike with tokens, which each kind of source has a lexer
// of its own for: the languages differ in where a word, a string and a comment end.

import { Failure } from "../core/failure.ts";

/** `at`: where it begins in the statement, in UTF-16 units. */
type StatementToken = { kind: string; text: string; at: number };

/** `at`: in UTF-16 units; the failure's position counts characters, from one. */
export function refused(sql: string, at: number, message: string): Failure {
  return new Failure("statement_refused", message, { position: [...sql.slice(0, at)].length + 1 });
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
      ? "Parameters (?) can't be used here: write the values into the statement."
      : `The statement has ${found.length} parameters and ${parameters} values.`,
  );
}
