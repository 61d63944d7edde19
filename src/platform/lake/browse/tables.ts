// The tables of a lake as of now, for people: how large they are, and when they last changed.

import { accept, refuse, type Answer } from "../answer.ts";
import { parseInstant } from "../catalog/instant.ts";

/** `at` is ISO 8601, null once the snapshot has expired. */
export type Touch = { snapshotId: number; at: string | null };

/** `rows` are those a query sees now; `bytes` are those of data and delete files. */
export type TableSummary = {
  tableId: number;
  schema: string;
  name: string;
  comment: string | null;
  rows: number;
  bytes: number;
  files: number;
  deleteFiles: number;
  columns: number;
  created: Touch;
  changed: Touch;
};

type SummaryRow = Omit<TableSummary, "created" | "changed"> & {
  createdIn: number;
  createdAt: string | null;
  changedIn: number;
  changedAt: string | null;
};

/** Where a snapshot that touches a table leaves its number, and what names the table there. */
export const TOUCHING = [
  ["ducklake_table", "table_id"],
  ["ducklake_column", "table_id"],
  ["ducklake_column_tag", "table_id"],
  ["ducklake_data_file", "table_id"],
  ["ducklake_delete_file", "table_id"],
  ["ducklake_tag", "object_id"],
] as const;

/** `only` narrows every part to one table, so that asking for one does not read the files of all. */
function summariesSql(only: "" | "WHERE table_id = ?1"): string {
  const live = only === "" ? "WHERE end_snapshot IS NULL" : `${only} AND end_snapshot IS NULL`;
  const sizes = (table: string, rows: string) =>
    `SELECT table_id, count(*) AS files, sum(${rows}) AS rows, sum(file_size_bytes) AS bytes FROM ${table} ${live}
      GROUP BY table_id`;
  // One part for each, joined: a statement here unites five selects at most.
  const touching = TOUCHING.map(([table, id], i) => {
    const newest = `max(max(begin_snapshot), coalesce(max(end_snapshot), 0)) AS at`;
    return `touched${i} AS (SELECT ${id} AS table_id, ${newest} FROM ${table} ${only.replace("table_id", id)}
      GROUP BY ${id})`;
  });
  return `
    WITH data AS (${sizes("ducklake_data_file", "record_count")}),
      deletes AS (${sizes("ducklake_delete_file", "delete_count")}),
      columns AS (SELECT table_id, count(*) AS n FROM ducklake_column ${live} AND parent_column IS NULL
        GROUP BY table_id),
      created AS (SELECT table_id, min(begin_snapshot) AS at FROM ducklake_table ${only} GROUP BY table_id),
        ${touching.join(", ")},
      changed AS (SELECT created.table_id,
        max(${TOUCHING.map((_, i) => `coalesce(touched${i}.at, 0)`).join(", ")}) AS at
        FROM created ${TOUCHING.map((_, i) => `LEFT JOIN touched${i} USING (table_id)`).join(" ")})
    SELECT t.table_id AS tableId, s.schema_name AS schema, t.table_name AS name, c.value AS comment,
      coalesce(data.rows, 0) - coalesce(deletes.rows, 0) AS rows,
      coalesce(data.bytes, 0) + coalesce(deletes.bytes, 0) AS bytes,
      coalesce(data.files, 0) AS files, coalesce(deletes.files, 0) AS deleteFiles, coalesce(columns.n, 0) AS columns,
      created.at AS createdIn, first.snapshot_time AS createdAt, changed.at AS changedIn,
      last.snapshot_time AS changedAt
    FROM ducklake_table t JOIN ducklake_schema s USING (schema_id) JOIN created USING (table_id)
      JOIN changed USING (table_id)
      LEFT JOIN data USING (table_id) LEFT JOIN deletes USING (table_id) LEFT JOIN columns USING (table_id)
      LEFT JOIN ducklake_tag c ON c.object_id = t.table_id AND c.key = 'comment' AND c.end_snapshot IS NULL
      LEFT JOIN ducklake_snapshot first ON first.snapshot_id = created.at
      LEFT JOIN ducklake_snapshot last ON last.snapshot_id = changed.at
    WHERE t.end_snapshot IS NULL AND s.end_snapshot IS NULL`;
}

/** By schema and name. `total` counts those past `tablesMax` as well. */
export function browseTables(sql: SqlStorage, tablesMax: number): { total: number; tables: TableSummary[] } {
  const { total } = sql
    .exec<{ total: number }>(
      `SELECT count(*) AS total FROM ducklake_table t JOIN ducklake_schema s USING (schema_id)
        WHERE t.end_snapshot IS NULL AND s.end_snapshot IS NULL`,
    )
    .one();
  const rows = sql.exec<SummaryRow>(`${summariesSql("")} ORDER BY s.schema_name, t.table_name LIMIT ?`, tablesMax);
  return { total, tables: rows.toArray().map(summaryOf) };
}

/** The table of this name, in whatever case; refuses with `resource_not_found`. */
export function browseTable(sql: SqlStorage, schema: string, name: string): Answer<TableSummary> {
  const tableId = findTableId(sql, schema, name);
  const row =
    tableId === undefined
      ? undefined
      : sql.exec<SummaryRow>(`${summariesSql("WHERE table_id = ?1")} AND t.table_id = ?1`, tableId).toArray()[0];
  return row ? accept(summaryOf(row)) : noTable(schema, name);
}

export const findTableId = (sql: SqlStorage, schema: string, name: string): number | undefined =>
  sql
    .exec<{ id: number }>(
      `SELECT t.table_id AS id FROM ducklake_table t JOIN ducklake_schema s USING (schema_id)
       WHERE s.schema_name = ? COLLATE NOCASE AND s.end_snapshot IS NULL AND t.table_name = ? COLLATE NOCASE
         AND t.end_snapshot IS NULL`,
      schema,
      name,
    )
    .toArray()[0]?.id;

export const noTable = (schema: string, name: string) =>
  refuse("resource_not_found", `Table ${schema}.${name} was not found.`);

export const isoOf = (instant: string): string => new Date(parseInstant(instant)).toISOString();

function summaryOf({ createdIn, createdAt, changedIn, changedAt, ...rest }: SummaryRow): TableSummary {
  const touch = (snapshotId: number, at: string | null): Touch => ({ snapshotId, at: at === null ? null : isoOf(at) });
  return { ...rest, created: touch(createdIn, createdAt), changed: touch(changedIn, changedAt) };
}
