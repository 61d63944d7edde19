// The tables by which Trino's clients look around: information_schema, system.jdbc and system.metadata. They hold what
// the caller may see of the lake, and nothing else.

import { quoteIdentifier } from "../../lake/format/names.ts";
import type { LakeDescription } from "../../../kernel/lake/lake.ts";
import type { Table } from "./translate/scope.ts";
import { castTo, textLiteral } from "./translate/typed.ts";
import { asDecimal, BIGINT, BOOLEAN, nameOf, VARCHAR, type Type } from "./trino-types.ts";
import { typeOfColumn } from "./lake-types.ts";

type Value = string | number | boolean | null;
type Row = Record<string, Value>;
/** Columns are texts but where another type is said. */
type Metadata = { columns: Record<string, Type>; hidden?: readonly string[]; rows: (of: Described) => Row[] };

export type Described = { catalog: string; catalogs: readonly string[]; lake: LakeDescription };

type SeenTable = { schema: string; name: string; columns: { name: string; type: Type }[] };

/** Names in lower case, as Trino folds them, without the columns that have no type of its. */
export const seenTables = ({ tables }: LakeDescription): SeenTable[] =>
  tables.map(({ schema, name, columns }) => ({
    schema: schema.toLowerCase(),
    name: name.toLowerCase(),
    columns: columns.flatMap((column) => {
      const known = typeOfColumn(column);
      return known ? [{ name: column.name.toLowerCase(), type: known.type }] : [];
    }),
  }));

export const INFORMATION_SCHEMA = "information_schema";

export const seenSchemas = ({ schemas }: LakeDescription): string[] =>
  [...schemas.map((schema) => schema.toLowerCase()), INFORMATION_SCHEMA].sort();

const texts = (...names: string[]): Record<string, Type> => Object.fromEntries(names.map((name) => [name, VARCHAR]));
const numbers = (...names: string[]): Record<string, Type> => Object.fromEntries(names.map((name) => [name, BIGINT]));
const booleans = (...names: string[]): Record<string, Type> => Object.fromEntries(names.map((name) => [name, BOOLEAN]));

const eachTable = <Made>({ lake }: Described, make: (table: SeenTable) => Made): Made[] => seenTables(lake).map(make);
const eachColumn = (
  of: Described,
  make: (table: SeenTable, column: SeenTable["columns"][number], ordinal: number) => Row,
): Row[] => eachTable(of, (table) => table.columns.map((column, i) => make(table, column, i + 1))).flat();

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
          is_nullable: "YES",
          data_type: nameOf(column.type, true),
        })),
    },
  },
  "system.jdbc": {
    catalogs: { columns: texts("table_cat"), rows: ({ catalogs }) => catalogs.map((table_cat) => ({ table_cat })) },
    schemas: {
      columns: texts("table_schem", "table_catalog"),
      rows: ({ catalog, lake }) => seenSchemas(lake).map((table_schem) => ({ table_schem, table_catalog: catalog })),
    },
    table_types: { columns: texts("table_type"), rows: () => [{ table_type: "TABLE" }, { table_type: "VIEW" }] },
    tables: {
      columns: texts(
        "table_cat",
        "table_schem",
        "table_name",
        "table_type",
        "remarks",
        "type_cat",
        "type_schem",
        "type_name",
        "self_referencing_col_name",
        "ref_generation",
      ),
      rows: (of) =>
        eachTable(of, ({ schema, name }) => ({
          table_cat: of.catalog,
          table_schem: schema,
          table_name: name,
          table_type: "TABLE",
        })),
    },
    columns: {
      columns: {
        ...texts("table_cat", "table_schem", "table_name", "column_name"),
        ...numbers("data_type"),
        ...texts("type_name"),
        ...numbers("column_size", "buffer_length", "decimal_digits", "num_prec_radix", "nullable"),
        ...texts("remarks", "column_def"),
        ...numbers("sql_data_type", "sql_datetime_sub", "char_octet_length", "ordinal_position"),
        ...texts("is_nullable", "scope_catalog", "scope_schema", "scope_table"),
        ...numbers("source_data_type"),
        ...texts("is_autoincrement", "is_generatedcolumn"),
      },
      rows: (of) =>
        eachColumn(of, ({ schema, name }, column, ordinal) => ({
          table_cat: of.catalog,
          table_schem: schema,
          table_name: name,
          column_name: column.name,
          data_type: jdbcTypeOf(column.type),
          type_name: nameOf(column.type, true),
          column_size: asDecimal(column.type)?.precision ?? null,
          decimal_digits: asDecimal(column.type)?.scale ?? null,
          num_prec_radix: asDecimal(column.type) ? 10 : null,
          nullable: 1,
          ordinal_position: ordinal,
          is_nullable: "YES",
          is_autoincrement: null,
          is_generatedcolumn: null,
        })),
    },
    types: {
      columns: {
        ...texts("type_name"),
        ...numbers("data_type", "precision"),
        ...texts("literal_prefix", "literal_suffix", "create_params"),
        ...numbers("nullable"),
        ...booleans("case_sensitive"),
        ...numbers("searchable"),
        ...booleans("unsigned_attribute", "fixed_prec_scale", "auto_increment"),
        ...texts("local_type_name"),
        ...numbers("minimum_scale", "maximum_scale", "sql_data_type", "sql_datetime_sub", "num_prec_radix"),
      },
      rows: () =>
        Object.entries(JDBC_TYPES).map(([kind, data_type]) => ({
          type_name: kind === "timestamptz" ? "timestamp with time zone" : kind,
          data_type,
          nullable: 1,
          case_sensitive: false,
          searchable: 3,
          unsigned_attribute: false,
          fixed_prec_scale: false,
          auto_increment: false,
        })),
    },
    procedures: {
      columns: {
        ...texts("procedure_cat", "procedure_schem", "procedure_name", "remarks"),
        ...numbers("procedure_type"),
        ...texts("specific_name"),
      },
      rows: () => [],
    },
    udts: {
      columns: {
        ...texts("type_cat", "type_schem", "type_name", "class_name"),
        ...numbers("data_type"),
        ...texts("remarks"),
        ...numbers("base_type"),
      },
      rows: () => [],
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
        eachTable(of, ({ schema, name }) => ({ catalog_name: of.catalog, schema_name: schema, table_name: name })),
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

const JDBC_TYPES: Record<string, number> = {
  boolean: 16,
  tinyint: -6,
  smallint: 5,
  integer: 4,
  bigint: -5,
  real: 7,
  double: 8,
  decimal: 3,
  varchar: 12,
  varbinary: -3,
  date: 91,
  time: 92,
  timestamp: 93,
  timestamptz: 2_014,
  array: 2_003,
};
const JDBC_OBJECT = 2_000;

const jdbcTypeOf = ({ kind }: Type): number => JDBC_TYPES[kind] ?? JDBC_OBJECT;

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
