// The heads of INSERT, DELETE and UPDATE.

import { refuseWrite, type TokenCursor, type Piece } from "./token-cursor.ts";
import type { Assignment, WriteStatement } from "./statement.ts";

/** `[AS] name`, unless one of these words comes. */
export function parseAlias(cursor: TokenCursor, ...notThese: string[]): string | undefined {
  if (cursor.accept("as")) return cursor.word("the alias");
  if (!cursor.isAtName || notThese.some((word) => cursor.isAt(word))) return undefined;
  return cursor.word("the alias");
}

export const parseNames = (cursor: TokenCursor, what: string): string[] => {
  const names: string[] = [];
  do names.push(cursor.word(what));
  while (cursor.accept(","));
  cursor.expectEnd();
  return names;
};

/** RETURNING is a reserved word, so that it stands for nothing else. */
export const refuseReturning = (cursor: TokenCursor): void => {
  if (cursor.isAt("returning"))
    cursor.fail("RETURNING can't be used: the answer is the number of rows; read them with a SELECT");
};

const upTo =
  (...words: string[]) =>
  (cursor: TokenCursor): boolean =>
    cursor.isAt("returning") || words.some((word) => cursor.isAt(word));

export function parseInsert(cursor: TokenCursor, ctes: Piece | undefined): WriteStatement {
  if (cursor.isAt("or"))
    cursor.fail(
      "INSERT OR REPLACE and INSERT OR IGNORE need a primary key, which lake tables have not; use MERGE INTO",
    );
  cursor.expect("into");
  const table = cursor.name("the table's name");
  if (cursor.accept("as")) cursor.word("the alias");
  let byName = takesBy(cursor);
  const columns =
    !byName && cursor.isAt("(") && !isQuery(cursor)
      ? parseNames(cursor.parenthesised("the list of columns"), "a column's name")
      : undefined;
  byName ||= takesBy(cursor);
  if (byName && columns) cursor.fail("BY NAME takes no list of columns");
  const query =
    !byName && !columns && cursor.accept("default", "values")
      ? "defaults"
      : cursor.piece("what is inserted", (each) => each.isAt("returning") || each.isAt("on", "conflict"));
  if (cursor.isAt("on")) cursor.fail("ON CONFLICT needs a primary key, which lake tables have not; use MERGE INTO");
  refuseReturning(cursor);
  cursor.expectEnd();
  return { kind: "insert", table, ctes, columns, byName, query };
}

function takesBy(cursor: TokenCursor): boolean {
  if (cursor.accept("by", "name")) return true;
  cursor.accept("by", "position");
  return false;
}

/** Whether the parenthesis that comes next holds a query, and not names. */
function isQuery(cursor: TokenCursor): boolean {
  const from = cursor.position;
  const inner = cursor.parenthesised("the list of columns");
  cursor.returnTo(from);
  return ["select", "with", "values", "from", "table", "("].some((word) => inner.isAt(word));
}

export function parseDelete(cursor: TokenCursor, ctes: Piece | undefined): WriteStatement {
  cursor.expect("from");
  const table = cursor.name("the table's name");
  const alias = parseAlias(cursor, "using", "where", "returning");
  const using = cursor.accept("using") ? cursor.piece("what USING names", upTo("where")) : undefined;
  const where = cursor.accept("where") ? cursor.piece("the condition", upTo()) : undefined;
  refuseReturning(cursor);
  cursor.expectEnd();
  return { kind: "delete", table, alias, ctes, using, where };
}

export function parseUpdate(cursor: TokenCursor, ctes: Piece | undefined): WriteStatement {
  const table = cursor.name("the table's name");
  const alias = parseAlias(cursor, "set");
  cursor.expect("set");
  const set = parseAssignments(cursor, (each) => upTo("where")(each) || isFromClause(each));
  const from = cursor.accept("from") ? cursor.piece("what FROM names", upTo("where")) : undefined;
  const where = cursor.accept("where") ? cursor.piece("the condition", upTo()) : undefined;
  refuseReturning(cursor);
  cursor.expectEnd();
  return { kind: "update", table, alias, ctes, set, from, where };
}

/** `IS DISTINCT FROM` is part of an expression. */
const isFromClause = (cursor: TokenCursor): boolean => cursor.isAt("from") && !cursor.follows("distinct");

export function parseAssignments(cursor: TokenCursor, isEnd: (cursor: TokenCursor) => boolean): Assignment[] {
  const set: Assignment[] = [];
  do {
    const { at } = cursor;
    if (cursor.isAt("(")) cursor.fail("Set one column at a time: SET a = …, b = …");
    const parts = cursor.name("the column's name");
    if (parts.length > 1) refuseWrite(`SET takes columns of the table by their names alone: ${parts.at(-1)} = …`, at);
    if (!cursor.accept("=")) cursor.fail("= is missing");
    const value = cursor.piece("the value", (each) => each.isAt(",") || isEnd(each));
    set.push({ column: parts.at(-1)!, value: valueOf(value), at });
  } while (cursor.accept(","));
  return set;
}

/** DEFAULT is NULL: the lake's columns have no other. */
export const valueOf = (piece: Piece): Piece | undefined => (/^default$/i.test(piece.text) ? undefined : piece);
