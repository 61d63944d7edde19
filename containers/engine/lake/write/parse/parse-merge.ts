// The head of MERGE INTO, clause by clause.

import type { Cursor, NameParts, Piece } from "./token-cursor.ts";
import { readAlias, readAssignments, readNames, refuseReturning, valueOf } from "./parse-rows.ts";
import type { MergeAction, MergeClause, WriteStatement } from "./statement.ts";

/** Of a source in parentheses that was given no name. */
const NAMELESS = "fjord source rows";

export function readMerge(cursor: Cursor, ctes: Piece | undefined): WriteStatement {
  cursor.needs("into");
  const table = cursor.name("the table's name");
  const alias = readAlias(cursor, "using");
  cursor.needs("using");
  const source = readSource(cursor);
  const on = readOn(cursor);
  const clauses: MergeClause[] = [];
  while (cursor.sees("when")) clauses.push(readClause(cursor));
  refuseReturning(cursor);
  cursor.ends();
  if (clauses.length === 0) cursor.fail("WHEN [NOT] MATCHED is missing");
  return { kind: "merge", table, alias, ctes, ...source, on, clauses };
}

/** A table, or something in parentheses or a call, and the alias it has. */
function readSource(cursor: Cursor): { source: Piece; sourceAlias: string; sourceName: NameParts | undefined } {
  const from = cursor.mark;
  const name = cursor.seesName ? cursor.name("the source's name") : undefined;
  if (cursor.sees("(")) cursor.pass();
  if (cursor.mark === from) cursor.fail("The source of the merge is missing");
  const alias = readAlias(cursor, "on", "using", "at");
  if (alias !== undefined && cursor.sees("(")) cursor.pass();
  if (cursor.takes("at")) cursor.pass();
  return {
    source: cursor.since(from),
    sourceAlias: alias ?? name?.at(-1) ?? NAMELESS,
    sourceName: alias === undefined ? name : undefined,
  };
}

function readOn(cursor: Cursor): Piece | { columns: string[] } {
  if (cursor.takes("using"))
    return { columns: readNames(cursor.parenthesised("the list of columns"), "a column's name") };
  if (!cursor.takes("on")) cursor.fail("ON and the condition are missing");
  return cursor.piece("the condition", (each) => each.sees("when"));
}

function readClause(cursor: Cursor): MergeClause {
  const { at } = cursor;
  cursor.needs("when");
  const on = readKind(cursor);
  const condition = cursor.takes("and") ? cursor.piece("the condition", (each) => each.sees("then")) : undefined;
  cursor.needs("then");
  return { on, condition, action: readAction(cursor, on), at };
}

function readKind(cursor: Cursor): MergeClause["on"] {
  if (cursor.takes("matched")) return "matched";
  cursor.needs("not", "matched");
  if (cursor.takes("by", "source")) return "not_matched_by_source";
  cursor.takes("by", "target");
  return "not_matched";
}

function readAction(cursor: Cursor, on: MergeClause["on"]): MergeAction {
  if (cursor.takes("do", "nothing")) return { kind: "nothing" };
  if (on !== "not_matched" && cursor.takes("delete")) return { kind: "delete" };
  if (on !== "not_matched" && cursor.takes("update")) return readUpdateAction(cursor, on);
  if (on === "not_matched" && cursor.takes("insert")) return readInsertAction(cursor);
  return cursor.fail(
    `After WHEN ${on.replaceAll("_", " ").toUpperCase()} comes ${on === "not_matched" ? "INSERT" : "UPDATE, DELETE"} or DO NOTHING`,
  );
}

/** By place unless told otherwise, as DuckDB has it. */
const readBy = (cursor: Cursor): "position" | "name" => {
  if (cursor.takes("by", "name")) return "name";
  cursor.takes("by", "position");
  return "position";
};

function readUpdateAction(cursor: Cursor, on: MergeClause["on"]): MergeAction {
  const isAll = !cursor.sees("set") || cursor.sees("set", "*");
  if (isAll && on === "not_matched_by_source")
    cursor.fail("There is no source row to update from: name the columns, UPDATE SET a = …");
  if (isAll) {
    if (cursor.takes("set", "*")) return { kind: "update", set: "position" };
    return { kind: "update", set: readBy(cursor) };
  }
  cursor.needs("set");
  return { kind: "update", set: readAssignments(cursor, (each) => each.sees("when") || each.sees("returning")) };
}

function readInsertAction(cursor: Cursor): MergeAction {
  if (cursor.takes("*")) return { kind: "insert", columns: undefined, values: "position" };
  if (cursor.takes("default", "values")) return { kind: "insert", columns: [], values: [] };
  const by = readBy(cursor);
  const columns = cursor.sees("(")
    ? readNames(cursor.parenthesised("the list of columns"), "a column's name")
    : undefined;
  if (!cursor.takes("values")) {
    if (columns) cursor.fail("VALUES is missing");
    return { kind: "insert", columns: undefined, values: by };
  }
  const values = cursor.parenthesised("the list of values").list("a value").map(valueOf);
  return { kind: "insert", columns, values };
}
