// Finds the names in a statement to Snowflake that stand where a table stands: in FROM, after JOIN, after a comma of
// FROM.
//
// A statement that is not plainly in one of the known forms is refused: it is better that a bound caller rewrites a
// statement than that a relation goes unseen.

import { isSymbol, refused } from "../../statement-tokens.ts";
import type { Token } from "../gate/lexer.ts";
import { TABLE_FUNCTIONS } from "../gate/functions.ts";
import { isIdentifier, isWord } from "../gate/tokens.ts";

/** A name by its parts; it is none that a WITH around it defines. */
export type Relation = { parts: string[]; at: number };

/** The inside of a pair of parentheses or brackets, or the statement itself. */
type Level = {
  /** It begins with SELECT or WITH. */
  isQuery: boolean;
  /** After FROM, up to a word that ends it: a comma is followed by a relation. */
  isInFrom: boolean;
  /** Whether the next token begins a relation. */
  expects: boolean;
  isInValues: boolean;
  /** `EXTRACT(year FROM day)` has a FROM of its own. */
  isExtract: boolean;
  /** The names that WITH has defined so far, each before its query. */
  defined: Set<string>;
  defining: "name" | "body" | "query" | "end" | undefined;
  pending: string;
};

/** Reserved words that end FROM: none of them can be an alias. */
const ENDS_OF_FROM = [
  "WHERE",
  "GROUP",
  "HAVING",
  "QUALIFY",
  "ORDER",
  "START",
  "CONNECT",
  "UNION",
  "MINUS",
  "INTERSECT",
  "SELECT",
];
const OPENING = "([{";
const CLOSING = ")]}";

/** `sql` is the statement's text, for positions. Throws `statement_refused`. */
export function findRelations(sql: string, tokens: readonly Token[]): Relation[] {
  const levels = [createLevel(tokens, 0, undefined)];
  const relations: Relation[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    const level = levels.at(-1)!;
    if (token.kind === "symbol" && OPENING.includes(token.text)) levels.push(openLevel(tokens, i, level));
    else if (token.kind === "symbol" && CLOSING.includes(token.text)) {
      closeLevel(sql, levels, token);
    } else if (level.expects) i = takeRelation({ sql, tokens, levels, relations }, i);
    else if (level.defining) takeDefinition(level, tokens, i);
    else takeWord(level, tokens, i);
  }
  if (levels.length !== 1 || levels[0]!.expects)
    throw refused(sql, sql.length, "A parenthesis or a table's name is missing.");
  return relations;
}

/** The level whose first token is at `first`. */
function createLevel(tokens: readonly Token[], first: number, parent: Level | undefined): Level {
  // Parentheses in the place of a table hold a query, or tables that are joined.
  const isQuery = isWord(tokens[first], "SELECT", "WITH");
  const isGroup = parent?.expects === true && !isQuery;
  return {
    isQuery,
    isInFrom: isGroup,
    expects: isGroup,
    isInValues: false,
    isExtract: false,
    defined: new Set(),
    defining: undefined,
    pending: "",
  };
}

function openLevel(tokens: readonly Token[], i: number, parent: Level): Level {
  const level = createLevel(tokens, i + 1, parent);
  level.isExtract = isWord(tokens[i - 1], "EXTRACT");
  parent.expects = false;
  if (parent.defining === "body" && isWord(tokens[i - 1], "AS")) parent.defining = "query";
  return level;
}

function closeLevel(sql: string, levels: Level[], { at }: Token): void {
  const { expects } = levels.pop()!;
  const parent = levels.at(-1);
  if (expects || !parent) throw refused(sql, at, "A parenthesis closes where something is missing.");
  if (parent.defining !== "query") return;
  // From here on, not within itself: a recursive query may mean the table of that name by it.
  parent.defined.add(parent.pending);
  parent.defining = "end";
}

type Walk = { sql: string; tokens: readonly Token[]; levels: Level[]; relations: Relation[] };

/** Returns the index of the relation's last token. */
function takeRelation({ sql, tokens, levels, relations }: Walk, i: number): number {
  const token = tokens[i]!;
  const level = levels.at(-1)!;
  if (isWord(token, "LATERAL")) return i;
  level.expects = false;
  if (isWord(token, "VALUES")) level.isInValues = true;
  const isFunction = isWord(token, "TABLE", ...TABLE_FUNCTIONS) && isSymbol(tokens[i + 1], "(");
  if (isFunction || level.isInValues) return i;
  if (!isIdentifier(token)) throw refused(sql, token.at, "A table's name has to stand here.");
  const parts = [token.text];
  let last = i;
  while (isSymbol(tokens[last + 1], ".") && isIdentifier(tokens[last + 2])) parts.push(tokens[(last += 2)]!.text);
  const isDefined = parts.length === 1 && levels.some(({ defined }) => defined.has(parts[0]!));
  if (!isDefined) relations.push({ parts, at: token.at });
  return last;
}

/** `WITH a (n) AS (…), b AS (…) SELECT`. */
function takeDefinition(level: Level, tokens: readonly Token[], i: number): void {
  const token = tokens[i]!;
  if (level.defining === "name") {
    if (isWord(token, "RECURSIVE") && isIdentifier(tokens[i + 1]) && !isWord(tokens[i + 1], "AS")) return;
    level.pending = token.text;
    level.defining = "body";
  } else if (level.defining === "end") {
    if (isSymbol(token, ",")) level.defining = "name";
    else {
      level.defining = undefined;
      takeWord(level, tokens, i);
    }
  }
}

function takeWord(level: Level, tokens: readonly Token[], i: number): void {
  const token = tokens[i]!;
  if (isSymbol(token, ",")) {
    const isNextRow = level.isInValues && isSymbol(tokens[i - 1], ")") && isSymbol(tokens[i + 1], "(");
    level.expects = level.isInFrom && !isNextRow;
    level.isInValues &&= isNextRow;
    return;
  }
  level.isInValues = false;
  if (token.kind !== "word" || isSymbol(tokens[i - 1], ".")) return;
  if (token.text === "WITH" && level.isQuery && isFirst(tokens, i)) level.defining = "name";
  else if (token.text === "JOIN") level.expects = true;
  else if (ENDS_OF_FROM.includes(token.text)) level.isInFrom = false;
  else if (token.text === "FROM" && !level.isExtract && !isComparison(tokens, i)) {
    level.isInFrom = true;
    level.expects = true;
  }
}

const isFirst = (tokens: readonly Token[], i: number): boolean => i === 0 || isSymbol(tokens[i - 1], "(");

/** `IS DISTINCT FROM`, `IS NOT DISTINCT FROM`. */
const isComparison = (tokens: readonly Token[], i: number): boolean =>
  isWord(tokens[i - 1], "DISTINCT") && isWord(tokens[i - 2], "IS", "NOT");
