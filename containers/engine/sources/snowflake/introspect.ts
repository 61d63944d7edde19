// What there is to read in a Snowflake database: tables and columns as information_schema has them, and keys, which
// Snowflake takes down and does not enforce.

import type { ForeignKey, Introspection } from "../../contract/source.ts";
import { INTROSPECTION_LIMITS, type SourceOf } from "../connector.ts";
import type { TextRow } from "../row-collector.ts";
import { checkCredentials } from "./connection/account.ts";
import { connect } from "./connection/connect.ts";
import { connectionFailure, SnowflakeError, statementFailure } from "./connection/errors.ts";
import { FOLDING } from "./sql-text.ts";

type Table = Introspection["schemas"][number]["tables"][number];

const { tablesMax, columnsMax } = INTROSPECTION_LIMITS;

/** Of the credentials' database. */
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

const KINDS: Record<string, Table["kind"]> = {
  VIEW: "view",
  "MATERIALIZED VIEW": "materialized",
  "EXTERNAL TABLE": "foreign",
};

type Found = Record<"tables" | "columns" | "keys" | "foreignKeys", TextRow[]>;
type TablesBySchema = Map<string, Map<string, Table>>;

function toIntrospection({ tables, columns, keys, foreignKeys }: Found): Introspection {
  const found = toTables(tables.slice(0, tablesMax));
  const areColumnsCut = columns.length > columnsMax;
  addColumns(found, columns, areColumnsCut ? columns.at(-1) : undefined);
  for (const [schema, table, column] of inKeyOrder(keys)) found.get(schema!)?.get(table!)?.primaryKey.push(column!);
  addForeignKeys(found, inKeyOrder(foreignKeys));
  const schemas = [...found].map(([name, ofSchema]) => ({
    name,
    tables: [...ofSchema.values()].filter((table) => table.columns.length > 0),
  }));
  return {
    schemas: schemas.filter((schema) => schema.tables.length > 0),
    truncated: areColumnsCut || tables.length > tablesMax,
    folding: FOLDING,
  };
}

/** By the last cell, which is the column's place in its key. */
const inKeyOrder = (rows: TextRow[]): TextRow[] => rows.toSorted((a, b) => Number(a.at(-1)) - Number(b.at(-1)));

function toTables(rows: TextRow[]): TablesBySchema {
  const found: TablesBySchema = new Map();
  for (const [schema, name, type, comment, rowsEstimate = null, bytesEstimate = null] of rows) {
    const ofSchema = found.get(schema!) ?? new Map<string, Table>();
    found.set(schema!, ofSchema);
    ofSchema.set(name!, {
      name: name!,
      kind: KINDS[type!] ?? "table",
      comment: comment || null,
      rowsEstimate: rowsEstimate === null ? null : Number(rowsEstimate),
      bytesEstimate: bytesEstimate === null ? null : Number(bytesEstimate),
      columns: [],
      primaryKey: [],
      foreignKeys: [],
    });
  }
  return found;
}

/** `cutAt`: the last row of a list that was cut. Its table may have lost columns, and gets none. */
function addColumns(tables: TablesBySchema, columns: TextRow[], cutAt: TextRow | undefined): void {
  for (const [schema, table, name, type, nullable, counted, comment] of columns) {
    if (cutAt && schema === cutAt[0] && table === cutAt[1]) continue;
    tables
      .get(schema!)
      ?.get(table!)
      ?.columns.push({
        name: name!,
        type: type!,
        nullable: nullable === "YES",
        counted: counted === "1",
        comment: comment || null,
      });
  }
}

function addForeignKeys(tables: TablesBySchema, rows: TextRow[]): void {
  const keys = new Map<string, ForeignKey>();
  for (const [, schema, table, constraint, column, toSchema, toTable, toColumn] of rows) {
    const name = JSON.stringify([schema, table, constraint]);
    let key = keys.get(name);
    if (!key) {
      key = { columns: [], schema: toSchema!, table: toTable!, references: [] };
      keys.set(name, key);
      tables.get(schema!)?.get(table!)?.foreignKeys?.push(key);
    }
    key.columns.push(column!);
    key.references.push(toColumn!);
  }
}
