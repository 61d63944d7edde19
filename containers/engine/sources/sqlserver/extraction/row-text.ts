// A row's columns as one text that the server hashes, in T-SQL: every type in a form in which different values look
// different.

import { quoteName } from "../sql-text.ts";
import type { DeclaredColumn } from "./plan-column.ts";

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
  if (isEncrypted) return bytesText(name);
  switch (typeName) {
    case "tinyint":
    case "smallint":
    case "int":
    case "bigint":
    case "bit":
    case "decimal":
    case "numeric":
    case "uniqueidentifier":
      return `CONVERT(varchar(41), ${name})`;
    case "money":
    case "smallmoney":
      // By itself it is printed with two of its four digits.
      return `CONVERT(varchar(41), CONVERT(decimal(19,4), ${name}))`;
    case "real":
      return `CONVERT(varchar(8), CONVERT(binary(4), ${name}), 2)`;
    case "float":
      return `CONVERT(varchar(16), CONVERT(binary(8), ${name}), 2)`;
    case "date":
    case "time":
    case "datetime2":
    case "datetime":
    case "smalldatetime":
    case "datetimeoffset":
      return `CONVERT(varchar(40), ${name}, 121)`;
    case "text":
      return bytesText(`CONVERT(varchar(max), ${name})`);
    case "ntext":
    case "xml":
    case "json":
    case "vector":
      return bytesText(`CONVERT(nvarchar(max), ${name})`);
    case "sql_variant":
      return `CONCAT(CONVERT(varchar(128), SQL_VARIANT_PROPERTY(${name}, 'BaseType')), ' ', ${bytesText(`CONVERT(varbinary(8000), ${name})`)})`;
    default:
      return bytesText(name);
  }
}

function bytesText(value: string): string {
  const bytes = `CONVERT(varbinary(max), ${value})`;
  return `CONCAT(DATALENGTH(${bytes}), ' ', CONVERT(varchar(64), HASHBYTES('SHA2_256', ${bytes}), 2))`;
}
