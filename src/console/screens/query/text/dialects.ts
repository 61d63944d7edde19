// Each kind of database spells names and texts its own way, in statements that the workspace builds around another
// one. Pure.

import type { ColumnKind } from "../../../../../kernel/docs/draw/result-table.ts";
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
  /** The function that counts in numbers of 64 bits. */
  count: string;
  /** What is summed up of a column, and averaged, so that whole numbers neither overflow nor are cut to whole ones. */
  summand(name: string, kind: ColumnKind): string;
  averaged(name: string): string;
};

const limit = (select: string, rows: number) => `SELECT ${select} LIMIT ${rows}`;
const asItIs = (name: string): string => name;
const asDecimal = (name: string): string => `1.0 * ${name}`;
const COUNTING = { count: "count", summand: asItIs, averaged: asItIs };
const STANDARD: Dialect = { quoteName, quoteText, limited: limit, ...COUNTING };

/** Sums of these have as many bits as they themselves, where nothing is done about it. */
const WHOLE: ReadonlySet<ColumnKind> = new Set<ColumnKind>(["integer", "bigint"]);

export const DIALECTS: Record<DatabaseKind, Dialect> = {
  lake: STANDARD,
  postgres: STANDARD,
  redshift: { ...STANDARD, averaged: asDecimal },
  snowflake: STANDARD,
  mysql: { quoteName: backticked, quoteText: backslashed, limited: limit, ...COUNTING },
  bigquery: { quoteName: backticked, quoteText: backslashed, limited: limit, ...COUNTING },
  sqlserver: {
    quoteName,
    quoteText: (text) => `N${quoteText(text)}`,
    limited: (select, rows) => `SELECT TOP ${rows} ${select}`,
    count: "count_big",
    summand: (name, kind) => (WHOLE.has(kind) ? `CAST(${name} AS decimal(38, 0))` : name),
    averaged: asDecimal,
  },
};
