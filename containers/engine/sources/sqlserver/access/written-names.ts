// The names in a bound caller's statement, and which of its words are refused before anybody asks what they name.

import { isSymbol, refused } from "../../statement-tokens.ts";
import { plainLetters, type Token } from "../gate/lexer.ts";
import { isIdentifier, isWord } from "../gate/check-statement.ts";
import { BEFORE_PARENTHESES, FORBIDDEN_TO_BOUND, METHODS, RESERVED, SYSTEM_SCHEMAS } from "./allowed-names.ts";

/** A name, or a part of one: `schema` is what stands before its dot, where something does. */
export type WrittenName = { token: Token; schema: string | undefined; name: string };

const PARTS_MAX = 2;
const NAMES_MAX = 2_000;

/**
 * Every name that could be a table's, as the server understands it. Throws `statement_refused` for what a bound caller
 * may not use, whether it exists or not: functions that are not known to read nothing, names of other databases, the
 * server's catalogs.
 */
export function writtenNames(sql: string, tokens: readonly Token[]): WrittenName[] {
  const names: WrittenName[] = [];
  const columnLists = new Set(withsThatNameColumns(tokens));
  tokens.forEach((token, i) => {
    if (!isIdentifier(token)) return;
    const message = refuseWord(tokens, i) ?? (columnLists.has(i) ? undefined : refuseCall(tokens, i));
    if (message !== undefined) throw refused(sql, token.at, message);
    const part = partAt(tokens, i);
    if (part > PARTS_MAX || (isSymbol(tokens[i - 1], ".") && isSymbol(tokens[i - 2], ".")))
      throw refused(sql, token.at, "Names of three parts are not open to whom data-access roles bind. Use an alias.");
    if (token.kind === "word" && part === 1 && RESERVED.has(token.folded)) return;
    // A parameter is none.
    if (token.kind === "word" && token.text.startsWith("@")) return;
    names.push({ token, name: token.text, schema: part === 1 ? undefined : tokens[i - 2]!.text });
  });
  if (names.length > NAMES_MAX) throw refused(sql, 0, `The statement has more than ${NAMES_MAX} names.`);
  return names;
}

/** The part of a name that an identifier is, counted from 1. */
function partAt(tokens: readonly Token[], i: number): number {
  let part = 1;
  for (let at = i; isSymbol(tokens[at - 1], ".") && isIdentifier(tokens[at - 2]); at -= 2) part++;
  return part;
}

function refuseWord(tokens: readonly Token[], i: number): string | undefined {
  const [token, next] = [tokens[i]!, tokens[i + 1]];
  const isCatalog = SYSTEM_SCHEMAS.has(plainLetters(token.folded)) && isSymbol(next, ".");
  if (isCatalog || isOthers(token) || isWord(token, ...FORBIDDEN_TO_BOUND)) return notAllowed(token);
  // Names of columns would be a part of the value.
  return isWord(token, "FOR") && isWord(next, "XML", "JSON") ? notAllowed(next!) : undefined;
}

/** Temporary tables, which may be anybody's, and what tells of the server. Bound parameters are the platform's own. */
const isOthers = ({ kind, text }: Token): boolean => text.startsWith("#") || (kind === "word" && text.startsWith("@@"));

const notAllowed = ({ text }: Token): string => `${text} is not allowed to whom data-access roles bind.`;

/** A routine reads what it likes: each name before a parenthesis is one that is known, or defines something. */
function refuseCall(tokens: readonly Token[], i: number): string | undefined {
  const [before, token, next] = [tokens[i - 1], tokens[i]!, tokens[i + 1]];
  if (!isSymbol(next, "(")) return undefined;
  if (isSymbol(before, ".") || isSymbol(before, ":")) return METHODS.test(token.folded) ? undefined : notAllowed(token);
  // A derived table's columns, or a hint's: not what is called behind `TOP (1)`.
  if (isWord(before, "AS") || (isSymbol(before, ")") && !closesTop(tokens, i - 1))) return undefined;
  return token.kind === "word" && BEFORE_PARENTHESES.has(token.folded) ? undefined : notAllowed(token);
}

/** Whether the parenthesis closed at `close` is that of `TOP (n)`, behind which a SELECT's first value stands. */
function closesTop(tokens: readonly Token[], close: number): boolean {
  let depth = 0;
  for (let i = close; i >= 0; i--) {
    if (isSymbol(tokens[i], ")")) depth++;
    else if (isSymbol(tokens[i], "(") && --depth === 0) return isWord(tokens[i - 1], "TOP");
  }
  return true;
}

/** `x` of each `WITH x (a, b) AS (…)`. */
function* withsThatNameColumns(tokens: readonly Token[]): Generator<number> {
  for (let i = 1; i < tokens.length; i++) {
    const opens = isWord(tokens[i - 1], "WITH") || isSymbol(tokens[i - 1], ",");
    if (!opens || !isIdentifier(tokens[i]) || !isSymbol(tokens[i + 1], "(")) continue;
    let end = i + 2;
    while (isIdentifier(tokens[end]) || isSymbol(tokens[end], ",")) end++;
    if (isSymbol(tokens[end], ")") && isWord(tokens[end + 1], "AS") && isSymbol(tokens[end + 2], "(")) yield i;
  }
}
