// Lists a Snowflake database's tables and columns as information_schema has them, and keys, which Snowflake takes down
// and does not enforce.

import type { Introspection } from "../../../../kernel/wire/source.ts";
import { INTROSPECTION_LIMITS, type SourceOf } from "../connector.ts";
import { type IntrospectedTable, IntrospectedTables, tableId } from "../introspection/introspected-tables.ts";
import type { TextRow } from "../row-collector.ts";
import { checkCredentials } from "./connection/account.ts";
import { connect } from "./connection/connect.ts";
import { connectionFailure, SnowflakeError, statementFailure } from "./connection/errors.ts";
import { FOLDING } from "./sql-text.ts";

const { tablesMax, columnsMax } = INTROSPECTION_LIMITS;

/** Lists the tables of the credentials' database. */
export async function introspectSnowflake(
  { credentials }: SourceOf<"snowflake">,
  signal: AbortSignal,
): Promise<Introspection> {
  const { database } = checkCredentials(credentials);
  const connection = await connect(credentials, signal);
  const place = `IN DATABASE "${database.replaceAll('"', '""')}"`;
  try {
    const tables = await connection.fetchRows(TABLES, "tttTNN", signal);
    const columns = await connection.fetchRows(COLUMNS, "tttttNT", signal);
    const keys = await connection.fetchNamed(`SHOW PRIMARY KEYS ${place}`, KEYS, signal);
    const foreignKeys = await connection.fetchNamed(`SHOW IMPORTED KEYS ${place}`, FOREIGN_KEYS, signal);
    return toIntrospection({ tables, columns, keys, foreignKeys: foreignKeys.filter(([from]) => from === database) });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof SnowflakeError ? statementFailure(error, false) : connectionFailure(error);
  } finally {
    await connection.close();
  }
}

const TABLES = `
  SELECT table_schema, table_name, table_type, comment, row_count, bytes FROM information_schema.tables
  WHERE table_schema <> 'INFORMATION_SCHEMA' ORDER BY table_schema, table_name LIMIT ${tablesMax + 1}`;

/**
 * A type as it is declared, with what of it can be set; without that where the service does not say it. An identity
 * whose numbers come in no order (NOORDER) or count down tells no new rows.
 */
const COLUMNS = `
  SELECT table_schema, table_name, column_name, COALESCE(CASE
      WHEN data_type = 'NUMBER' THEN 'NUMBER(' || numeric_precision || ',' || numeric_scale || ')'
      WHEN data_type = 'TEXT' THEN 'VARCHAR(' || character_maximum_length || ')'
      WHEN data_type = 'BINARY' THEN 'BINARY(' || character_maximum_length || ')'
      WHEN datetime_precision IS NOT NULL AND data_type <> 'DATE' THEN data_type || '(' || datetime_precision || ')'
      END, CASE data_type WHEN 'TEXT' THEN 'VARCHAR' ELSE data_type END),
    is_nullable,
    CASE WHEN is_identity = 'YES' AND identity_ordered = 'YES' AND identity_increment NOT LIKE '-%' THEN 1 ELSE 0 END,
    comment
  FROM information_schema.columns WHERE table_schema <> 'INFORMATION_SCHEMA'
  ORDER BY table_schema, table_name, ordinal_position LIMIT ${columnsMax + 1}`;

const KEYS = ["schema_name", "table_name", "column_name", "key_sequence"];
const FOREIGN_KEYS = [
  "pk_database_name",
  "fk_schema_name",
  "fk_table_name",
  "fk_name",
  "fk_column_name",
  "pk_schema_name",
  "pk_table_name",
  "pk_column_name",
  "key_sequence",
];

const KINDS: Record<string, IntrospectedTable["kind"]> = {
  VIEW: "view",
  "MATERIALIZED VIEW": "materialized",
  "EXTERNAL TABLE": "foreign",
};

type CatalogRows = Record<"tables" | "columns" | "keys" | "foreignKeys", TextRow[]>;

function toIntrospection({ tables, columns, keys, foreignKeys }: CatalogRows): Introspection {
  const found = new IntrospectedTables();
  found.addTables(tables, ([schema, name, type, comment = null, rowsEstimate, bytesEstimate]) => ({
    table: tableId(schema, name),
    schema: schema!,
    name: name!,
    kind: KINDS[type!] ?? "table",
    comment,
    rowsEstimate,
    bytesEstimate,
  }));
  found.addColumns(columns, ([schema, table, name, type, nullable, counted, comment = null]) => ({
    table: tableId(schema, table),
    column: { name: name!, type: type!, nullable: nullable === "YES", counted: counted === "1", comment },
  }));
  for (const [schema, table, column] of inKeyOrder(keys)) found.addKeyColumn(tableId(schema, table), column!);
  for (const [, schema, table, constraint, column, ...to] of inKeyOrder(foreignKeys))
    found.addForeignKeyColumn({
      table: tableId(schema, table),
      constraint: constraint!,
      column: column!,
      to: [to[0]!, to[1]!, to[2]!],
    });
  return { ...found.toIntrospection(), folding: FOLDING };
}

/** By the last cell, which is the column's place in its key. */
const inKeyOrder = (rows: TextRow[]): TextRow[] => rows.toSorted((a, b) => Number(a.at(-1)) - Number(b.at(-1)));
