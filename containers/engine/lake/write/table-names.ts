// Resolves the names of a statement that writes in the lake's description. As in DuckDB, the case of letters is
// ignored.

import { Failure } from "../../core/failure.ts";
import type { LakeColumn, LakeDescription, LakeTable, LakeTableName } from "../../../../kernel/lake/lake.ts";
import { CATALOG, DEFAULT_SCHEMA } from "../sql/catalogs.ts";
import { sameName } from "../../duckdb/names.ts";
import { didYouMean } from "../sql/hints/near-names.ts";
import type { NameParts } from "./parse/token-cursor.ts";

export const sqlError = (message: string): Failure => new Failure("sql_error", message);

export const spelled = ({ schema, name }: LakeTableName): string => `${schema}.${name}`;

/** The schema of this name as it is spelled; undefined where there is none. */
const findSchema = ({ schemas }: LakeDescription, name: string): string | undefined =>
  schemas.find((schema) => sameName(schema, name));

/**
 * A name means a table, whether it is there or not. `LAKE.t` is in the schema main, unless there is a schema of that
 * name.
 */
export function tableName(parts: NameParts, description: LakeDescription): LakeTableName {
  const name = parts.at(-1)!;
  const [catalog, schema] = parts.length === 3 ? parts : parts.length === 2 ? ["", parts[0]!] : ["", DEFAULT_SCHEMA];
  if (catalog !== "" && !sameName(catalog!, CATALOG))
    throw sqlError(`There is no catalog ${catalog}; the lake's is LAKE.`);
  const found =
    findSchema(description, schema!) ?? (parts.length === 2 && sameName(schema!, CATALOG) ? DEFAULT_SCHEMA : undefined);
  if (found === undefined) throw sqlError(`The schema ${schema} does not exist in the lake; CREATE SCHEMA makes it.`);
  return { schema: found, name };
}

/** The name as in {@link tableName}, where the lake's schemas need not be known. */
export function plainName(parts: NameParts): LakeTableName {
  const schema = parts.at(-2) ?? DEFAULT_SCHEMA;
  return { schema: parts.length === 2 && sameName(schema, CATALOG) ? DEFAULT_SCHEMA : schema, name: parts.at(-1)! };
}

/** The table a name means; undefined where it, or its schema, is not there. */
export function lookUpTable(parts: NameParts, description: LakeDescription): LakeTable | undefined {
  try {
    return findTable(description, tableName(parts, description));
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

export function schemaName(parts: NameParts): string {
  const [catalog] = parts.length > 1 ? parts : [CATALOG];
  if (parts.length > 2 || !sameName(catalog!, CATALOG))
    throw sqlError(`There is no catalog ${parts.slice(0, -1).join(".")}; the lake's is LAKE.`);
  return parts.at(-1)!;
}

export const hasSchema = (description: LakeDescription, name: string): boolean =>
  findSchema(description, name) !== undefined;

export const findTable = ({ tables }: LakeDescription, { schema, name }: LakeTableName): LakeTable | undefined =>
  tables.find((table) => sameName(table.schema, schema) && sameName(table.name, name));

/** Throws where a table does not exist. */
export const needTable = (description: LakeDescription, named: LakeTableName): LakeTable => {
  const table = findTable(description, named);
  if (!table)
    throw sqlError(
      `The table ${spelled(named)} does not exist in the lake, or you may not read ` +
        `it.${didYouMean(named, description)}`,
    );
  return table;
};

/** Throws where the table has no such column. */
export function needColumn(
  { columns, ...table }: Pick<LakeTable, "schema" | "name" | "columns">,
  name: string,
): LakeColumn {
  const column = columns.find((each) => sameName(each.name, name));
  if (!column) throw sqlError(`The table ${spelled(table)} has no column ${name}.`);
  return column;
}

/** The columns that a list names, in its order; each may occur once. */
export function needColumns(table: LakeTable, names: readonly string[]): LakeColumn[] {
  const columns = names.map((name) => needColumn(table, name));
  columns.forEach((column, i) => {
    if (columns.indexOf(column) !== i) throw sqlError(`The column ${column.name} is named twice.`);
  });
  return columns;
}
