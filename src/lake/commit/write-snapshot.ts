// A decided snapshot into the catalog's tables. A caller wraps the call in its transaction.

import type { DuckLakeTable, Row } from "../format/ducklake-tables.ts";
import { insertRows } from "../format/insert-rows.ts";
import { writeVersions } from "../plan/versions.ts";
import type { SnapshotEnds, SnapshotWrites } from "../format/snapshot-writes.ts";

/** What belongs to a table by its id and lives in versions. */
const PARTS_OF_TABLE = [
  "ducklake_column",
  "ducklake_data_file",
  "ducklake_delete_file",
  "ducklake_partition_info",
  "ducklake_column_tag",
  "ducklake_sort_info",
];

/** One row for a whole table or column, whatever the snapshot; every other row is written once. */
const REPLACED: ReadonlySet<DuckLakeTable> = new Set(["ducklake_table_stats", "ducklake_table_column_stats"]);

export function writeSnapshot(sql: SqlStorage, writes: SnapshotWrites): void {
  const { snapshotId, rows, ends } = writes;
  endRows(sql, snapshotId, ends);
  for (const [table, added] of Object.entries(rows) as [DuckLakeTable, Row<DuckLakeTable>[]][]) {
    insertRows(sql, table, added, REPLACED.has(table) ? "INSERT OR REPLACE" : "INSERT");
  }
  writeVersions(sql, writes);
}

function endRows(sql: SqlStorage, snapshotId: number, ends: SnapshotEnds): void {
  const end = (table: string, id: string, ids: readonly number[]): void => {
    if (ids.length > 0)
      sql.exec(
        `UPDATE ${table} SET end_snapshot = ? WHERE end_snapshot IS NULL AND ${id} IN (SELECT value FROM json_each(?))`,
        snapshotId,
        JSON.stringify(ids),
      );
  };
  end("ducklake_schema", "schema_id", ends.schemas);
  end("ducklake_table", "table_id", [...ends.tables, ...ends.tableRows]);
  for (const part of PARTS_OF_TABLE) end(part, "table_id", ends.tables);
  end("ducklake_tag", "object_id", [...ends.tables, ...ends.schemas]);
  end("ducklake_data_file", "table_id", ends.filesOfTables);
  end("ducklake_delete_file", "table_id", ends.filesOfTables);
  end("ducklake_data_file", "data_file_id", ends.dataFiles);
  end("ducklake_delete_file", "delete_file_id", ends.deleteFiles);
  for (const { tableId, columnId } of ends.columns) {
    sql.exec(
      "UPDATE ducklake_column SET end_snapshot = ? WHERE table_id = ? AND column_id = ? AND end_snapshot IS NULL",
      snapshotId,
      tableId,
      columnId,
    );
  }
  for (const { tableId, columnId } of ends.comments) {
    const live = "key = 'comment' AND end_snapshot IS NULL";
    if (columnId === null)
      sql.exec(`UPDATE ducklake_tag SET end_snapshot = ? WHERE object_id = ? AND ${live}`, snapshotId, tableId);
    else
      sql.exec(
        `UPDATE ducklake_column_tag SET end_snapshot = ? WHERE table_id = ? AND column_id = ? AND ${live}`,
        snapshotId,
        tableId,
        columnId,
      );
  }
  for (const { tableId, columnId } of ends.columnStatistics) {
    sql.exec("DELETE FROM ducklake_table_column_stats WHERE table_id = ? AND column_id = ?", tableId, columnId);
  }
}
