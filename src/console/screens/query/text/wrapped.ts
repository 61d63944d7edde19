// Statements around another one: its rows in an order, filtered, or summed up for one column. They run where the
// statement itself runs, so that what is counted is what it answers. Pure.

import type { ColumnKind } from "../../../../../kernel/docs/draw/result-table.ts";
import type { ResultView } from "../run/run.ts";
import { DIALECTS, type DatabaseKind } from "./dialects.ts";

/** The statement as what another one reads from. */
export const within = (sql: string): string => `FROM (\n${sql.trim().replace(/;\s*$/, "")}\n) AS result`;

/** The statement as the view shows it; itself where the view adds nothing. */
export function viewedSql(sql: string, { sort, filters }: ResultView, kind: DatabaseKind): string {
  if (!sort && filters.length === 0) return sql;
  const { quoteName } = DIALECTS[kind];
  const where = filters.length === 0 ? "" : `\nWHERE ${filters.map(({ condition }) => condition).join("\n  AND ")}`;
  const order = sort ? `\nORDER BY ${quoteName(sort.column)} ${sort.isDescending ? "DESC" : "ASC"}` : "";
  return `SELECT * ${within(sql)}${where}${order}`;
}

/** Null keeps what is NULL. */
export function equalityOf(column: string, value: string | null, kind: DatabaseKind): string {
  const { quoteName, quoteText } = DIALECTS[kind];
  return value === null ? `${quoteName(column)} IS NULL` : `${quoteName(column)} = ${quoteText(value)}`;
}

/** Kinds of values that databases do not compare alike, if at all. */
const OPAQUE: ReadonlySet<ColumnKind> = new Set<ColumnKind>(["binary", "json"]);

/** Whether values can be compared, and so counted by their value. */
export const isComparable = (kind: ColumnKind): boolean => !OPAQUE.has(kind);

/** One row: all, not null, distinct, least, greatest. */
export function figuresSql(
  sql: string,
  column: string,
  { kind, database }: { kind: ColumnKind; database: DatabaseKind },
): string {
  const name = DIALECTS[database].quoteName(column);
  const more = !isComparable(kind)
    ? ""
    : `, count(DISTINCT ${name})${kind === "boolean" ? "" : `, min(${name}), max(${name})`}`;
  return `SELECT count(*), count(${name})${more} ${within(sql)}`;
}

export function topValuesSql(
  sql: string,
  column: string,
  { database, rows }: { database: DatabaseKind; rows: number },
): string {
  const { quoteName, limited } = DIALECTS[database];
  const name = quoteName(column);
  return limited(`${name}, count(*) AS n ${within(sql)} GROUP BY ${name} ORDER BY count(*) DESC`, rows);
}

/** Rows of each of so many equal steps between two numbers. */
export function histogramSql(
  sql: string,
  column: string,
  { database, low, step }: { database: DatabaseKind; low: number; step: number },
): string {
  const name = DIALECTS[database].quoteName(column);
  const bin = `floor((${name} - (${low})) / ${step})`;
  return `SELECT ${bin}, count(*) ${within(sql)} WHERE ${name} IS NOT NULL GROUP BY ${bin}`;
}
