// The heads of CREATE, DROP and ALTER.

import type { TokenCursor } from "./token-cursor.ts";
import { parseCommentText } from "./comment-text.ts";
import { parseNames } from "./parse-rows.ts";
import type { ColumnDefinition, TableChange, WriteStatement } from "./statement.ts";

const CONSTRAINTS = [
  "primary",
  "unique",
  "check",
  "references",
  "foreign",
  "constraint",
  "generated",
  "collate",
  "using",
];
/** The clauses that may come after a column's type. */
const AFTER_TYPE = ["not", "null", "default", "as", "comment", ...CONSTRAINTS];

export function parseCreate(cursor: TokenCursor): WriteStatement {
  const orReplace = cursor.accept("or", "replace");
  if (cursor.accept("schema")) {
    if (orReplace) cursor.fail("A schema can't be replaced");
    const ifMissing = cursor.accept("if", "not", "exists");
    const schema = cursor.name("the schema's name");
    cursor.expectEnd();
    return { kind: "create_schema", schema, ifMissing };
  }
  if (cursor.isAt("temp") || cursor.isAt("temporary"))
    cursor.fail(
      "Statements share no session, so that a temporary table would be gone at once; use a common table expression",
    );
  if (!cursor.accept("table")) cursor.fail("The lake holds schemas and tables, and nothing else can be made in it");
  const ifMissing = cursor.accept("if", "not", "exists");
  if (orReplace && ifMissing) cursor.fail("Say OR REPLACE or IF NOT EXISTS, not both");
  const head = { table: cursor.name("the table's name"), orReplace, ifMissing };
  const inner = cursor.isAt("(") ? cursor.parenthesised("the list of columns") : undefined;
  const comment = cursor.accept("comment") ? parseCommentText(cursor) : null;
  if (!cursor.accept("as")) {
    if (!inner) cursor.fail("The table's columns, or AS and a query, are missing");
    cursor.expectEnd();
    return { kind: "create_table", ...head, comment, columns: parseColumns(inner) };
  }
  const names = inner ? parseNames(inner, "a column's name") : [];
  const query = cursor.piece("the query", (each) => each.isAt("with", "no", "data") || each.isAt("with", "data"));
  const withRows = !cursor.accept("with", "no", "data");
  cursor.accept("with", "data");
  cursor.expectEnd();
  return { kind: "create_table_as", ...head, comment, names, query, withRows };
}

function parseColumns(cursor: TokenCursor): ColumnDefinition[] {
  const columns: ColumnDefinition[] = [];
  do {
    refuseConstraint(cursor);
    columns.push(parseColumn(cursor));
  } while (cursor.accept(","));
  cursor.expectEnd();
  return columns;
}

function parseColumn(cursor: TokenCursor): ColumnDefinition {
  const name = cursor.word("the column's name");
  const type = cursor.piece(
    "the column's type",
    (each) => each.isAt(",") || AFTER_TYPE.some((word) => each.isAt(word)),
  );
  let [nullable, comment]: [boolean, string | null] = [true, null];
  while (!cursor.ended && !cursor.isAt(",")) {
    if (cursor.accept("not", "null")) nullable = false;
    else if (comment === null && cursor.accept("comment")) comment = parseCommentText(cursor);
    else if (!cursor.accept("null")) refuseConstraint(cursor, true);
  }
  return { name, type, nullable, comment };
}

function refuseConstraint(cursor: TokenCursor, isOfColumn = false): void {
  if (cursor.isAt("default")) cursor.fail("DEFAULT can't be used: the lake's columns have no defaults");
  if (cursor.isAt("generated") || (isOfColumn && cursor.isAt("as")))
    cursor.fail("Generated columns can't be kept in the lake");
  if (CONSTRAINTS.some((word) => cursor.isAt(word)))
    cursor.fail("Of constraints the lake keeps NOT NULL alone; keys, checks and collations can't be declared");
  if (isOfColumn) cursor.fail("The column's definition goes on where it should end");
}

export function parseDrop(cursor: TokenCursor): WriteStatement {
  const isSchema = cursor.accept("schema");
  if (!isSchema && !cursor.accept("table"))
    cursor.fail("The lake holds schemas and tables, and nothing else can be dropped");
  const ifExists = cursor.accept("if", "exists");
  const name = cursor.name(isSchema ? "the schema's name" : "the table's name");
  const cascade = cursor.accept("cascade");
  if (!cascade) cursor.accept("restrict");
  cursor.expectEnd();
  return isSchema
    ? { kind: "drop_schema", schema: name, ifExists, cascade }
    : { kind: "drop_table", table: name, ifExists };
}

export function parseAlter(cursor: TokenCursor): WriteStatement {
  if (!cursor.accept("table")) cursor.fail("Of the lake's things tables alone can be altered");
  const ifExists = cursor.accept("if", "exists");
  const table = cursor.name("the table's name");
  const change = parseChange(cursor);
  cursor.expectEnd();
  return { kind: "alter_table", table, ifExists, change };
}

function parseChange(cursor: TokenCursor): TableChange {
  if (cursor.accept("add")) {
    if (!cursor.accept("column") && CONSTRAINTS.some((word) => cursor.isAt(word))) refuseConstraint(cursor);
    const ifMissing = cursor.accept("if", "not", "exists");
    const column = parseColumn(cursor);
    if (!column.nullable)
      cursor.fail("A column that is added is NULL in the rows that are there, so it can't be NOT NULL");
    return { kind: "add", ifMissing, column };
  }
  if (cursor.accept("drop")) {
    cursor.accept("column");
    const ifExists = cursor.accept("if", "exists");
    const column = cursor.word("the column's name");
    if (!cursor.accept("cascade")) cursor.accept("restrict");
    return { kind: "drop", ifExists, column };
  }
  if (cursor.accept("rename")) return parseRename(cursor);
  if (!cursor.accept("alter")) cursor.fail("Of ALTER TABLE the lake knows ADD, DROP, RENAME and ALTER COLUMN");
  cursor.accept("column");
  const column = cursor.word("the column's name");
  if (cursor.accept("set", "not", "null")) return { kind: "set_nullable", column, nullable: false };
  if (cursor.accept("drop", "not", "null")) return { kind: "set_nullable", column, nullable: true };
  if (!cursor.accept("set", "data", "type") && !cursor.accept("type")) refuseAlteration(cursor);
  const type = cursor.piece("the type", (each) => AFTER_TYPE.some((word) => each.isAt(word)));
  if (cursor.isAt("using"))
    cursor.fail(
      "USING can't be used: a column is widened in place; make the table anew with CREATE OR REPLACE TABLE … AS for " +
        "another change of type",
    );
  return { kind: "set_type", column, type };
}

function refuseAlteration(cursor: TokenCursor): void {
  if (cursor.isAt("set", "default")) cursor.skip();
  refuseConstraint(cursor, true);
}

function parseRename(cursor: TokenCursor): TableChange {
  if (cursor.accept("to")) return { kind: "rename_table", to: cursor.word("the table's new name") };
  cursor.accept("column");
  const column = cursor.word("the column's name");
  cursor.expect("to");
  return { kind: "rename", column, to: cursor.word("the column's new name") };
}
