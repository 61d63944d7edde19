// The tables of system.jdbc, by which Trino's JDBC driver looks around; their figures of types are Trino's.

import { asDecimal, nameOf, type Type } from "../trino-types.ts";
import { booleans, eachColumn, eachTable, numbers, seenSchemas, texts, type Metadata, type Row } from "./described.ts";

/** A lake has nothing of the kind. */
const empty = (columns: Metadata["columns"]): Metadata => ({ columns, rows: () => [] });

export const JDBC_TABLES: Record<string, Metadata> = {
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
        ...sizesOf(column.type),
        buffer_length: 0,
        nullable: column.isNullable ? 1 : 0,
        remarks: column.comment,
        ordinal_position: ordinal,
        is_nullable: column.isNullable ? "YES" : "NO",
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
    rows: () => [
      ...WHOLE_TYPES.map((kind) =>
        typeRow(kind, jdbcTypeOf({ kind } as Type), { searchable: 3, ...sizesOf({ kind } as Type) }),
      ),
      ...PARAMETRIC_TYPES.map((name) =>
        typeRow(name, name === "array" ? JDBC_TYPES.array! : JDBC_OBJECT, { searchable: 0 }),
      ),
    ],
  },
  procedures: empty({
    ...texts("procedure_cat", "procedure_schem", "procedure_name", "remarks"),
    ...numbers("procedure_type"),
    ...texts("specific_name"),
  }),
  udts: empty({
    ...texts("type_cat", "type_schem", "type_name", "class_name"),
    ...numbers("data_type"),
    ...texts("remarks"),
    ...numbers("base_type"),
  }),
  procedure_columns: empty({
    ...texts("procedure_cat", "procedure_schem", "procedure_name", "column_name"),
    ...numbers("column_type", "data_type"),
    ...texts("type_name"),
    ...numbers("precision", "length", "scale", "radix", "nullable"),
    ...texts("remarks", "column_def"),
    ...numbers("sql_data_type", "sql_datetime_sub", "char_octet_length", "ordinal_position"),
    ...texts("is_nullable", "specific_name"),
  }),
  attributes: empty({
    ...texts("type_cat", "type_schem", "type_name", "attr_name"),
    ...numbers("data_type"),
    ...texts("attr_type_name"),
    ...numbers("attr_size", "decimal_digits", "num_prec_radix", "nullable"),
    ...texts("remarks", "attr_def"),
    ...numbers("sql_data_type", "sql_datetime_sub", "char_octet_length", "ordinal_position"),
    ...texts("is_nullable", "scope_catalog", "scope_schema", "scope_table"),
    ...numbers("source_data_type"),
  }),
  super_types: empty(
    texts("type_cat", "type_schem", "type_name", "supertype_cat", "supertype_schem", "supertype_name"),
  ),
  super_tables: empty(texts("table_cat", "table_schem", "table_name", "supertable_name")),
  pseudo_columns: empty({
    ...texts("table_cat", "table_schem", "table_name", "column_name"),
    ...numbers("data_type", "column_size", "decimal_digits", "num_prec_radix"),
    ...texts("column_usage", "remarks"),
    ...numbers("char_octet_length", "is_nullable"),
  }),
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

const WHOLE_TYPES = [
  "boolean",
  "tinyint",
  "smallint",
  "integer",
  "bigint",
  "real",
  "double",
  "date",
  "varbinary",
  "uuid",
  "unknown",
] as const;
/** Trino says nothing more of a type that takes parameters. */
const PARAMETRIC_TYPES = ["varchar", "decimal", "time", "timestamp", "timestamp with time zone", "array", "map", "row"];

const typeRow = (
  type_name: string,
  data_type: number,
  { searchable, column_size = null, num_prec_radix = null }: Row,
): Row => ({
  type_name,
  data_type,
  precision: column_size!,
  nullable: 1,
  case_sensitive: false,
  searchable: searchable!,
  fixed_prec_scale: false,
  minimum_scale: 0,
  maximum_scale: 0,
  num_prec_radix: num_prec_radix!,
});

const UNBOUNDED = 2_147_483_647;
const FLOATING_BITS = { real: 24, double: 53 } as const;
/** The longest text of a day, a time and a moment, without the fraction of a second; and of a zone. */
const DAY_CHARACTERS = 14;
const TIME_CHARACTERS = 8;
const MOMENT_CHARACTERS = 21;
const ZONE_CHARACTERS = 34;

/** How long a value may be, in digits, bits or characters, and how many of the digits are a fraction's. */
function sizesOf(type: Type): Row {
  const digits = asDecimal(type);
  if (digits) {
    const scale = type.kind === "decimal" ? { decimal_digits: digits.scale } : {};
    return { column_size: digits.precision, num_prec_radix: 10, ...scale };
  }
  switch (type.kind) {
    case "real":
    case "double":
      return { column_size: FLOATING_BITS[type.kind], num_prec_radix: 2 };
    case "varchar":
      return { column_size: type.length ?? UNBOUNDED, char_octet_length: type.length ?? UNBOUNDED };
    case "varbinary":
      return { column_size: UNBOUNDED, char_octet_length: UNBOUNDED };
    case "date":
      return { column_size: DAY_CHARACTERS };
    case "time":
    case "timestamp":
    case "timestamptz":
      return { column_size: clockCharacters(type), decimal_digits: type.digits };
    default:
      return {};
  }
}

function clockCharacters({ kind, digits }: Extract<Type, { digits: number }>): number {
  const fraction = digits > 0 ? digits + 1 : 0;
  if (kind === "time") return TIME_CHARACTERS + fraction;
  return MOMENT_CHARACTERS + fraction + (kind === "timestamptz" ? ZONE_CHARACTERS : 0);
}
