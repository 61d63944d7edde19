// Statements that look around by a word of their own, as queries of the metadata.

import { quoteIdentifier } from "../../../lake/format/names.ts";
import { parseSql, type Statement } from "../../trino-sql/parse/parse-statement.ts";
import { Refusal } from "../../trino-sql/refusal.ts";
import { functionNames } from "../../trino-sql/translate/functions/call.ts";
import { textLiteral } from "../../trino-sql/translate/typed.ts";
import type { Name } from "../../trino-sql/parse/tree.ts";
import { OWN_LAKE } from "../../trino-sql/lake-tables.ts";
import type { Session } from "../session.ts";

const KINDS = ["showCatalogs", "showSchemas", "showTables", "showColumns", "showFunctions"] as const;
type Show = Extract<Statement, { kind: (typeof KINDS)[number] }>;

export const isShow = (statement: Statement): statement is Show =>
  (KINDS as readonly string[]).includes(statement.kind);

const like = (column: string, pattern: string | undefined): string =>
  pattern === undefined ? "" : ` AND ${column} LIKE ${textLiteral(pattern)}`;

/** The query that says what a command is to show. */
export function queryOfShow(show: Show, session: Session): Extract<Statement, { kind: "query" }> {
  const statement = parseSql(textOf(show, session));
  if (statement.kind !== "query") throw new Error("What shows metadata is no query.");
  return statement;
}

function textOf(show: Show, session: Session): string {
  switch (show.kind) {
    case "showCatalogs":
      return `SELECT table_cat AS "Catalog" FROM system.jdbc.catalogs WHERE true${like("table_cat", show.like)} ORDER BY 1`;
    case "showSchemas": {
      const catalog = quoteIdentifier(show.catalog?.text ?? session.catalog ?? OWN_LAKE);
      const from = `${catalog}.information_schema.schemata`;
      return `SELECT schema_name AS "Schema" FROM ${from} WHERE true${like("schema_name", show.like)} ORDER BY 1`;
    }
    case "showTables": {
      const [schema = session.schema, catalog] = backwards(show.from);
      const from = `${quoteIdentifier(catalog ?? session.catalog ?? OWN_LAKE)}.information_schema.tables`;
      return (
        `SELECT table_name AS "Table" FROM ${from} WHERE table_schema = ${inSchema(schema)}` +
        `${like("table_name", show.like)} ORDER BY 1`
      );
    }
    case "showFunctions": {
      const names = functionNames().map(({ name, kind }) => `(${textLiteral(name)}, '${kind}')`);
      return (
        `SELECT name AS "Function", '' AS "Return Type", '' AS "Argument Types", kind AS "Function Type", ` +
        `true AS "Deterministic", '' AS "Description" FROM (VALUES ${names.join(", ")}) AS f(name, kind) ` +
        `WHERE true${like("name", show.like)} ORDER BY 1`
      );
    }
    case "showColumns": {
      const [table = "", schema = session.schema, catalog] = backwards(show.table);
      const from = `${quoteIdentifier(catalog ?? session.catalog ?? OWN_LAKE)}.information_schema.columns`;
      return (
        `SELECT column_name AS "Column", data_type AS "Type", '' AS "Extra", coalesce(comment, '') AS "Comment" FROM ${from} ` +
        `WHERE table_schema = ${inSchema(schema)} AND table_name = ${textLiteral(table.toLowerCase())}` +
        `${like("column_name", show.like)} ORDER BY ordinal_position`
      );
    }
  }
}

const backwards = (names: readonly Name[]): string[] => names.map(({ text }) => text).reverse();

function inSchema(schema: string | undefined): string {
  if (schema === undefined)
    throw new Refusal("GENERIC_USER_ERROR", "Schema must be specified when session schema is not set");
  return textLiteral(schema.toLowerCase());
}
