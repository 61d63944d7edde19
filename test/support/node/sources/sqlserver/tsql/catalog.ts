// The catalog views of the fake's database, and what stands in them of a column.

import { parseType } from "../tds/column-types.ts";

export type TableColumn = {
  name: string;
  /** The column's type as T-SQL writes it. */
  type: string;
  nullable?: boolean;
  /** What it is counted up by, or down. */
  identity?: number;
  computed?: boolean;
  comment?: string;
};

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const text = (value: string | undefined): string =>
  value === undefined ? "NULL" : `'${value.replaceAll("'", "''")}'`;

/** The numbers of types in `sys.types`. */
export const TYPE_IDS: Record<string, number> = {
  image: 34,
  text: 35,
  uniqueidentifier: 36,
  date: 40,
  time: 41,
  datetime2: 42,
  datetimeoffset: 43,
  tinyint: 48,
  smallint: 52,
  int: 56,
  smalldatetime: 58,
  real: 59,
  money: 60,
  datetime: 61,
  float: 62,
  sql_variant: 98,
  ntext: 99,
  bit: 104,
  decimal: 106,
  numeric: 108,
  smallmoney: 122,
  bigint: 127,
  hierarchyid: 128,
  geometry: 129,
  geography: 130,
  varbinary: 165,
  varchar: 167,
  binary: 173,
  char: 175,
  timestamp: 189,
  nvarchar: 231,
  nchar: 239,
  xml: 241,
  json: 244,
};

export const CATALOG = `
  CREATE SCHEMA sys; CREATE SCHEMA dbo;
  CREATE TABLE sys.databases (database_id INTEGER, name VARCHAR, snapshot_isolation_state UTINYINT,
    create_date TIMESTAMP DEFAULT '2026-01-01', is_read_committed_snapshot_on INTEGER DEFAULT 1);
  CREATE TABLE sys.database_recovery_status (database_id INTEGER, recovery_fork_guid VARCHAR);
  INSERT INTO sys.database_recovery_status VALUES (5, '0e984725-c51c-4bf4-9960-e1c80e27aba0');
  CREATE TABLE sys.schemas (schema_id INTEGER, name VARCHAR);
  CREATE TABLE sys.types (name VARCHAR, system_type_id INTEGER, user_type_id INTEGER);
  CREATE TABLE sys.objects (object_id INTEGER, name VARCHAR, schema_id INTEGER, type VARCHAR, is_ms_shipped INTEGER,
    modify_date TIMESTAMP DEFAULT '2026-01-01');
  CREATE VIEW sys.all_objects AS FROM sys.objects;
  CREATE TABLE sys.tables (object_id INTEGER, name VARCHAR, schema_id INTEGER, is_external INTEGER,
    is_memory_optimized INTEGER DEFAULT 0);
  CREATE TABLE sys.columns (object_id INTEGER, name VARCHAR, column_id INTEGER, system_type_id INTEGER,
    user_type_id INTEGER, max_length INTEGER, precision INTEGER, scale INTEGER, is_nullable INTEGER,
    is_identity INTEGER, is_computed INTEGER, generated_always_type INTEGER, collation_name VARCHAR,
    is_hidden INTEGER DEFAULT 0, is_masked INTEGER DEFAULT 0, encryption_type INTEGER);
  CREATE TABLE sys.identity_columns (object_id INTEGER, column_id INTEGER, increment_value INTEGER);
  CREATE TABLE sys.computed_columns (object_id INTEGER, column_id INTEGER, definition VARCHAR, is_persisted INTEGER);
  CREATE TABLE sys.indexes (object_id INTEGER, index_id INTEGER, is_primary_key INTEGER, is_unique INTEGER,
    has_filter INTEGER DEFAULT 0, is_disabled INTEGER DEFAULT 0, is_hypothetical INTEGER DEFAULT 0);
  CREATE TABLE sys.index_columns (object_id INTEGER, index_id INTEGER, column_id INTEGER, key_ordinal INTEGER,
    is_included_column INTEGER DEFAULT 0);
  CREATE TABLE sys.foreign_key_columns (constraint_object_id INTEGER, constraint_column_id INTEGER,
    parent_object_id INTEGER, parent_column_id INTEGER, referenced_object_id INTEGER, referenced_column_id INTEGER);
  CREATE TABLE sys.extended_properties (class INTEGER, major_id INTEGER, minor_id INTEGER, name VARCHAR, value VARCHAR);
  CREATE TABLE sys.partitions (partition_id BIGINT, object_id INTEGER, index_id INTEGER, rows BIGINT);
  CREATE TABLE sys.allocation_units (container_id BIGINT, used_pages BIGINT);
  CREATE TABLE sys.database_permissions (grantee_principal_id INTEGER, type VARCHAR, state VARCHAR);
  CREATE TABLE sys.user_token (principal_id INTEGER);
  INSERT INTO sys.user_token VALUES (0), (7);`;

const UNIT_BYTES: Record<string, number> = { nvarchar: 2, nchar: 2 };
const SIZED = /^n?(var)?char$|^(var)?binary$/;

export function columnCells(
  id: number,
  ordinal: number,
  { name, type, nullable = true, identity, computed }: TableColumn,
): string[] {
  const { name: typeName, length, precision, scale } = parseType(type);
  const catalogName = typeName === "rowversion" ? "timestamp" : typeName;
  const typeId = TYPE_IDS[catalogName] ?? TYPE_IDS["nvarchar"]!;
  const isUdt = typeId > 127 && typeId < 131;
  const bytes = SIZED.test(typeName) ? (length === Infinity ? -1 : length * (UNIT_BYTES[typeName] ?? 1)) : 8;
  const hasDigits = typeName === "decimal" || typeName === "numeric";
  const flag = (is: boolean | undefined) => (is ? "1" : "0");
  return [
    String(id),
    text(name),
    String(ordinal),
    String(isUdt ? 240 : typeId),
    String(typeId),
    String(bytes),
    String(hasDigits ? precision : 0),
    String(scale),
    flag(nullable),
    flag(identity !== undefined),
    flag(computed),
    "0",
    /char|text/.test(typeName) ? "'Latin1_General_100_BIN2_UTF8'" : "NULL",
  ];
}
