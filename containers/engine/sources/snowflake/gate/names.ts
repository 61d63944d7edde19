// Names with dots in a statement to Snowflake: they stay in the integration's database, and count no sequence on.

import { findRelations } from "../access/relations.ts";
import type { Token } from "./lexer.ts";
import { isSymbol } from "../../statement-tokens.ts";
import { namesIn } from "./tokens.ts";

const SEQUENCE_VALUE = "NEXTVAL";
const TOO_MANY_PARTS = "A name has at most four parts: database, schema, table and column.";

/**
 * A name of three parts is a table of another database or a column with its table and schema: which of both, shows only
 * where the same statement reads that table by its schema, and nothing by the three parts. A column or a document's
 * path that is spelled as the two would show nothing.
 */
export function checkNames(
  sql: string,
  tokens: readonly Token[],
  database: string,
  refuseAt: (i: number, message: string) => void,
): void {
  const names = namesIn(tokens);
  const textOf = (name: readonly number[]) => name.map((i) => tokens[i]!.text);
  let read: { places: ReadonlySet<number>; tables: ReadonlySet<string> } | undefined;
  tokens.forEach((token, i) => {
    if (isSymbol(token, ".") && isSymbol(tokens[i + 1], "."))
      refuseAt(i, "A name with two dots leaves its schema out: write it.");
  });
  for (const name of names) {
    const texts = textOf(name);
    const [first, ...rest] = texts;
    if (rest.includes(SEQUENCE_VALUE)) refuseAt(name[0]!, "Sequences can't be counted on (NEXTVAL).");
    if (first!.toUpperCase().startsWith("SYSTEM$") && isSymbol(tokens[name.at(-1)! + 1], "("))
      refuseAt(name[0]!, "Functions of the service (SYSTEM$…) can't be called.");
    // A colon, a bracket or a parenthesis begins the path into a document.
    if (texts.length < 3 || isPath(tokens, name[0]!) || first === database) continue;
    if (texts.length > 3) refuseAt(name[0]!, texts.length > 4 ? TOO_MANY_PARTS : elsewhere(first!));
    read ??= readTables(sql, tokens);
    if (read.places.has(tokens[name[0]!]!.at) || !read.tables.has(JSON.stringify(texts.slice(0, 2))))
      refuseAt(name[0]!, elsewhere(first!));
  }
}

/** Where tables are named, and those that are named by their schema. */
function readTables(sql: string, tokens: readonly Token[]) {
  const relations = findRelations(sql, tokens);
  return {
    places: new Set(relations.map(({ at }) => at)),
    tables: new Set(relations.filter(({ parts }) => parts.length === 2).map(({ parts }) => JSON.stringify(parts))),
  };
}

const elsewhere = (name: string): string =>
  `${name} is not the database of this integration, and other databases can't be read. If it is a schema, give the ` +
  "table an alias and write that before the column.";

function isPath(tokens: readonly Token[], i: number): boolean {
  const before = tokens[i - 1];
  if (isSymbol(before, ":")) return !isSymbol(tokens[i - 2], ":");
  return isSymbol(before, ".") && (isSymbol(tokens[i - 2], "]") || isSymbol(tokens[i - 2], ")"));
}
