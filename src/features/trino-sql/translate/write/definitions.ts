// Statements that write definitions, in the SQL of `/v1/query`. New names are in lower case, as Trino folds them.

import { quoteIdentifier } from "../../../../lake/format/names.ts";
import type { Name } from "../../parse/tree.ts";
import type { ColumnDefinition, WriteOf } from "../../parse/write.ts";
import { Refusal, unsupported } from "../../refusal.ts";
import { typeNamed } from "../values/type-names.ts";
import type { Place } from "../place.ts";
import { isNamed, renamed, type Table } from "../scope.ts";
import { castTo, textLiteral } from "../typed.ts";
import { requireOnce } from "./once.ts";
import { definedType, keptType, type FindTarget, type WriteTarget } from "./target.ts";

const folded = ({ text }: Name): string => quoteIdentifier(text.toLowerCase());

function creationOf(
  { target, isReplacing, isIfMissing }: WriteOf<"createTable" | "createTableAs">,
  into: WriteTarget,
): string {
  if (into.table && !isReplacing && !isIfMissing)
    throw new Refusal("TABLE_ALREADY_EXISTS", `Table '${into.table.qualifiers.join(".")}' already exists`, target.at);
  return `CREATE ${isReplacing ? "OR REPLACE " : ""}TABLE ${isIfMissing ? "IF NOT EXISTS " : ""}${into.sql}`;
}

export function translateCreate(write: WriteOf<"createTable">, into: WriteTarget): string {
  requireOnce(write.columns.map(({ name }) => name));
  return `${creationOf(write, into)} (${write.columns.map(definitionOf).join(", ")})${commented(write)}`;
}

const definitionOf = ({ name, type, isNullable, ...of }: ColumnDefinition): string =>
  `${folded(name)} ${definedType(typeNamed(type), type.at)}${isNullable ? "" : " NOT NULL"}${commented(of)}`;

const commented = ({ comment }: { comment?: string }): string =>
  comment === undefined ? "" : ` COMMENT ${textLiteral(comment)}`;

export function translateCreateAs(write: WriteOf<"createTableAs">, into: WriteTarget, place: Place): string {
  const { query, columns: names, hasRows } = write;
  const { sql, columns } = place.means.translateQuery(query, place);
  const named = renamed(columns, names, query.at).map(({ name, type }, i) => {
    if (name === undefined)
      throw new Refusal("MISSING_COLUMN_NAME", `Column name not specified at position ${i + 1}`, query.at);
    return { name: { text: name, isQuoted: true, at: query.at }, type: keptType(type, query.at) };
  });
  requireOnce(named.map(({ name }) => name));
  const alias = place.means.nextRelation();
  const items = named.map(({ name, type }, i) => `${castTo(`${alias}.c${i}`, type)} AS ${folded(name)}`);
  const select = `SELECT ${items.join(", ")} FROM (${sql}) AS ${alias}`;
  return `${creationOf(write, into)}${commented(write)} AS ${select}${hasRows ? "" : " WITH NO DATA"}`;
}

export const translateDrop = ({ isIfThere }: WriteOf<"dropTable">, { sql }: WriteTarget): string =>
  `DROP TABLE ${isIfThere ? "IF EXISTS " : ""}${sql}`;

type Alteration = WriteOf<
  "renameTable" | "addColumn" | "dropColumn" | "renameColumn" | "setColumnType" | "dropNotNull"
>;

export function translateAlter(write: Alteration, into: WriteTarget, findTarget: FindTarget): string {
  const head = `ALTER TABLE ${write.isIfThere ? "IF EXISTS " : ""}${into.sql}`;
  const columnOf = (name: Name): string => existing(into.table, name);
  switch (write.kind) {
    case "renameTable": {
      const moved = findTarget(write.to);
      if (moved.schema !== into.schema) throw unsupported("A table that moves to another schema", write.to[0]!.at);
      if (moved.table)
        throw new Refusal(
          "TABLE_ALREADY_EXISTS",
          `Table '${moved.table.qualifiers.join(".")}' already exists`,
          write.to[0]!.at,
        );
      return `${head} RENAME TO ${folded(write.to.at(-1)!)}`;
    }
    case "addColumn":
      return `${head} ADD COLUMN ${write.isIfMissing ? "IF NOT EXISTS " : ""}${definitionOf(write.column)}`;
    case "dropColumn":
      if (write.isColumnIfThere) return `${head} DROP COLUMN IF EXISTS ${folded(write.column)}`;
      return `${head} DROP COLUMN ${columnOf(write.column)}`;
    case "renameColumn":
      return `${head} RENAME COLUMN ${columnOf(write.column)} TO ${folded(write.to)}`;
    case "setColumnType": {
      const type = definedType(typeNamed(write.type), write.type.at);
      return `${head} ALTER COLUMN ${columnOf(write.column)} SET DATA TYPE ${type}`;
    }
    case "dropNotNull":
      return `${head} ALTER COLUMN ${columnOf(write.column)} DROP NOT NULL`;
  }
}

/** The column as the table spells it; where the table need not be there, as the statement does. */
function existing(table: Table | undefined, name: Name): string {
  if (!table) return folded(name);
  const found = table.columns.find((column) => isNamed(column.name, name.text));
  if (!found) throw new Refusal("COLUMN_NOT_FOUND", `Column '${name.text.toLowerCase()}' does not exist`, name.at);
  return quoteIdentifier(found.name);
}

export function translateComment(
  { comment, ...of }: WriteOf<"commentTable" | "commentColumn">,
  { sql, table }: WriteTarget,
): string {
  const on = of.kind === "commentTable" ? `TABLE ${sql}` : `COLUMN ${sql}.${existing(table, of.column)}`;
  return `COMMENT ON ${on} IS ${comment === null ? "NULL" : textLiteral(comment)}`;
}

/** `found`: the schema as the lake spells it, where it is there. */
export function translateSchema(write: WriteOf<"createSchema" | "dropSchema">, found: string | undefined): string {
  const name = write.target.name.at(-1)!;
  const { at } = write.target;
  const sql = `LAKE.${found === undefined ? folded(name) : quoteIdentifier(found)}`;
  if (write.kind === "createSchema") {
    if (found !== undefined && !write.isIfMissing)
      throw new Refusal("SCHEMA_ALREADY_EXISTS", `Schema '${name.text.toLowerCase()}' already exists`, at);
    return `CREATE SCHEMA ${write.isIfMissing ? "IF NOT EXISTS " : ""}${sql}`;
  }
  if (found === undefined && !write.isIfThere)
    throw new Refusal("SCHEMA_NOT_FOUND", `Schema '${name.text.toLowerCase()}' does not exist`, at);
  return `DROP SCHEMA ${write.isIfThere ? "IF EXISTS " : ""}${sql}${write.isCascading ? " CASCADE" : ""}`;
}
