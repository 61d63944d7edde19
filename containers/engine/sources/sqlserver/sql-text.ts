// Names and texts within T-SQL of the engine's own.

import type { SourceTableName } from "../../extract/source-table.ts";

export const quoteName = (name: string): string => `[${name.replaceAll("]", "]]")}]`;

export const quoteText = (text: string): string => `N'${text.replaceAll("'", "''")}'`;

export const quoteTable = ({ schema, name }: SourceTableName): string => `${quoteName(schema)}.${quoteName(name)}`;
