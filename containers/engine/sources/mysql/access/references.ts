// The meaning of each name in a bound caller's statement, guessed from its place. The guess is for the sake of
// well-meant statements: a wrong one makes a statement fail, for `compose.ts` sends no name that could reach a table by
// itself.

import { ALLOWED_BEFORE_PARENTHESIS } from "./names-before-parentheses.ts";
import { isIdentifier, isSymbol, keywordOf, type Piece } from "./scan.ts";

/** A table where FROM reads one, from its first piece to its last. */
export type TableReference = {
  first: number;
  last: number;
  /** Undefined where the statement names the table alone. */
  schema: string | undefined;
  name: string;
  hasAlias: boolean;
};

export type References = {
  /** By the index of their first pieces; none of them is a name that the statement's own WITH defines there. */
  tables: ReadonlyMap<number, TableReference>;
  /** The pieces that name what the statement defines itself: its aliases of tables, and its WITH. */
  definitions: ReadonlySet<number>;
  /** The last pieces of `WITH` and `WITH RECURSIVE`, wherever a query begins with one. */
  withs: ReadonlySet<number>;
};

type Clause = "columns" | "tables" | "on" | "with";

/** The statement, or what stands in one pair of parentheses. */
type Frame = {
  clause: Clause;
  /** Whether a table has to come next. */
  expectsTable: boolean;
  isQuery: boolean;
  isRecursive: boolean;
  /** The names that its WITH has defined so far. */
  defined: Set<string>;
  /** The name that these parentheses define once they close. */
  defines: string | undefined;
};

const TABLES_FOLLOW = new Set(["FROM", "JOIN", "STRAIGHT_JOIN"]);
const COLUMNS_FOLLOW = new Set([
  "WHERE",
  "HAVING",
  "GROUP",
  "ORDER",
  "LIMIT",
  "OFFSET",
  "WINDOW",
  "UNION",
  "EXCEPT",
  "INTERSECT",
  "VALUES",
  "FOR",
]);
/** Between tables, and not a name of one. */
const JOINING = new Set(["LEFT", "RIGHT", "INNER", "OUTER", "CROSS", "NATURAL", "LATERAL", "USING", "ON"]);
const NO_TABLE = new Set(["DUAL", "JSON_TABLE"]);
const AFTER_TABLE = ["USE", "FORCE", "IGNORE", "PARTITION", "FETCH", "LOCK", "PROCEDURE", "WITH", "MINUS"];
const NO_ALIAS = new Set([...TABLES_FOLLOW, ...COLUMNS_FOLLOW, ...JOINING, ...AFTER_TABLE]);

/** `fold`: names of tables are one where these are equal. */
export const findReferences = (pieces: readonly Piece[], fold: (name: string) => string): References =>
  new ReferenceWalk(pieces, fold).walk();

class ReferenceWalk {
  readonly #pieces: readonly Piece[];
  readonly #fold: (name: string) => string;
  readonly #frames: Frame[] = [newFrame("columns", undefined)];
  readonly #tables = new Map<number, TableReference>();
  readonly #definitions = new Set<number>();
  readonly #withs = new Set<number>();
  #pending: string | undefined;

  constructor(pieces: readonly Piece[], fold: (name: string) => string) {
    this.#pieces = pieces;
    this.#fold = fold;
  }

  walk(): References {
    let next = 0;
    for (let i = 0; i < this.#pieces.length; i = next) {
      next = i + 1;
      const piece = this.#pieces[i]!;
      if (isIdentifier(piece)) next = this.#takeIdentifier(piece, i);
      else this.#takeSymbol(piece, i);
    }
    return { tables: this.#tables, definitions: this.#definitions, withs: this.#withs };
  }

  get #frame(): Frame {
    return this.#frames.at(-1)!;
  }

  #takeSymbol(piece: Piece, i: number): void {
    const frame = this.#frame;
    if (isSymbol(piece, "(")) this.#frames.push(this.#opened(frame, i));
    else if (isSymbol(piece, ")")) {
      if (this.#frames.length > 1) this.#frames.pop();
      if (frame.defines !== undefined) this.#frame.defined.add(frame.defines);
      this.#frame.expectsTable = false;
    } else if (isSymbol(piece, ",") && frame.clause !== "columns") {
      if (frame.clause === "on") frame.clause = "tables";
      frame.expectsTable = frame.clause === "tables";
      if (frame.clause === "with") this.#pending = undefined;
    }
  }

  #opened(frame: Frame, i: number): Frame {
    const isNested = frame.clause === "tables" && frame.expectsTable && !this.#isCall(i);
    const isBody = frame.clause === "with" && keywordOf(this.#pieces[i - 1]) === "AS";
    const opened = newFrame(isNested ? "tables" : "columns", isBody ? this.#pending : undefined);
    opened.expectsTable = isNested;
    if (frame.isRecursive && isBody && this.#pending !== undefined) opened.defined.add(this.#pending);
    return opened;
  }

  #isCall(i: number): boolean {
    const keyword = keywordOf(this.#pieces[i - 1]);
    return keyword !== undefined ? !TABLES_FOLLOW.has(keyword) : isIdentifier(this.#pieces[i - 1]);
  }

  /** The index of the piece to go on with. */
  #takeIdentifier(piece: Piece, i: number): number {
    const frame = this.#frame;
    const isAfterDot = isSymbol(this.#pieces[i - 1], ".");
    const isQualifier = isSymbol(this.#pieces[i + 1], ".");
    const keyword = isAfterDot || isQualifier ? undefined : keywordOf(piece);
    if (keyword !== undefined && this.#takeKeyword(frame, keyword, i)) return i + 1;
    if (frame.clause === "with") return this.#takeDefinition(piece, i);
    if (frame.clause !== "tables" || isAfterDot) return i + 1;
    if (frame.expectsTable) return this.#takeTable(piece, i);
    if (!isQualifier) this.#definitions.add(i);
    return i + 1;
  }

  /** Whether the word is one of the grammar here. */
  #takeKeyword(frame: Frame, keyword: string, i: number): boolean {
    if (keyword === "SELECT" || keyword === "TABLE") {
      frame.clause = keyword === "TABLE" ? "tables" : "columns";
      frame.isQuery = true;
      frame.expectsTable = keyword === "TABLE";
      return true;
    }
    if (keyword === "WITH" && !frame.isQuery && (frame.clause === "columns" || frame.expectsTable)) {
      frame.clause = "with";
      frame.expectsTable = false;
      frame.isRecursive = keywordOf(this.#pieces[i + 1]) === "RECURSIVE";
      this.#withs.add(frame.isRecursive ? i + 1 : i);
      return true;
    }
    if (frame.clause === "with") return keyword === "RECURSIVE" || keyword === "AS";
    const isInTables = frame.clause === "tables" || frame.clause === "on";
    if (TABLES_FOLLOW.has(keyword) && (isInTables || (frame.isQuery && keyword === "FROM"))) {
      frame.clause = "tables";
      frame.expectsTable = true;
      return true;
    }
    if (COLUMNS_FOLLOW.has(keyword) && isInTables) {
      frame.clause = "columns";
      return true;
    }
    if (keyword === "ON" && isInTables) frame.clause = "on";
    return (
      frame.clause === "tables" &&
      (keyword === "AS" || JOINING.has(keyword) || (frame.expectsTable && NO_TABLE.has(keyword)))
    );
  }

  #takeDefinition(piece: Piece, i: number): number {
    this.#pending = this.#fold(piece.text);
    this.#definitions.add(i);
    return i + 1;
  }

  #takeTable(piece: Piece, i: number): number {
    this.#frame.expectsTable = false;
    const isQualified = isSymbol(this.#pieces[i + 1], ".") && isIdentifier(this.#pieces[i + 2]);
    const named = isQualified ? this.#pieces[i + 2]! : piece;
    const last = isQualified ? i + 2 : i;
    // A column's name, or a routine's, where none may stand.
    if (isSymbol(this.#pieces[last + 1], ".") || isSymbol(this.#pieces[last + 1], "(")) return i + 1;
    if (!isQualified && this.#frames.some(({ defined }) => defined.has(this.#fold(piece.text)))) {
      this.#definitions.add(i);
      return i + 1;
    }
    const schema = isQualified ? piece.text : undefined;
    this.#tables.set(i, { first: i, last, schema, name: named.text, hasAlias: this.#hasAlias(last + 1) });
    return last + 1;
  }

  #hasAlias(i: number): boolean {
    const next = this.#pieces[i];
    const keyword = keywordOf(next);
    if (keyword === undefined) return next?.kind === "name";
    return !NO_ALIAS.has(keyword);
  }
}

const newFrame = (clause: Clause, defines: string | undefined): Frame => ({
  clause,
  expectsTable: false,
  isQuery: false,
  isRecursive: false,
  defined: new Set(),
  defines,
});

const STAR_FOLLOWS = new Set(["SELECT", "DISTINCT", "DISTINCTROW", "ALL"]);

/**
 * The names that a statement's columns can have, by `fold`; undefined where it may read others: by a star, by a join of
 * all columns that have one name, by naming a table alone.
 */
export function columnNamesIn(
  pieces: readonly Piece[],
  fold: (name: string) => string,
): ReadonlySet<string> | undefined {
  const isOpen = pieces.some((piece, i) => {
    const before = pieces[i - 1];
    if (["NATURAL", "TABLE"].includes(keywordOf(piece) ?? "")) return true;
    const isStar = STAR_FOLLOWS.has(keywordOf(before) ?? "") || isSymbol(before, ",") || isSymbol(before, ".");
    return isSymbol(piece, "*") && isStar;
  });
  return isOpen ? undefined : new Set(pieces.filter(isIdentifier).map(({ text }) => fold(text)));
}

/** Whether a name before a parenthesis may be a routine's: it is no word of the grammar and no plain function. */
export const isUnknownCall = (pieces: readonly Piece[], i: number): boolean =>
  isSymbol(pieces[i + 1], "(") &&
  !(pieces[i]!.kind === "word" && ALLOWED_BEFORE_PARENTHESIS.has(pieces[i]!.text.toUpperCase()));
