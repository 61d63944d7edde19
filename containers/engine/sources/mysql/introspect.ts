// Lists the tables of a MySQL or MariaDB server with their columns and keys, as information_schema has them.

import type { Introspection, Source } from "../../../../kernel/wire/source.ts";
import type { TextRow } from "../row-collector.ts";
import { INTROSPECTION_LIMITS } from "../connector.ts";
import { IntrospectedTables, tableId } from "../introspection/introspected-tables.ts";
import { connect } from "./connection/connect.ts";
import { connectionFailure } from "./connection/errors.ts";

const { tablesMax, columnsMax } = INTROSPECTION_LIMITS;
const SYSTEM = "('mysql', 'information_schema', 'performance_schema', 'sys')";

/**
 * Lists the tables of the credentials' database; where they name none, those of every database that is not the server's
 * own.
 */
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

type CatalogRows = Record<"tables" | "columns" | "keys" | "foreignKeys", TextRow[]>;

function toIntrospection({ tables, columns, keys, foreignKeys }: CatalogRows): Introspection {
  const found = new IntrospectedTables();
  found.addTables(tables, ([schema, name, type, comment, rowsEstimate, bytesEstimate]) => ({
    table: tableId(schema, name),
    schema: schema!,
    name: name!,
    kind: type === "VIEW" ? "view" : "table",
    // A view's comment says that it is one.
    comment: type === "VIEW" ? null : comment!,
    rowsEstimate,
    bytesEstimate,
  }));
  found.addColumns(columns, ([schema, table, name, type, nullable, generated, counted, comment = null, readable]) => {
    const column = {
      name: name!,
      type: type!,
      nullable: nullable === "YES",
      generated: generated === "1",
      counted: counted === "1",
      comment,
    };
    return { table: tableId(schema, table), ...(readable === "1" ? { column } : {}) };
  });
  for (const [schema, table, column] of keys) found.addKeyColumn(tableId(schema, table), column!);
  for (const [schema, table, constraint, column, ...to] of foreignKeys)
    found.addForeignKeyColumn({
      table: tableId(schema, table),
      constraint: constraint!,
      column: column!,
      to: [to[0]!, to[1]!, to[2]!],
    });
  return found.toIntrospection();
}
