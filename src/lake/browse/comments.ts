// The comments of all tables and columns as of now, for who looks around in the metadata.

import { accessTo, showsAsItIs, type Reader } from "../access/readers.ts";
import { readHead } from "../state/state.ts";
import { onlySeen } from "./column-names.ts";

export type TableComment = { tableId: number; comment: string };
export type ColumnComment = { tableId: number; name: string; comment: string };
export type Comments = { tables: TableComment[]; columns: ColumnComment[] };

/**
 * `commentsMax` bounds those of tables, and those of columns. A table's comment is told to whoever sees the whole
 * table, a column's where it shows as it is in every row.
 */
export function browseComments(sql: SqlStorage, commentsMax: number, reader: Reader): Comments {
  const seen = reader === "everything" ? reader : accessTo(reader, sql, readHead(sql).snapshotId);
  const accessOf = (tableId: number) => (seen === "everything" ? "whole" : seen.get(tableId)!);
  const [isTableSeen, tableIds] = onlySeen(seen, "t.table_id");
  const tables = sql.exec<TableComment>(
    `SELECT t.table_id AS tableId, c.value AS comment
     FROM ducklake_tag c JOIN ducklake_table t ON t.table_id = c.object_id
     WHERE c.key = 'comment' AND c.end_snapshot IS NULL AND c.value IS NOT NULL AND t.end_snapshot IS NULL
       ${isTableSeen} ORDER BY t.table_id LIMIT ?`,
    ...tableIds,
    commentsMax,
  );
  const [isColumnSeen, ids] = onlySeen(seen, "c.table_id");
  const columns = sql.exec<ColumnComment & { columnId: number }>(
    `SELECT c.table_id AS tableId, c.column_id AS columnId, c.column_name AS name, g.value AS comment
     FROM ducklake_column_tag g JOIN ducklake_column c USING (table_id, column_id)
     WHERE g.key = 'comment' AND g.end_snapshot IS NULL AND g.value IS NOT NULL AND c.end_snapshot IS NULL
       AND c.parent_column IS NULL ${isColumnSeen} ORDER BY c.table_id, c.column_order LIMIT ?`,
    ...ids,
    commentsMax,
  );
  return {
    tables: tables.toArray().filter(({ tableId }) => accessOf(tableId) === "whole"),
    columns: columns
      .toArray()
      .flatMap(({ columnId, ...column }) => (showsAsItIs(accessOf(column.tableId), columnId) ? [column] : [])),
  };
}
