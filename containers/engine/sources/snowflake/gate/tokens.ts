// Questions about tokens of a statement to Snowflake.

import { isSymbol } from "../../statement-tokens.ts";
import type { Token } from "./lexer.ts";

/** Without quotes, of these keywords. */
export const isWord = (token: Token | undefined, ...texts: readonly string[]): boolean =>
  token?.kind === "word" && texts.includes(token.text);

/** A word or a name in quotes. */
export const isIdentifier = (token: Token | undefined): boolean => token?.kind === "word" || token?.kind === "name";

/** The index of the parenthesis that closes the one at `open`; behind the last token where it is not closed. */
export function closingParenthesis(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if (isSymbol(tokens[i], "(")) depth++;
    else if (isSymbol(tokens[i], ")") && --depth === 0) return i;
  }
  return tokens.length;
}

/** Names that are joined by dots, `a.b.c`, as the indexes of their identifiers. */
export function namesIn(tokens: readonly Token[]): number[][] {
  const names: number[][] = [];
  for (let i = 0; i < tokens.length; i++) {
    if (!isIdentifier(tokens[i])) continue;
    const name = [i];
    while (isSymbol(tokens[i + 1], ".") && isIdentifier(tokens[i + 2])) name.push((i += 2));
    names.push(name);
  }
  return names;
}
