// At which snapshots each table changed. Kept beside the rows that say so themselves: those leave with expiry, and what
// was read by a version must not be taken for another's.

import type { Reader } from "../access/readers.ts";
import type { DuckLakeTable } from "../format/ducklake-tables.ts";
import type { SnapshotWrites } from "../format/snapshot-writes.ts";

/** `named_at`: when a name of the table or of its columns came or went last. */
export const VERSION_TABLES = [
  "CREATE TABLE fjord_table_versions (table_id INTEGER NOT NULL, snapshot_id INTEGER NOT NULL, " +
    "named_at INTEGER NOT NULL, PRIMARY KEY (table_id, snapshot_id)) WITHOUT ROWID",
  // What was there before this was kept is of the newest snapshot; an older one is a version of its own.
  `INSERT INTO fjord_table_versions (table_id, snapshot_id, named_at)
   SELECT table_id, head, head FROM ducklake_table, (SELECT max(snapshot_id) AS head FROM ducklake_snapshot)
   WHERE end_snapshot IS NULL`,
];

/** The columns of tables `t` at a snapshot, which is to be bound twice. */
export const CHANGED_AT = `coalesce((SELECT max(v.snapshot_id) FROM fjord_table_versions v
    WHERE v.table_id = t.table_id AND v.snapshot_id <= ?), ?) AS changedAt,
  (SELECT v.named_at FROM fjord_table_versions v WHERE v.table_id = t.table_id
    ORDER BY v.snapshot_id DESC LIMIT 1) AS namedAt`;

export type ChangedAt = { changedAt: number; namedAt: number };

/** Roles go by every name that a table has had, later ones too; who reads everything goes by none. */
export const versionOf = ({ changedAt, namedAt }: ChangedAt, reader: Reader): string =>
  reader === "everything" ? `${changedAt}` : `${changedAt}.${namedAt}`;

/** What makes a table another: its rows in these. */
const NAMES = ["ducklake_table", "ducklake_column"] as const satisfies DuckLakeTable[];
const FILES = ["ducklake_data_file", "ducklake_delete_file"] as const satisfies DuckLakeTable[];

/** Notes which tables a snapshot changed, once its rows are written. A caller wraps the call in its transaction. */
export function writeVersions(sql: SqlStorage, { snapshotId, rows, ends }: SnapshotWrites): void {
  const begunIn = (tables: readonly (typeof NAMES | typeof FILES)[number][]): number[] =>
    tables.flatMap((table) => (rows[table] ?? []).map((row) => Number(row.table_id)));
  const endedIn = FILES.flatMap((table) =>
    sql
      .exec<{ id: number }>(`SELECT DISTINCT table_id AS id FROM ${table} WHERE end_snapshot = ?`, snapshotId)
      .toArray(),
  );
  const named = new Set([...begunIn(NAMES), ...ends.tableRows, ...ends.columns.map(({ tableId }) => tableId)]);
  const changed = new Set([...named, ...begunIn(FILES), ...endedIn.map(({ id }) => id)]);
  // What is dropped is there at no snapshot from here on.
  for (const tableId of ends.tables) changed.delete(tableId);
  for (const tableId of changed) writeVersion(sql, snapshotId, { tableId, isNamed: named.has(tableId) });
}

function writeVersion(
  sql: SqlStorage,
  snapshotId: number,
  { tableId, isNamed }: { tableId: number; isNamed: boolean },
): void {
  sql.exec(
    `INSERT INTO fjord_table_versions (table_id, snapshot_id, named_at)
     SELECT ?1, ?2, coalesce(iif(?3, NULL, (SELECT named_at FROM fjord_table_versions WHERE table_id = ?1
       ORDER BY snapshot_id DESC LIMIT 1)), ?2)`,
    tableId,
    snapshotId,
    Number(isNamed),
  );
  // Every snapshot that is kept finds the newest version up to it.
  sql.exec(
    `DELETE FROM fjord_table_versions WHERE table_id = ?1 AND snapshot_id < (
       SELECT max(snapshot_id) FROM fjord_table_versions
       WHERE table_id = ?1 AND snapshot_id <= (SELECT min(snapshot_id) FROM ducklake_snapshot))`,
    tableId,
  );
}

/** Deletes the versions of tables that no snapshot shows any more. */
export const forgetVersions = (sql: SqlStorage, tableIds: readonly number[]): void =>
  void sql.exec(
    "DELETE FROM fjord_table_versions WHERE table_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(tableIds),
  );
