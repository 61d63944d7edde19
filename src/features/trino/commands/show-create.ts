// SHOW CREATE TABLE and SHOW CREATE SCHEMA, as far as the caller sees what is there.

import { quoteIdentifier } from "../../../lake/format/names.ts";
import { isReserved } from "../../trino-sql/parse/cursor.ts";
import type { Statement } from "../../trino-sql/parse/parse-statement.ts";
import { Refusal } from "../../trino-sql/refusal.ts";
import { catalogOf, definitionFinder, openCatalog, schemaFinder } from "../../trino-sql/lake-tables.ts";
import type { SeenTable } from "../../trino-sql/metadata/described.ts";
import { textLiteral } from "../../trino-sql/translate/typed.ts";
import { nameOf, VARCHAR } from "../../trino-sql/trino-types.ts";
import { answerRows } from "../answer.ts";
import type { Exchange } from "../exchange.ts";

type ShowCreate = Extract<Statement, { kind: "showCreate" }>;

export async function showCreate(asked: Exchange, { of, target }: ShowCreate): Promise<Response> {
  const { ctx, session } = asked;
  const { name, at } = target;
  const catalog = await openCatalog(ctx, catalogOf(target, session), { kind: "showCreate" });
  if (of === "schema") {
    const found = schemaFinder(catalog, session)(name);
    if (found === undefined)
      throw new Refusal("SCHEMA_NOT_FOUND", `Schema '${name.at(-1)!.text.toLowerCase()}' does not exist`, at);
    const path = pathText([catalog.catalog, found.toLowerCase()]);
    return answerRows(asked, { "Create Schema": VARCHAR }, [[`CREATE SCHEMA ${path}`]]);
  }
  const table = definitionFinder(catalog, session)(name);
  if (of === "view")
    throw new Refusal(
      "NOT_SUPPORTED",
      `Relation '${catalog.catalog}.${table.schema}.${table.name}' is a table, not a view`,
      at,
    );
  return answerRows(asked, { "Create Table": VARCHAR }, [[definitionOf(catalog.catalog, table)]]);
}

function definitionOf(catalog: string, { schema, name, columns, comment }: SeenTable): string {
  const lines = columns.map((column) => {
    const nullable = column.isNullable ? "" : " NOT NULL";
    return `   ${nameText(column.name)} ${nameOf(column.type)}${nullable}${commentText(column.comment, " ")}`;
  });
  return `CREATE TABLE ${pathText([catalog, schema, name])} (\n${lines.join(",\n")}\n)${commentText(comment, "\n")}`;
}

const commentText = (comment: string | null, before: string): string =>
  comment === null ? "" : `${before}COMMENT ${textLiteral(comment)}`;

const nameText = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) && !isReserved(name.toUpperCase()) ? name : quoteIdentifier(name);

const pathText = (names: readonly string[]): string => names.map(nameText).join(".");
