// Names and texts in GoogleSQL.

import type { SourceTableName } from "../../extract/source-table.ts";

/** A backslash keeps what is behind it from ending the name. */
export const quoteIdentifier = (name: string): string => `\`${name.replaceAll(/[\\`]/g, String.raw`\$&`)}\``;

/** With its dataset, which no job has of its own, and its project, which is not always the job's. */
export const quoteTable = (project: string, { schema, name }: SourceTableName): string =>
  quoteIdentifier([project, schema, name].join("."));

const ESCAPES: Readonly<Record<string, string>> = { "\n": String.raw`\n`, "\r": String.raw`\r` };

export const quoteLiteral = (text: string): string =>
  `'${text.replaceAll(/[\\'\n\r]/g, (character) => ESCAPES[character] ?? `\\${character}`)}'`;
