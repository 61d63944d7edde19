// The names in a bound caller's statement that the server could look up, each with one in its place that nobody has.

import { randomBytes } from "node:crypto";
import { tableKey, type VisibleTables } from "./describe-tables.ts";
import { isUnknownCall, type References } from "./references.ts";
import { isIdentifier, isSymbol, type Piece } from "./scan.ts";

export type StatementParts = {
  pieces: readonly Piece[];
  references: References;
  visible: VisibleTables;
  /** In which tables are named alone. */
  database: string;
  /** Names of tables are one where these are equal. */
  fold: (name: string) => string;
};

/** The key of a table that the caller sees; undefined for any other. */
export function visibleKey(
  { visible, database, fold }: StatementParts,
  { schema = database, name }: { schema?: string | undefined; name: string },
): string | undefined {
  const key = tableKey({ schema, name }, fold);
  return visible.has(key) ? key : undefined;
}

/**
 * The name of a table that the caller sees, where `schema.table` begins: in FROM, or before a column's name. Undefined
 * for anything else.
 */
export function qualifiedTable(parts: StatementParts, i: number): string | undefined {
  const { pieces, references } = parts;
  const named = pieces[i + 2];
  const isTable = references.tables.has(i) || isSymbol(pieces[i + 3], ".");
  if (!isTable || !isSymbol(pieces[i + 1], ".") || !isIdentifier(named)) return undefined;
  return visibleKey(parts, { schema: pieces[i]!.text, name: named!.text }) && named!.text;
}

/**
 * Whether a `schema.table.column` is of a table that the caller does not see: by the name that it would be sent with no
 * server finds one, and MariaDB 10.11 ends at some of them.
 */
export const hasHiddenTable = (parts: StatementParts): boolean =>
  parts.pieces.some((piece, i) => {
    const [before, dot, table, nextDot] = [-1, 1, 2, 3].map((offset) => parts.pieces[i + offset]);
    const isLong = isSymbol(dot, ".") && isIdentifier(table) && isSymbol(nextDot, ".");
    return isIdentifier(piece) && !isSymbol(before, ".") && isLong && qualifiedTable(parts, i) === undefined;
  });

export class ExchangedNames {
  /** Nobody can have made a database of this name, for it is of this statement alone. */
  readonly #prefix = `x${randomBytes(6).toString("hex")}_`;
  readonly #fold: (name: string) => string;
  readonly #numbers = new Map<string, number>();
  readonly #spellings: string[] = [];

  constructor(parts: StatementParts) {
    const { pieces, references, fold } = parts;
    this.#fold = fold;
    pieces.forEach((piece, i) => {
      if (!isIdentifier(piece) || isSymbol(pieces[i - 1], ".")) return;
      if (isUnknownCall(pieces, i)) this.#add(piece.text);
      if (!isSymbol(pieces[i + 1], ".")) return;
      const table = qualifiedTable(parts, i);
      if (table === undefined) this.#add(piece.text);
      else if (!references.tables.has(i)) this.#add(table);
    });
  }

  /** Undefined where the name may stand as it is. */
  get(name: string): string | undefined {
    const number = this.#numbers.get(this.#fold(name));
    return number === undefined ? undefined : `${this.#prefix}${number}`;
  }

  /** Gives the query of a table a name. */
  queryName(table: string): string {
    this.#spellings.push(table);
    return `${this.#prefix}${this.#spellings.length - 1}`;
  }

  isExchanged(name: string): boolean {
    return name.startsWith(this.#prefix);
  }

  restore(text: string): string {
    const exchanged = new RegExp(`${this.#prefix}(\\d+)`, "g");
    return text.replace(exchanged, (_, number: string) => this.#spellings[Number(number)]!);
  }

  #add(name: string): void {
    const key = this.#fold(name);
    if (this.#numbers.has(key)) return;
    this.#numbers.set(key, this.#spellings.length);
    this.#spellings.push(name);
  }
}
