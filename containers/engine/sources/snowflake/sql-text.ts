// Names and texts in the SQL that the engine writes for Snowflake.

import type { SourceTableName } from "../../extract/source-table.ts";

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A backslash begins an escape in Snowflake's texts. */
export const quoteLiteral = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;

/** With its database, so that nothing depends on where the session is. */
export const quoteTable = (database: string, { schema, name }: SourceTableName): string =>
  [database, schema, name].map(quoteIdentifier).join(".");

/** Names are in capitals unless somebody saw to it that they are not. */
export const FOLDING = "upper";
