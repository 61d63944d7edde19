// The head of MERGE INTO, clause by clause.

import type { TokenCursor, NameParts, Piece } from "./token-cursor.ts";
import { parseAlias, parseAssignments, parseNames, refuseReturning, valueOf } from "./parse-rows.ts";
import type { MergeAction, MergeClause, WriteStatement } from "./statement.ts";

/** The name given to a source in parentheses that has none. */
const NAMELESS = "fjord source rows";

export function parseMerge(cursor: TokenCursor, ctes: Piece | undefined): WriteStatement {
  cursor.expect("into");
  const table = cursor.name("the table's name");
  const alias = parseAlias(cursor, "using");
  cursor.expect("using");
  const source = parseSource(cursor);
  const on = parseOn(cursor);
  const clauses: MergeClause[] = [];
  while (cursor.isAt("when")) clauses.push(parseClause(cursor));
  refuseReturning(cursor);
  cursor.expectEnd();
  if (clauses.length === 0) cursor.fail("WHEN [NOT] MATCHED is missing");
  return { kind: "merge", table, alias, ctes, ...source, on, clauses };
}

/** A table, or something in parentheses or a call, and the alias it has. */
function parseSource(cursor: TokenCursor): { source: Piece; sourceAlias: string; sourceName: NameParts | undefined } {
  const from = cursor.position;
  const name = cursor.isAtName ? cursor.name("the source's name") : undefined;
  if (cursor.isAt("(")) cursor.skip();
  if (cursor.position === from) cursor.fail("The source of the merge is missing");
  const alias = parseAlias(cursor, "on", "using", "at");
  if (alias !== undefined && cursor.isAt("(")) cursor.skip();
  if (cursor.accept("at")) cursor.skip();
  return {
    source: cursor.since(from),
    sourceAlias: alias ?? name?.at(-1) ?? NAMELESS,
    sourceName: alias === undefined ? name : undefined,
  };
}

function parseOn(cursor: TokenCursor): Piece | { columns: string[] } {
  if (cursor.accept("using"))
    return { columns: parseNames(cursor.parenthesised("the list of columns"), "a column's name") };
  if (!cursor.accept("on")) cursor.fail("ON and the condition are missing");
  return cursor.piece("the condition", (each) => each.isAt("when"));
}

function parseClause(cursor: TokenCursor): MergeClause {
  const { at } = cursor;
  cursor.expect("when");
  const on = parseKind(cursor);
  const condition = cursor.accept("and") ? cursor.piece("the condition", (each) => each.isAt("then")) : undefined;
  cursor.expect("then");
  return { on, condition, action: parseAction(cursor, on), at };
}

function parseKind(cursor: TokenCursor): MergeClause["on"] {
  if (cursor.accept("matched")) return "matched";
  cursor.expect("not", "matched");
  if (cursor.accept("by", "source")) return "not_matched_by_source";
  cursor.accept("by", "target");
  return "not_matched";
}

function parseAction(cursor: TokenCursor, on: MergeClause["on"]): MergeAction {
  if (cursor.accept("do", "nothing")) return { kind: "nothing" };
  if (on !== "not_matched" && cursor.accept("delete")) return { kind: "delete" };
  if (on !== "not_matched" && cursor.accept("update")) return parseUpdateAction(cursor, on);
  if (on === "not_matched" && cursor.accept("insert")) return parseInsertAction(cursor);
  return cursor.fail(
    `After WHEN ${on.replaceAll("_", " ").toUpperCase()} comes ` +
      `${on === "not_matched" ? "INSERT" : "UPDATE, DELETE"} or DO NOTHING`,
  );
}

/** Columns match by position unless BY NAME is given, as in DuckDB. */
const parseBy = (cursor: TokenCursor): "position" | "name" => {
  if (cursor.accept("by", "name")) return "name";
  cursor.accept("by", "position");
  return "position";
};

function parseUpdateAction(cursor: TokenCursor, on: MergeClause["on"]): MergeAction {
  const isAll = !cursor.isAt("set") || cursor.isAt("set", "*");
  if (isAll && on === "not_matched_by_source")
    cursor.fail("There is no source row to update from: name the columns, UPDATE SET a = …");
  if (isAll) {
    if (cursor.accept("set", "*")) return { kind: "update", set: "position" };
    return { kind: "update", set: parseBy(cursor) };
  }
  cursor.expect("set");
  return { kind: "update", set: parseAssignments(cursor, (each) => each.isAt("when") || each.isAt("returning")) };
}

function parseInsertAction(cursor: TokenCursor): MergeAction {
  if (cursor.accept("*")) return { kind: "insert", columns: undefined, values: "position" };
  if (cursor.accept("default", "values")) return { kind: "insert", columns: [], values: [] };
  const by = parseBy(cursor);
  const columns = cursor.isAt("(")
    ? parseNames(cursor.parenthesised("the list of columns"), "a column's name")
    : undefined;
  if (!cursor.accept("values")) {
    if (columns) cursor.fail("VALUES is missing");
    return { kind: "insert", columns: undefined, values: by };
  }
  const values = cursor.parenthesised("the list of values").list("a value").map(valueOf);
  return { kind: "insert", columns, values };
}
