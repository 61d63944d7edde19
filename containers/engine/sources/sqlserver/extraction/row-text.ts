// A row's columns as one text that the server hashes, in T-SQL: every type in a form in which different values look
// different.

import { entryOf, forTypes } from "../../../core/type-tables.ts";
import { quoteName } from "../sql-text.ts";
import type { DeclaredColumn, SqlServerType } from "./plan-column.ts";

/** CONCAT takes 254 at most. */
const ARGUMENTS_MAX = 200;

/**
 * Numbers and times, which hold no comma, as they are printed; texts and bytes by their length and their own hash; NULL
 * by an N. All of it is ASCII.
 */
export function rowText(columns: readonly DeclaredColumn[]): string {
  const texts = columns.map((column) => {
    const name = quoteName(column.name);
    return `CASE WHEN ${name} IS NULL THEN 'N' ELSE ${valueText(column, name)} END`;
  });
  const chunks: string[] = [];
  for (let i = 0; i < texts.length; i += ARGUMENTS_MAX) chunks.push(concatenate(texts.slice(i, i + ARGUMENTS_MAX)));
  return chunks.length === 1 ? chunks[0]! : concatenate(chunks);
}

/** The text may have any length: an empty text of the largest type makes it so. */
const concatenate = (texts: readonly string[]): string => `CONCAT(CONVERT(varchar(max), ''), ${texts.join(", ',', ")})`;

function valueText({ typeName, isEncrypted }: DeclaredColumn, name: string): string {
  return isEncrypted ? bytesText(name) : (entryOf(TEXTS, typeName) ?? bytesText)(name);
}

const TEXTS: Record<SqlServerType, (name: string) => string> = {
  ...forTypes(
    ["tinyint", "smallint", "int", "bigint", "bit", "decimal", "numeric", "uniqueidentifier"],
    (name) => `CONVERT(varchar(41), ${name})`,
  ),
  // By itself it is printed with two of its four digits.
  ...forTypes(["money", "smallmoney"], (name) => `CONVERT(varchar(41), CONVERT(decimal(19,4), ${name}))`),
  real: (name) => `CONVERT(varchar(8), CONVERT(binary(4), ${name}), 2)`,
  float: (name) => `CONVERT(varchar(16), CONVERT(binary(8), ${name}), 2)`,
  ...forTypes(
    ["date", "time", "datetime2", "datetime", "smalldatetime", "datetimeoffset"],
    (name) => `CONVERT(varchar(40), ${name}, 121)`,
  ),
  text: (name) => bytesText(`CONVERT(varchar(max), ${name})`),
  ...forTypes(["ntext", "xml", "json", "vector"], (name) => bytesText(`CONVERT(nvarchar(max), ${name})`)),
  sql_variant: (name) => {
    const type = `CONVERT(varchar(128), SQL_VARIANT_PROPERTY(${name}, 'BaseType'))`;
    return `CONCAT(${type}, ' ', ${bytesText(`CONVERT(varbinary(8000), ${name})`)})`;
  },
  ...forTypes(["char", "varchar", "nchar", "nvarchar", "sysname", "binary", "varbinary", "image"], bytesText),
  ...forTypes(["timestamp", "hierarchyid", "geometry", "geography"], bytesText),
};

function bytesText(value: string): string {
  const bytes = `CONVERT(varbinary(max), ${value})`;
  return `CONCAT(DATALENGTH(${bytes}), ' ', CONVERT(varchar(64), HASHBYTES('SHA2_256', ${bytes}), 2))`;
}
