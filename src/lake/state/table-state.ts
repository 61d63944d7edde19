// A live table as a commit finds it: its columns, what is known of its rows, and where its files lie.

import type { CatalogColumn } from "./check-columns.ts";
import type { ColumnSummary } from "../format/statistics.ts";

/** `path` is relative to the lake's root; `summaries` is by column and empty while the table has no rows. */
export type TableState = {
  tableId: number;
  uuid: string;
  schemaId: number;
  schema: string;
  name: string;
  path: string;
  /** Relative to its schema's. */
  folder: string;
  /** By id, in their order. */
  columns: Map<number, CatalogColumn>;
  /** Every field id the table ever had: files may still hold the values of a column that was dropped. */
  usedColumnIds: Set<number>;
  /** Rows of its data files, those deleted by delete files among them. */
  recordCount: number;
  nextRowId: number;
  bytes: number;
  summaries: Map<number, ColumnSummary>;
};

type LiveTableRow = Omit<TableState, "columns" | "usedColumnIds" | "summaries">;

// CROSS JOIN keeps the order: from the schema to its tables by their index. SQLite would read all tables of the lake.
const LIVE_TABLES = `SELECT t.table_id AS tableId, t.table_uuid AS uuid, s.schema_id AS schemaId,
    s.schema_name AS schema, t.table_name AS name,
    s.path || t.path AS path, t.path AS folder,
    coalesce(c.record_count, 0) AS recordCount, coalesce(c.next_row_id, 0) AS nextRowId,
    coalesce(c.file_size_bytes, 0) AS bytes
  FROM ducklake_schema s CROSS JOIN ducklake_table t USING (schema_id)
    LEFT JOIN ducklake_table_stats c USING (table_id)
  WHERE s.schema_name = ? COLLATE NOCASE AND s.end_snapshot IS NULL AND t.end_snapshot IS NULL`;

export function readTable(sql: SqlStorage, schema: string, name: string): TableState | undefined {
  const [found] = sql.exec<LiveTableRow>(`${LIVE_TABLES} AND t.table_name = ? COLLATE NOCASE`, schema, name).toArray();
  return found && complete(sql, found);
}

export const readTablesOf = (sql: SqlStorage, schema: string): TableState[] =>
  sql
    .exec<LiveTableRow>(LIVE_TABLES, schema)
    .toArray()
    .map((found) => complete(sql, found));

const complete = (sql: SqlStorage, found: LiveTableRow): TableState => ({
  ...found,
  ...readColumns(sql, found.tableId),
  summaries: readSummaries(sql, found.tableId),
});

type ColumnRow = Omit<CatalogColumn, "nullable"> & { nullable: number; isLive: number };

function readColumns(sql: SqlStorage, tableId: number): Pick<TableState, "columns" | "usedColumnIds"> {
  const rows = sql
    .exec<ColumnRow>(
      `SELECT column_id AS id, column_name AS name, column_type AS type, nulls_allowed AS nullable,
        column_order AS "order",
              parent_column AS parentId, end_snapshot IS NULL AS isLive
       FROM ducklake_column WHERE table_id = ? ORDER BY column_order`,
      tableId,
    )
    .toArray();
  const live = rows.filter(({ isLive }) => isLive !== 0);
  return {
    columns: new Map(
      live.map(({ isLive: _, nullable, ...column }) => [column.id, { ...column, nullable: nullable !== 0 }]),
    ),
    usedColumnIds: new Set(rows.map(({ id }) => id)),
  };
}

/** What the catalog keeps of all values of a table's columns, by their ids. */
export function readSummaries(sql: SqlStorage, tableId: number): TableState["summaries"] {
  const isTrue = (flag: number | null): boolean | null => (flag === null ? null : flag !== 0);
  const rows = sql.exec<{
    id: number;
    containsNull: number | null;
    containsNan: number | null;
    min: string | null;
    max: string | null;
  }>(
    `SELECT column_id AS id, contains_null AS containsNull, contains_nan AS containsNan, min_value AS min,
      max_value AS max
     FROM ducklake_table_column_stats WHERE table_id = ?`,
    tableId,
  );
  return new Map(
    rows
      .toArray()
      .map(({ id, containsNull, containsNan, min, max }) => [
        id,
        { containsNull: isTrue(containsNull), containsNan: isTrue(containsNan), min, max },
      ]),
  );
}
