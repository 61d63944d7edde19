// ACME's tables and reference statements as SQL on a lake.

import questions from "./questions.json" with { type: "json" };
import tables from "./tables.json" with { type: "json" };

type Table = { columns: [name: string, type: string][]; rows: (string | null)[][] };

export const SCHEMA = "acme";

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (value: string | null): string => (value === null ? "NULL" : `'${value.replaceAll("'", "''")}'`);

/** A statement for each table, which makes it with its rows. */
export const LOADING: string[] = Object.entries(tables as unknown as Record<string, Table>).map(
  ([name, { columns, rows }]) => {
    const cells = columns.map(([column, type]) => `CAST(${quoted(column)} AS ${type}) AS ${quoted(column)}`);
    const values = rows.map((row) => `(${row.map(literal).join(", ")})`);
    const names = columns.map(([column]) => quoted(column)).join(", ");
    return `CREATE TABLE LAKE.${SCHEMA}.${name} AS SELECT ${cells.join(", ")} FROM (VALUES ${values.join(", ")}) t(${names})`;
  },
);

export type Question = { number: number; id: string; question: string; sql: string };
export const QUESTIONS: readonly Question[] = questions;

/**
 * Statements that DuckDB reads otherwise, each with why:
 * - 18: DATE_DIFF takes its unit first and as a text; in double quotes, and last, it is BigQuery's.
 */
const CHANGED: Record<number, (sql: string) => string> = {
  18: (sql) =>
    sql.replace(
      'DATE_DIFF(claim_open_date, claim_close_date, "day")',
      "DATE_DIFF('day', claim_open_date, claim_close_date)",
    ),
};

/** Each table by its whole name: a statement on a lake finds tables by nothing less. */
export const referenceSql = ({ number, sql }: Question): string =>
  (CHANGED[number]?.(sql) ?? sql).replaceAll(/\b(from|join)\s+(\w+)/gi, `$1 LAKE.${SCHEMA}.$2`);
