// The names and comments of the columns of all tables as of now, for who searches them.

import type { TableView } from "../../../kernel/access/access.ts";
import { showsAsItIs, showsColumn } from "../access/readers.ts";

export type NamedColumn = { tableId: number; name: string; comment: string | null };

/** What a reader sees of each table, by its id; a table that is not there is not seen. */
export type Seen = "everything" | ReadonlyMap<number, TableView | "whole">;

/** The condition that a table's id in `column` is of one that is seen, with the values that it binds. */
export const onlySeen = (seen: Seen, column: string): [condition: string, bound: string[]] =>
  seen === "everything"
    ? ["", []]
    : [`AND ${column} IN (SELECT value FROM json_each(?))`, [JSON.stringify([...seen.keys()])]];

/**
 * The top-level columns that are seen, `columnsMax` at most. The comment is told of a column that shows as it is in
 * every row.
 */
export function nameColumns(sql: SqlStorage, columnsMax: number, seen: Seen): NamedColumn[] {
  const [isSeen, ids] = onlySeen(seen, "c.table_id");
  const rows = sql.exec<NamedColumn & { columnId: number }>(
    `SELECT c.table_id AS tableId, c.column_id AS columnId, c.column_name AS name, g.value AS comment
     FROM ducklake_column c
     LEFT JOIN ducklake_column_tag g ON g.table_id = c.table_id AND g.column_id = c.column_id AND g.key = 'comment'
       AND g.end_snapshot IS NULL
     WHERE c.end_snapshot IS NULL AND c.parent_column IS NULL ${isSeen}
     ORDER BY c.table_id, c.column_order LIMIT ?`,
    ...ids,
    columnsMax,
  );
  return rows.toArray().flatMap(({ columnId, ...column }) => {
    const access = seen === "everything" ? "whole" : seen.get(column.tableId)!;
    if (!showsColumn(access, columnId)) return [];
    return [showsAsItIs(access, columnId) ? column : { ...column, comment: null }];
  });
}
