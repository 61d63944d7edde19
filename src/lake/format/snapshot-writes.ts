// A commit writes these rows to the catalog.

import type { DuckLakeTable, Row } from "./ducklake-tables.ts";

/** The rows of a new snapshot, by table. Rows of the two table statistics replace the ones before. */
export type SnapshotRows = { [Table in DuckLakeTable]?: Row<Table>[] };

/** What a snapshot ends, by id; each end comes before any row begins. */
export type SnapshotEnds = {
  schemas: number[];
  /** Tables with all they have: columns, files, tags. */
  tables: number[];
  /** Tables of which only the row ends, as another with the same id begins. */
  tableRows: number[];
  columns: { tableId: number; columnId: number }[];
  /** Comments of columns and, under null, of tables. */
  comments: { tableId: number; columnId: number | null }[];
  /** Every data and delete file of these tables. */
  filesOfTables: number[];
  dataFiles: number[];
  deleteFiles: number[];
  /** Statistics hold for a table as it is now, so these do not end: they are gone. */
  columnStatistics: { tableId: number; columnId: number }[];
};

export type SnapshotWrites = { snapshotId: number; rows: SnapshotRows; ends: SnapshotEnds };
