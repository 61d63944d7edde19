// Writes a bound caller's statement anew, so that nothing in it reaches a table, a database or a routine by its name:
// tables are read through a WITH in front, and every name that could be a database's (it stands before a dot) or a
// routine's (before a parenthesis) is exchanged for one that nobody has. The session has no database of its own, in
// which other names would be looked up.

import { Failure } from "../../../core/failure.ts";
import { quoteIdentifier } from "../sql-text.ts";
import { ExchangedNames, qualifiedTable, visibleKey, type StatementParts } from "./exchanged-names.ts";
import { isUnknownCall, type TableReference } from "./references.ts";
import { isIdentifier, isSymbol, keywordOf, scan, type Piece } from "./scan.ts";

export type Composed = {
  sql: string;
  /** Puts the caller's own names back into what the server says: messages, names of columns. */
  restoreNames(text: string): string;
  /** Where in the caller's text stands what is at this index of `sql`; undefined past its end. */
  sourceIndexOf(index: number): number | undefined;
};

/** Queries of tables stand once for each WITH. */
const CHARACTERS_MAX = 8_000_000;

/** Throws `statement_refused` for a statement that would become too long. */
export function compose(parts: StatementParts): Composed {
  const names = new ExchangedNames(parts);
  const writer = new StatementWriter(parts, names);
  const body = writer.write();
  checkNames(body, names, writer.queries);
  const opening = writer.queries === "" || keywordOf(parts.pieces[0]) === "WITH" ? "" : `WITH ${writer.queries} `;
  return {
    sql: opening + body,
    restoreNames: (text) => names.restore(text),
    sourceIndexOf: (index) => writer.sourceIndexOf(index - opening.length),
  };
}

class StatementWriter {
  /** `name AS (…)` of each table that is read. */
  readonly queries: string;

  readonly #parts: StatementParts;
  readonly #names: ExchangedNames;
  /** By the key of each table that is read, what its query is called. */
  readonly #queryNames = new Map<string, string>();
  readonly #starts: { index: number; at: number }[] = [];
  #text = "";

  constructor(parts: StatementParts, names: ExchangedNames) {
    this.#parts = parts;
    this.#names = names;
    for (const table of parts.references.tables.values()) {
      const key = visibleKey(parts, table);
      if (key !== undefined && !this.#queryNames.has(key)) this.#queryNames.set(key, names.queryName(table.name));
    }
    this.queries = [...this.#queryNames].map(([key, name]) => `${name} AS (${parts.visible.get(key)!})`).join(", ");
    if (this.queries.length * (1 + parts.references.withs.size) > CHARACTERS_MAX)
      throw new Failure("statement_refused", "The statement has too many WITHs for the tables that it reads.");
  }

  write(): string {
    const { pieces, references } = this.#parts;
    for (let i = 0; i < pieces.length; i++) {
      if (i > 0) this.#text += spaceBetween(pieces[i - 1]!, pieces[i]!);
      this.#starts.push({ index: this.#text.length, at: pieces[i]!.at });
      const table = references.tables.get(i);
      if (table) {
        this.#text += this.#tableText(table);
        i = table.last;
      } else if (this.#isColumnOfTable(i)) {
        this.#text += this.#named(pieces[i + 2]!);
        i += 2;
      } else this.#text += this.#pieceText(i);
      // MariaDB shows a query in a WITH nothing of the WITHs around it.
      if (references.withs.has(i) && this.queries !== "") this.#text += ` ${this.queries},`;
    }
    return this.#text;
  }

  sourceIndexOf(index: number): number | undefined {
    if (index >= this.#text.length) return undefined;
    return this.#starts.findLast((start) => start.index <= index)?.at ?? 0;
  }

  #isColumnOfTable(i: number): boolean {
    const { pieces } = this.#parts;
    const isFirst = isIdentifier(pieces[i]) && !isSymbol(pieces[i - 1], ".");
    return isFirst && qualifiedTable(this.#parts, i) !== undefined;
  }

  #pieceText(i: number): string {
    const { pieces, references } = this.#parts;
    const piece = pieces[i]!;
    if (!isIdentifier(piece) || isSymbol(pieces[i - 1], ".")) return asWritten(piece);
    const isExchanged = isSymbol(pieces[i + 1], ".") || isUnknownCall(pieces, i) || references.definitions.has(i);
    return isExchanged ? this.#named(piece) : asWritten(piece);
  }

  #tableText({ first, last, schema, name, hasAlias }: TableReference): string {
    const { pieces } = this.#parts;
    const named = this.#named(pieces[last]!);
    const key = visibleKey(this.#parts, { schema, name });
    const query = key !== undefined && this.#queryNames.get(key);
    if (query) return hasAlias ? query : `${query} AS ${named}`;
    return schema === undefined ? named : `${this.#named(pieces[first]!)}.${asWritten(pieces[last]!)}`;
  }

  #named = (piece: Piece): string => this.#names.get(piece.text) ?? asWritten(piece);
}

const asWritten = ({ kind, text }: Piece): string => (kind === "name" ? quoteIdentifier(text) : text);

/** The caller's own space, for the server names columns after their text; two pieces never become one. */
function spaceBetween(before: Piece, piece: Piece): string {
  if (isSymbol(before, ".") || isSymbol(piece, ".")) return "";
  if (piece.gap !== "") return piece.gap;
  if (piece.kind === "number" && piece.text.startsWith(".")) return " ";
  const isApart = (each: Piece) => each.kind === "symbol" && /^[(),]$/.test(each.text);
  if (isApart(before) || isApart(piece)) return "";
  return (before.kind === "symbol") === (piece.kind === "symbol") ? " " : "";
}

/**
 * The new statement is read once more: no name that could be looked up at the server may be left, but in the queries of
 * the tables.
 */
function checkNames(body: string, names: ExchangedNames, queries: string): void {
  const pieces = scan(queries === "" ? body : body.replaceAll(` ${queries},`, ""));
  pieces.forEach((piece, i) => {
    if (!isIdentifier(piece) || isSymbol(pieces[i - 1], ".") || names.isExchanged(piece.text)) return;
    if (isSymbol(pieces[i + 1], ".") || isUnknownCall(pieces, i))
      throw new Error("a name of the caller's is left in a statement that roles bind");
  });
}
