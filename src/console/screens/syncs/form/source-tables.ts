// Each kind of database is asked for its tables in its own words, with rows and bytes where it knows them. Pure.

import type { components } from "../../../api/schema.d.ts";
import type { StatementRow } from "../../../api/statement.ts";
import { wordsFinder } from "../../../ui/data/words.ts";

export type SourceKind = Exclude<components["schemas"]["Integration"]["type"], "lake" | "cube" | "slack" | "trino">;
export type SourceTable = { name: string; rows: number | null; bytes: number | null; isView: boolean };

/** Undefined where a kind has no statement that lists the tables of all its schemas. */
export const TABLES_SQL: Record<SourceKind, string | undefined> = {
  postgres: `SELECT n.nspname AS schema_name, c.relname AS table_name, c.relkind IN ('v', 'm') AS is_view,
  CASE WHEN c.reltuples >= 0 THEN c.reltuples::bigint END AS row_count, c.relpages::bigint * 8192 AS byte_count
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
ORDER BY 1, 2`,
  mysql: `SELECT table_schema AS schema_name, table_name AS table_name, table_type <> 'BASE TABLE' AS is_view,
  table_rows AS row_count, data_length AS byte_count
FROM information_schema.tables
WHERE table_schema NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys') ORDER BY 1, 2`,
  redshift: `SELECT table_schema AS schema_name, table_name, table_type <> 'BASE TABLE' AS is_view
FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2`,
  sqlserver: `SELECT table_schema AS schema_name, table_name, CASE WHEN table_type = 'VIEW' THEN 1 ELSE 0 END AS is_view
FROM information_schema.tables ORDER BY 1, 2`,
  snowflake: `SELECT table_schema AS "schema_name", table_name AS "table_name", table_type <> 'BASE TABLE' AS "is_view",
  row_count AS "row_count", bytes AS "byte_count"
FROM information_schema.tables WHERE table_schema <> 'INFORMATION_SCHEMA' ORDER BY 1, 2`,
  bigquery: undefined,
};

export const isSourceKind = (kind: string): kind is SourceKind => Object.hasOwn(TABLES_SQL, kind);

export function sourceTableOf(row: StatementRow): SourceTable {
  const isView = row.is_view;
  return {
    name: `${String(row.schema_name)}.${String(row.table_name)}`,
    rows: numberOf(row.row_count),
    bytes: numberOf(row.byte_count),
    isView: isView === true || isView === 1 || isView === "1",
  };
}

const numberOf = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));

/** The tables whose names hold every word. */
export function matching(tables: readonly SourceTable[], text: string): SourceTable[] {
  const isFound = wordsFinder(text);
  return tables.filter(({ name }) => isFound(name));
}

/** The pattern that stands for all tables of the schema that a table is in. */
export const starOf = (table: string): string => `${table.slice(0, table.indexOf("."))}.*`;
