// Each kind of database spells names and texts its own way, in statements that the workspace builds around another
// one. Pure.

export type DatabaseKind = "lake" | "postgres" | "redshift" | "mysql" | "sqlserver" | "bigquery" | "snowflake";

const doubled = (mark: string) => (name: string) => mark + name.replaceAll(mark, mark + mark) + mark;
const standardText = doubled("'");
const backslashed = (text: string) =>
  `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`;

type Dialect = {
  quoteName(name: string): string;
  quoteText(text: string): string;
  /** The statement's first rows. */
  limited(select: string, rows: number): string;
};

const limit = (select: string, rows: number) => `SELECT ${select} LIMIT ${rows}`;
const STANDARD: Dialect = { quoteName: doubled('"'), quoteText: standardText, limited: limit };

export const DIALECTS: Record<DatabaseKind, Dialect> = {
  lake: STANDARD,
  postgres: STANDARD,
  redshift: STANDARD,
  snowflake: STANDARD,
  mysql: { quoteName: doubled("`"), quoteText: backslashed, limited: limit },
  bigquery: { quoteName: doubled("`"), quoteText: backslashed, limited: limit },
  sqlserver: {
    quoteName: doubled('"'),
    quoteText: (text) => `N${standardText(text)}`,
    limited: (select, rows) => `SELECT TOP ${rows} ${select}`,
  },
};
