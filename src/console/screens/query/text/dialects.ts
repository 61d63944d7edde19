// Each kind of database spells names and texts its own way, in statements that the workspace builds around another
// one. Pure.

import { quoteName, quoteText } from "../../../api/sql-text.ts";

export type DatabaseKind = "lake" | "postgres" | "redshift" | "mysql" | "sqlserver" | "bigquery" | "snowflake";

const backticked = (name: string) => `\`${name.replaceAll("`", "``")}\``;
const backslashed = (text: string) =>
  `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`;

type Dialect = {
  quoteName(name: string): string;
  quoteText(text: string): string;
  /** The statement's first rows. */
  limited(select: string, rows: number): string;
};

const limit = (select: string, rows: number) => `SELECT ${select} LIMIT ${rows}`;
const STANDARD: Dialect = { quoteName, quoteText, limited: limit };

export const DIALECTS: Record<DatabaseKind, Dialect> = {
  lake: STANDARD,
  postgres: STANDARD,
  redshift: STANDARD,
  snowflake: STANDARD,
  mysql: { quoteName: backticked, quoteText: backslashed, limited: limit },
  bigquery: { quoteName: backticked, quoteText: backslashed, limited: limit },
  sqlserver: {
    quoteName,
    quoteText: (text) => `N${quoteText(text)}`,
    limited: (select, rows) => `SELECT TOP ${rows} ${select}`,
  },
};
