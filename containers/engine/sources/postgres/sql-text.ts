// Names and values written into PostgreSQL's SQL.

import type { SourceTableName } from "../../extract/source-table.ts";

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A string literal, under `standard_conforming_strings`. */
export const quoteLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export const quoteTable = ({ schema, name }: SourceTableName): string =>
  `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
