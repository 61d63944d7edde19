// The tables by which Trino's clients look around: information_schema, system.jdbc and system.metadata. They hold what
// the caller may see of the lake, and nothing else.

import { quoteIdentifier } from "../../lake/format/names.ts";
import type { Table } from "./translate/scope.ts";
import { castTo, textLiteral } from "./translate/typed.ts";
import { nameOf, type Type } from "./trino-types.ts";
import {
  booleans,
  eachColumn,
  eachTable,
  INFORMATION_SCHEMA,
  numbers,
  seenSchemas,
  texts,
  type Described,
  type Metadata,
  type Row,
  type Value,
} from "./metadata/described.ts";
import { JDBC_TABLES } from "./metadata/jdbc-tables.ts";

/** By schema and name, in lower case. */
const TABLES: Record<string, Record<string, Metadata>> = {
  [INFORMATION_SCHEMA]: {
    schemata: {
      columns: texts("catalog_name", "schema_name"),
      rows: ({ catalog, lake }) => seenSchemas(lake).map((schema_name) => ({ catalog_name: catalog, schema_name })),
    },
    tables: {
      columns: texts("table_catalog", "table_schema", "table_name", "table_type"),
      rows: (of) =>
        eachTable(of, ({ schema, name }) => ({
          table_catalog: of.catalog,
          table_schema: schema,
          table_name: name,
          table_type: "BASE TABLE",
        })),
    },
    views: { columns: texts("table_catalog", "table_schema", "table_name", "view_definition"), rows: () => [] },
    columns: {
      columns: {
        ...texts("table_catalog", "table_schema", "table_name", "column_name"),
        ...numbers("ordinal_position"),
        ...texts("column_default", "is_nullable", "data_type", "comment", "extra_info"),
      },
      hidden: ["comment", "extra_info"],
      rows: (of) =>
        eachColumn(of, ({ schema, name }, column, ordinal) => ({
          table_catalog: of.catalog,
          table_schema: schema,
          table_name: name,
          column_name: column.name,
          ordinal_position: ordinal,
          column_default: null,
          is_nullable: column.isNullable ? "YES" : "NO",
          data_type: nameOf(column.type, true),
          comment: column.comment,
        })),
    },
  },
  "system.jdbc": JDBC_TABLES,
  "system.runtime": {
    nodes: {
      columns: { ...texts("node_id", "http_uri", "node_version"), ...booleans("coordinator"), ...texts("state") },
      rows: () => [{ node_id: "fjord", http_uri: null, node_version: "476", coordinator: true, state: "active" }],
    },
  },
  "system.metadata": {
    catalogs: {
      columns: texts("catalog_name", "connector_id", "connector_name", "state"),
      rows: ({ catalogs }) =>
        catalogs.map((name) => ({
          catalog_name: name,
          connector_id: name,
          connector_name: name === "system" ? name : "fjord",
          state: "READY",
        })),
    },
    table_comments: {
      columns: texts("catalog_name", "schema_name", "table_name", "comment"),
      rows: (of) =>
        eachTable(of, ({ schema, name, comment }) => ({
          catalog_name: of.catalog,
          schema_name: schema,
          table_name: name,
          comment,
        })),
    },
    materialized_views: {
      columns: texts(
        "catalog_name",
        "schema_name",
        "name",
        "storage_catalog",
        "storage_schema",
        "storage_table",
        "freshness",
        "comment",
        "definition",
      ),
      rows: () => [],
    },
  },
};

/** The table of this schema and name; undefined where there is none. */
export function metadataTable(schema: string, name: string, of: Described): Table | undefined {
  const known =
    Object.hasOwn(TABLES, schema) && Object.hasOwn(TABLES[schema]!, name) ? TABLES[schema]![name] : undefined;
  if (!known) return undefined;
  const columns = Object.entries(known.columns).map(([column, type]) => ({
    name: column,
    type,
    isHidden: known.hidden?.includes(column) ?? false,
  }));
  const isOfSystem = schema.startsWith("system.");
  const qualifiers = isOfSystem ? [...schema.split("."), name] : [of.catalog, schema, name];
  return { sql: valuesOf(columns, known.rows(of)), qualifiers, columns };
}

/** A table of these rows, in DuckDB's SQL. */
export function valuesOf(columns: readonly { name: string; type: Type }[], rows: readonly Row[]): string {
  const names = columns.map(({ name }) => quoteIdentifier(name)).join(", ");
  const typed = (values: (column: { name: string; type: Type }, i: number) => string): string =>
    columns
      .map((column, i) => `${castTo(values(column, i), column.type)} AS ${quoteIdentifier(column.name)}`)
      .join(", ");
  if (rows.length === 0) return `(SELECT ${typed(() => "NULL")} WHERE false)`;
  const lines = rows.map((row) => `(${columns.map(({ name }) => valueSql(row[name])).join(", ")})`);
  return `(SELECT ${typed(({ name }) => quoteIdentifier(name))} FROM (VALUES ${lines.join(", ")}) AS m(${names}))`;
}

const valueSql = (value: Value | undefined): string =>
  value === undefined || value === null ? "NULL" : typeof value === "string" ? textLiteral(value) : String(value);
