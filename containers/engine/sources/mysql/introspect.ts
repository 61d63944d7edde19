// What there is to read in a MySQL or MariaDB server: tables, their columns and keys, as information_schema has them.

import type { ForeignKey, Introspection, Source } from "../../contract/source.ts";
import type { TextRow } from "../row-collector.ts";
import { INTROSPECTION_LIMITS } from "../connector.ts";
import { connect } from "./connection/connect.ts";
import { connectionFailure } from "./connection/errors.ts";

type Table = Introspection["schemas"][number]["tables"][number];

const { tablesMax, columnsMax } = INTROSPECTION_LIMITS;
const SYSTEM = "('mysql', 'information_schema', 'performance_schema', 'sys')";

/** Of the credentials' database; where they name none, of every database that is not the server's own. */
export async function introspectMysql(
  { credentials }: Extract<Source, { type: "mysql" }>,
  signal: AbortSignal,
): Promise<Introspection> {
  const connection = await connect(credentials, signal);
  const { wire } = connection;
  try {
    const where = credentials.database === "" ? `NOT IN ${SYSTEM}` : "= DATABASE()";
    const tables = await wire.fetchRows(tablesQuery(where), "tttTNN", signal);
    const columns = await wire.fetchRows(columnsQuery(where), "ttttTTTTT", signal);
    const keys = await wire.fetchRows(keysQuery(where), "ttt", signal);
    const foreignKeys = await wire.fetchRows(foreignKeysQuery(where), "ttttttt", signal);
    return toIntrospection({ tables, columns, keys, foreignKeys });
  } catch (error) {
    throw signal.aborted ? signal.reason : connectionFailure(error);
  } finally {
    await connection.close();
  }
}

const tablesQuery = (where: string): string => `
  SELECT table_schema, table_name, table_type, table_comment, table_rows, data_length FROM information_schema.tables
  WHERE table_schema ${where} AND table_type IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED')
  ORDER BY table_schema, table_name LIMIT ${tablesMax + 1}`;

const columnsQuery = (where: string): string => `
  SELECT table_schema, table_name, column_name, column_type, is_nullable, COALESCE(generation_expression, '') <> '',
    extra LIKE '%auto_increment%', column_comment, privileges LIKE '%select%'
  FROM information_schema.columns WHERE table_schema ${where}
  ORDER BY table_schema, table_name, ordinal_position LIMIT ${columnsMax + 1}`;

const keysQuery = (where: string): string => `
  SELECT table_schema, table_name, column_name FROM information_schema.statistics
  WHERE table_schema ${where} AND index_name = 'PRIMARY' ORDER BY table_schema, table_name, seq_in_index`;

const foreignKeysQuery = (where: string): string => `
  SELECT table_schema, table_name, constraint_name, column_name, referenced_table_schema, referenced_table_name,
    referenced_column_name
  FROM information_schema.key_column_usage WHERE table_schema ${where} AND referenced_table_name IS NOT NULL
  ORDER BY table_schema, table_name, constraint_name, ordinal_position LIMIT ${columnsMax}`;

type Found = Record<"tables" | "columns" | "keys" | "foreignKeys", TextRow[]>;
type TablesBySchema = Map<string, Map<string, Table>>;

function toIntrospection({ tables, columns, keys, foreignKeys }: Found): Introspection {
  const found = toTables(tables.slice(0, tablesMax));
  const areColumnsCut = columns.length > columnsMax;
  addColumns(found, columns, areColumnsCut ? columns.at(-1) : undefined);
  for (const [schema, table, column] of keys) found.get(schema!)?.get(table!)?.primaryKey.push(column!);
  addForeignKeys(found, foreignKeys);
  const schemas = [...found].map(([name, ofSchema]) => ({
    name,
    tables: [...ofSchema.values()].filter((table) => table.columns.length > 0),
  }));
  return {
    schemas: schemas.filter((schema) => schema.tables.length > 0),
    truncated: areColumnsCut || tables.length > tablesMax,
  };
}

function toTables(rows: TextRow[]): TablesBySchema {
  const found: TablesBySchema = new Map();
  for (const [schema, name, type, comment, rowsEstimate = null, bytesEstimate = null] of rows) {
    const isView = type === "VIEW";
    const ofSchema = found.get(schema!) ?? new Map<string, Table>();
    found.set(schema!, ofSchema);
    ofSchema.set(name!, {
      name: name!,
      kind: isView ? "view" : "table",
      // A view's comment says that it is one.
      comment: isView || !comment ? null : comment,
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
  for (const [schema, table, name, type, nullable, generated, counted, comment, readable] of columns) {
    if (readable !== "1" || (cutAt && schema === cutAt[0] && table === cutAt[1])) continue;
    tables
      .get(schema!)
      ?.get(table!)
      ?.columns.push({
        name: name!,
        type: type!,
        nullable: nullable === "YES",
        generated: generated === "1",
        counted: counted === "1",
        comment: comment || null,
      });
  }
}

/** A key's columns come one after the other. */
function addForeignKeys(tables: TablesBySchema, rows: TextRow[]): void {
  let last: { name: string; key: ForeignKey } | undefined;
  for (const [schema, table, constraint, column, toSchema, toTable, toColumn] of rows) {
    const name = JSON.stringify([schema, table, constraint]);
    if (last?.name !== name) {
      last = { name, key: { columns: [], schema: toSchema!, table: toTable!, references: [] } };
      tables.get(schema!)?.get(table!)?.foreignKeys?.push(last.key);
    }
    last.key.columns.push(column!);
    last.key.references.push(toColumn!);
  }
}
