// Names and values written into the SQL of MySQL and MariaDB.

import type { SourceTableName } from "../../extract/source-table.ts";

export const quoteIdentifier = (name: string): string => `\`${name.replaceAll("`", "``")}\``;

/** Quotes a string literal. Backslashes escape in every `sql_mode` that our sessions have. */
export const quoteLiteral = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;

export const quoteTable = ({ schema, name }: SourceTableName): string =>
  `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
