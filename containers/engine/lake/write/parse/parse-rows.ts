// The heads of INSERT, DELETE and UPDATE.

import { refuseWrite, type Cursor, type Piece } from "./token-cursor.ts";
import type { Assignment, WriteStatement } from "./statement.ts";

/** `[AS] name`, unless one of these words comes. */
export function readAlias(cursor: Cursor, ...notThese: string[]): string | undefined {
  if (cursor.takes("as")) return cursor.word("the alias");
  if (!cursor.seesName || notThese.some((word) => cursor.sees(word))) return undefined;
  return cursor.word("the alias");
}

export const readNames = (cursor: Cursor, what: string): string[] => {
  const names: string[] = [];
  do names.push(cursor.word(what));
  while (cursor.takes(","));
  cursor.ends();
  return names;
};

/** RETURNING is a reserved word, so that it stands for nothing else. */
export const refuseReturning = (cursor: Cursor): void => {
  if (cursor.sees("returning"))
    cursor.fail("RETURNING can't be used: the answer is the number of rows; read them with a SELECT");
};

const upTo =
  (...words: string[]) =>
  (cursor: Cursor): boolean =>
    cursor.sees("returning") || words.some((word) => cursor.sees(word));

export function readInsert(cursor: Cursor, ctes: Piece | undefined): WriteStatement {
  if (cursor.sees("or"))
    cursor.fail(
      "INSERT OR REPLACE and INSERT OR IGNORE need a primary key, which lake tables have not; use MERGE INTO",
    );
  cursor.needs("into");
  const table = cursor.name("the table's name");
  if (cursor.takes("as")) cursor.word("the alias");
  let byName = takesBy(cursor);
  const columns =
    !byName && cursor.sees("(") && !isQuery(cursor)
      ? readNames(cursor.parenthesised("the list of columns"), "a column's name")
      : undefined;
  byName ||= takesBy(cursor);
  if (byName && columns) cursor.fail("BY NAME takes no list of columns");
  const query =
    !byName && !columns && cursor.takes("default", "values")
      ? "defaults"
      : cursor.piece("what is inserted", (each) => each.sees("returning") || each.sees("on", "conflict"));
  if (cursor.sees("on")) cursor.fail("ON CONFLICT needs a primary key, which lake tables have not; use MERGE INTO");
  refuseReturning(cursor);
  cursor.ends();
  return { kind: "insert", table, ctes, columns, byName, query };
}

function takesBy(cursor: Cursor): boolean {
  if (cursor.takes("by", "name")) return true;
  cursor.takes("by", "position");
  return false;
}

/** Whether the parenthesis that comes next holds a query, and not names. */
function isQuery(cursor: Cursor): boolean {
  const from = cursor.mark;
  const inner = cursor.parenthesised("the list of columns");
  cursor.returnTo(from);
  return ["select", "with", "values", "from", "table", "("].some((word) => inner.sees(word));
}

export function readDelete(cursor: Cursor, ctes: Piece | undefined): WriteStatement {
  cursor.needs("from");
  const table = cursor.name("the table's name");
  const alias = readAlias(cursor, "using", "where", "returning");
  const using = cursor.takes("using") ? cursor.piece("what USING names", upTo("where")) : undefined;
  const where = cursor.takes("where") ? cursor.piece("the condition", upTo()) : undefined;
  refuseReturning(cursor);
  cursor.ends();
  return { kind: "delete", table, alias, ctes, using, where };
}

export function readUpdate(cursor: Cursor, ctes: Piece | undefined): WriteStatement {
  const table = cursor.name("the table's name");
  const alias = readAlias(cursor, "set");
  cursor.needs("set");
  const set = readAssignments(cursor, (each) => upTo("where")(each) || isFromClause(each));
  const from = cursor.takes("from") ? cursor.piece("what FROM names", upTo("where")) : undefined;
  const where = cursor.takes("where") ? cursor.piece("the condition", upTo()) : undefined;
  refuseReturning(cursor);
  cursor.ends();
  return { kind: "update", table, alias, ctes, set, from, where };
}

/** `IS DISTINCT FROM` is part of an expression. */
const isFromClause = (cursor: Cursor): boolean => cursor.sees("from") && !cursor.follows("distinct");

export function readAssignments(cursor: Cursor, isEnd: (cursor: Cursor) => boolean): Assignment[] {
  const set: Assignment[] = [];
  do {
    const { at } = cursor;
    if (cursor.sees("(")) cursor.fail("Set one column at a time: SET a = …, b = …");
    const parts = cursor.name("the column's name");
    if (parts.length > 1) refuseWrite(`SET takes columns of the table by their names alone: ${parts.at(-1)} = …`, at);
    if (!cursor.takes("=")) cursor.fail("= is missing");
    const value = cursor.piece("the value", (each) => each.sees(",") || isEnd(each));
    set.push({ column: parts.at(-1)!, value: valueOf(value), at });
  } while (cursor.takes(","));
  return set;
}

/** DEFAULT is NULL: the lake's columns have no other. */
export const valueOf = (piece: Piece): Piece | undefined => (/^default$/i.test(piece.text) ? undefined : piece);
