// The heads of CREATE, DROP and ALTER.

import type { Cursor } from "./token-cursor.ts";
import { readNames } from "./parse-rows.ts";
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
/** What may come after a column's type. */
const AFTER_TYPE = ["not", "null", "default", "as", ...CONSTRAINTS];

export function readCreate(cursor: Cursor): WriteStatement {
  const orReplace = cursor.takes("or", "replace");
  if (cursor.takes("schema")) {
    if (orReplace) cursor.fail("A schema can't be replaced");
    const ifMissing = cursor.takes("if", "not", "exists");
    const schema = cursor.name("the schema's name");
    cursor.ends();
    return { kind: "create_schema", schema, ifMissing };
  }
  if (cursor.sees("temp") || cursor.sees("temporary"))
    cursor.fail(
      "Statements share no session, so that a temporary table would be gone at once; use a common table expression",
    );
  if (!cursor.takes("table")) cursor.fail("The lake holds schemas and tables, and nothing else can be made in it");
  const ifMissing = cursor.takes("if", "not", "exists");
  if (orReplace && ifMissing) cursor.fail("Say OR REPLACE or IF NOT EXISTS, not both");
  const head = { table: cursor.name("the table's name"), orReplace, ifMissing };
  const inner = cursor.sees("(") ? cursor.parenthesised("the list of columns") : undefined;
  if (!cursor.takes("as")) {
    if (!inner) cursor.fail("The table's columns, or AS and a query, are missing");
    cursor.ends();
    return { kind: "create_table", ...head, columns: readColumns(inner) };
  }
  const names = inner ? readNames(inner, "a column's name") : [];
  const query = cursor.piece("the query", (each) => each.sees("with", "no", "data") || each.sees("with", "data"));
  const withRows = !cursor.takes("with", "no", "data");
  cursor.takes("with", "data");
  cursor.ends();
  return { kind: "create_table_as", ...head, names, query, withRows };
}

function readColumns(cursor: Cursor): ColumnDefinition[] {
  const columns: ColumnDefinition[] = [];
  do {
    refuseConstraint(cursor);
    columns.push(readColumn(cursor));
  } while (cursor.takes(","));
  cursor.ends();
  return columns;
}

function readColumn(cursor: Cursor): ColumnDefinition {
  const name = cursor.word("the column's name");
  const type = cursor.piece(
    "the column's type",
    (each) => each.sees(",") || AFTER_TYPE.some((word) => each.sees(word)),
  );
  let nullable = true;
  while (!cursor.ended && !cursor.sees(",")) {
    if (cursor.takes("not", "null")) nullable = false;
    else if (!cursor.takes("null")) refuseConstraint(cursor, true);
  }
  return { name, type, nullable };
}

function refuseConstraint(cursor: Cursor, isOfColumn = false): void {
  if (cursor.sees("default")) cursor.fail("DEFAULT can't be used: the lake's columns have no defaults");
  if (cursor.sees("generated") || (isOfColumn && cursor.sees("as")))
    cursor.fail("Generated columns can't be kept in the lake");
  if (CONSTRAINTS.some((word) => cursor.sees(word)))
    cursor.fail("Of constraints the lake keeps NOT NULL alone; keys, checks and collations can't be declared");
  if (isOfColumn) cursor.fail("The column's definition goes on where it should end");
}

export function readDrop(cursor: Cursor): WriteStatement {
  const isSchema = cursor.takes("schema");
  if (!isSchema && !cursor.takes("table"))
    cursor.fail("The lake holds schemas and tables, and nothing else can be dropped");
  const ifExists = cursor.takes("if", "exists");
  const name = cursor.name(isSchema ? "the schema's name" : "the table's name");
  const cascade = cursor.takes("cascade");
  if (!cascade) cursor.takes("restrict");
  cursor.ends();
  return isSchema
    ? { kind: "drop_schema", schema: name, ifExists, cascade }
    : { kind: "drop_table", table: name, ifExists };
}

export function readAlter(cursor: Cursor): WriteStatement {
  if (!cursor.takes("table")) cursor.fail("Of the lake's things tables alone can be altered");
  const ifExists = cursor.takes("if", "exists");
  const table = cursor.name("the table's name");
  const change = readChange(cursor);
  cursor.ends();
  return { kind: "alter_table", table, ifExists, change };
}

function readChange(cursor: Cursor): TableChange {
  if (cursor.takes("add")) {
    if (!cursor.takes("column") && CONSTRAINTS.some((word) => cursor.sees(word))) refuseConstraint(cursor);
    const ifMissing = cursor.takes("if", "not", "exists");
    const column = readColumn(cursor);
    if (!column.nullable)
      cursor.fail("A column that is added is NULL in the rows that are there, so it can't be NOT NULL");
    return { kind: "add", ifMissing, column };
  }
  if (cursor.takes("drop")) {
    cursor.takes("column");
    const ifExists = cursor.takes("if", "exists");
    const column = cursor.word("the column's name");
    if (!cursor.takes("cascade")) cursor.takes("restrict");
    return { kind: "drop", ifExists, column };
  }
  if (cursor.takes("rename")) return readRename(cursor);
  if (!cursor.takes("alter")) cursor.fail("Of ALTER TABLE the lake knows ADD, DROP, RENAME and ALTER COLUMN");
  cursor.takes("column");
  const column = cursor.word("the column's name");
  if (cursor.takes("set", "not", "null")) return { kind: "set_nullable", column, nullable: false };
  if (cursor.takes("drop", "not", "null")) return { kind: "set_nullable", column, nullable: true };
  if (!cursor.takes("set", "data", "type") && !cursor.takes("type"))
    refuseConstraint(cursor.sees("set", "default") ? (cursor.pass(), cursor) : cursor, true);
  const type = cursor.piece("the type", (each) => AFTER_TYPE.some((word) => each.sees(word)));
  if (cursor.sees("using"))
    cursor.fail(
      "USING can't be used: a column is widened in place; make the table anew with CREATE OR REPLACE TABLE … AS for another change of type",
    );
  return { kind: "set_type", column, type };
}

function readRename(cursor: Cursor): TableChange {
  if (cursor.takes("to")) return { kind: "rename_table", to: cursor.word("the table's new name") };
  cursor.takes("column");
  const column = cursor.word("the column's name");
  cursor.needs("to");
  return { kind: "rename", column, to: cursor.word("the column's new name") };
}
