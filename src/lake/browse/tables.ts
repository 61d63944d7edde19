// The tables of a lake as of now, for people: how large they are, and when they last changed.

import type { TableView } from "../../../kernel/access/access.ts";
import type { LakeTableName } from "../../../kernel/lake/lake.ts";
import { accessTo, showsEveryRow, type Reader } from "../access/readers.ts";
import { parseInstant } from "../format/instant.ts";
import { readHead } from "../state/state.ts";
import { nameColumns, onlySeen, type NamedColumn } from "./column-names.ts";

/** `at` is ISO 8601, null once the snapshot has expired. */
export type Touch = { snapshotId: number; at: string | null };

/**
 * `rows` are those a query sees now; `bytes` are those of data and delete files. To whom a part of the table is hidden,
 * `columns` are those that show, and null is what would tell of the rest.
 */
export type TableSummary = {
  tableId: number;
  schema: string;
  name: string;
  comment: string | null;
  rows: number | null;
  bytes: number | null;
  files: number | null;
  deleteFiles: number | null;
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

/** `total` counts the tables past the bound as well. `columns` are of all tables together. */
export type BrowsedTables = { total: number; tables: TableSummary[]; columns: NamedColumn[] };

/** By schema and name those that the reader may see, and the names of their columns. */
export function browseTables(
  sql: SqlStorage,
  { tablesMax, columnsMax }: { tablesMax: number; columnsMax: number },
  reader: Reader,
): BrowsedTables {
  const seen = reader === "everything" ? reader : accessTo(reader, sql, readHead(sql).snapshotId);
  const [isSeen, ids] = onlySeen(seen, "t.table_id");
  const { total } = sql
    .exec<{ total: number }>(
      `SELECT count(*) AS total FROM ducklake_table t JOIN ducklake_schema s USING (schema_id)
        WHERE t.end_snapshot IS NULL AND s.end_snapshot IS NULL ${isSeen}`,
      ...ids,
    )
    .one();
  const rows = sql.exec<SummaryRow>(
    `${summariesSql("")} ${isSeen} ORDER BY s.schema_name, t.table_name LIMIT ?`,
    ...ids,
    tablesMax,
  );
  const tables = rows.toArray().map((row) => summaryOf(row, seen === "everything" ? "whole" : seen.get(row.tableId)!));
  return { total, tables, columns: columnsMax > 0 ? nameColumns(sql, columnsMax, seen) : [] };
}

/** What the reader may see of a table that lives. */
export type VisibleTable = { tableId: number; access: "whole" | TableView };

/** The table of this name, in whatever case; undefined also where the reader may not see it. */
export function findTable(sql: SqlStorage, { schema, name }: LakeTableName, reader: Reader): VisibleTable | undefined {
  const [row] = sql
    .exec<{ tableId: number }>(
      `SELECT t.table_id AS tableId FROM ducklake_schema s CROSS JOIN ducklake_table t USING (schema_id)
       WHERE s.schema_name = ? COLLATE NOCASE AND s.end_snapshot IS NULL AND t.table_name = ? COLLATE NOCASE
         AND t.end_snapshot IS NULL`,
      schema,
      name,
    )
    .toArray();
  if (!row) return undefined;
  if (reader === "everything") return { ...row, access: "whole" };
  const access = accessTo(reader, sql, readHead(sql).snapshotId, [row.tableId]).get(row.tableId);
  return access && { ...row, access };
}

export const summarizeTable = (sql: SqlStorage, { tableId, access }: VisibleTable): TableSummary =>
  summaryOf(sql.exec<SummaryRow>(`${summariesSql("WHERE table_id = ?1")} AND t.table_id = ?1`, tableId).one(), access);

export const isoOf = (instant: string): string => new Date(parseInstant(instant)).toISOString();

function summaryOf(
  { createdIn, createdAt, changedIn, changedAt, ...rest }: SummaryRow,
  access: "whole" | TableView,
): TableSummary {
  const touch = (snapshotId: number, at: string | null): Touch => ({ snapshotId, at: at === null ? null : isoOf(at) });
  const touches = { created: touch(createdIn, createdAt), changed: touch(changedIn, changedAt) };
  if (access === "whole") return { ...rest, ...touches };
  const { tableId, schema, name, rows } = rest;
  return {
    tableId,
    schema,
    name,
    comment: null,
    bytes: null,
    files: null,
    deleteFiles: null,
    rows: showsEveryRow(access) ? rows : null,
    columns: access.cells.length,
    ...touches,
  };
}
