// Finds where a statement to BigQuery may name a table, by the places of words: one place too many is better than one
// too few. This file is pure.
//
// A table's name has its dataset before it, for jobs have no dataset of their own: a name alone is a table expression's
// or a column's. Words that end a FROM clause are reserved, and behind a dot or in backticks they are none.

import { isWord, partsOf } from "../gate/check-statement.ts";
import { isSymbol, refused } from "../../statement-tokens.ts";
import type { Token } from "../gate/lexer.ts";

/** `text` is the name in the statement's spelling: `shop.orders`, `project.shop.orders`. */
export type TableName = { text: string; at: number };

/**
 * Behind these a comma leads to no table; each is reserved. WITH is not of them: `UNNEST(a) WITH OFFSET, shop.orders`.
 */
const CLAUSE_ENDS = ["SELECT", "WHERE", "GROUP", "HAVING", "ORDER"];

/** Within parentheses: whether a comma leads to another table, and whether FROM is EXTRACT's. */
type Level = { isInFrom: boolean; isExtract: boolean };

/** Throws `statement_refused` for what could read a table that is not named plainly. */
export function findTableNames(sql: string, tokens: readonly Token[]): TableName[] {
  const names: TableName[] = [];
  const levels: Level[] = [{ isInFrom: false, isExtract: false }];
  let isTablePlace = false;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    const level = levels.at(-1)!;
    if (opens(token)) {
      levels.push({
        isInFrom: isTablePlace,
        isExtract: isWord(tokens[i - 1], "EXTRACT") && !isSymbol(tokens[i - 2], "."),
      });
    } else if (closes(token)) {
      if (levels.length > 1) levels.pop();
      isTablePlace = false;
    } else if (isSymbol(token, ",")) isTablePlace = level.isInFrom;
    else if (isSymbol(token, "|") && isSymbol(tokens[i + 1], ">")) isTablePlace = level.isInFrom = false;
    else if (isSymbol(tokens[i - 1], ".")) isTablePlace = false;
    else if (isWord(token, ...CLAUSE_ENDS)) isTablePlace = level.isInFrom = level.isExtract = false;
    else if (isWord(token, "WITH")) isTablePlace = level.isExtract = false;
    else if (isWord(token, "FROM")) {
      isTablePlace = !level.isExtract && !isComparison(tokens, i);
      level.isInFrom ||= isTablePlace;
    } else if (isWord(token, "JOIN")) isTablePlace = level.isInFrom = true;
    else if (isWord(token, "TABLE")) isTablePlace = true;
    else if (isWord(token, "GRAPH")) throw refused(sql, token.at, "Graphs are not open to you.");
    else if (isTablePlace && !isWord(token, "LATERAL")) {
      const name = readName(sql, tokens, i);
      if (name.isQualified) names.push({ text: name.text, at: token.at });
      i = name.end;
      isTablePlace = false;
    }
  }
  return names;
}

const opens = (token: Token): boolean => ["(", "[", "{"].some((text) => isSymbol(token, text));
const closes = (token: Token): boolean => [")", "]", "}"].some((text) => isSymbol(token, text));

/** The FROM of `a IS [NOT] DISTINCT FROM b` names no table. */
const isComparison = (tokens: readonly Token[], i: number): boolean =>
  isWord(tokens[i - 1], "DISTINCT") && isWord(tokens[i - 2], "IS", "NOT") && !isSymbol(tokens[i - 3], ".");

/** The path that begins here, and where it ends. */
function readName(
  sql: string,
  tokens: readonly Token[],
  start: number,
): { text: string; isQualified: boolean; end: number } {
  const unclear = (): never => {
    throw refused(sql, tokens[start]!.at, "A table has to be named here. Put its whole name into backticks.");
  };
  const isName = (token: Token | undefined) => token?.kind === "word" || token?.kind === "name";
  if (!isName(tokens[start])) return unclear();
  let [text, end] = [partsOf(tokens[start]!).join("."), start];
  // Only a project's name has dashes.
  for (; isSymbol(tokens[end + 1], "-"); end += 2) {
    if (!isName(tokens[end + 2])) return unclear();
    text += `-${tokens[end + 2]!.text}`;
  }
  for (; isSymbol(tokens[end + 1], "."); end += 2) {
    if (!isName(tokens[end + 2])) return unclear();
    text += `.${tokens[end + 2]!.text}`;
  }
  if (isSymbol(tokens[end + 1], "-")) return unclear();
  if (isSymbol(tokens[end + 1], "(") && !isWord(tokens[start], "UNNEST"))
    throw refused(sql, tokens[start]!.at, "Functions that give tables are not open to you, but UNNEST.");
  return { text, isQualified: text.includes("."), end };
}
