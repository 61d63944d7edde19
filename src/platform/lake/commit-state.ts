// What a commit is decided on: the head of the catalog, and everything about the schemas, tables and files it names.

import type { LakeCommit } from "../../../containers/engine/lake-protocol.ts";
import { parseChanges, type Change } from "./change-text.ts";
import { isNested } from "./column-types.ts";
import type { FileTarget } from "./check-files.ts";
import { parseInstant } from "./instant.ts";
import { foldName } from "./names.ts";
import type { ColumnSummary } from "./statistics.ts";

export type Head = { snapshotId: number; timeMs: number; schemaVersion: number; nextCatalogId: number; nextFileId: number };

export type SchemaState = { schemaId: number; name: string; path: string };

/** `path` is relative to the lake's root; `summaries` is by column and empty while the table has no rows. */
export type TableState = FileTarget & {
  tableId: number;
  schema: string;
  name: string;
  recordCount: number;
  nextRowId: number;
  bytes: number;
  summaries: Map<number, ColumnSummary>;
};

export type CatalogState = {
  head: Head;
  /** By {@link foldName}. */
  schemas: Map<string, SchemaState>;
  /** By {@link tableKey}. */
  tables: Map<string, TableState>;
  /** Names of the commit's files that the catalog has already. */
  takenFiles: Set<string>;
  /** What other snapshots changed since the commit's base; undefined when that base is not, or no longer, a snapshot. */
  others: Change[] | undefined;
};

export const tableKey = (schema: string, name: string): string => JSON.stringify([foldName(schema), foldName(name)]);

export function readState(sql: SqlStorage, commit: LakeCommit): CatalogState {
  const named = new Map(commit.changes.map((change) => [tableKey(change.schema, change.name), change]));
  const tables = new Map<string, TableState>();
  for (const [key, { schema, name }] of named) {
    const table = readTable(sql, schema, name);
    if (table) tables.set(key, table);
  }
  return { head: readHead(sql), schemas: readSchemas(sql), tables, takenFiles: readTaken(sql, commit), others: readOthers(sql, commit.baseSnapshotId) };
}

export function readHead(sql: SqlStorage): Head {
  const { time, ...head } = sql
    .exec<Omit<Head, "timeMs"> & { time: string }>(
      `SELECT snapshot_id AS snapshotId, snapshot_time AS time, schema_version AS schemaVersion,
              next_catalog_id AS nextCatalogId, next_file_id AS nextFileId
       FROM ducklake_snapshot ORDER BY snapshot_id DESC LIMIT 1`,
    )
    .one();
  return { ...head, timeMs: parseInstant(time) };
}

function readSchemas(sql: SqlStorage): Map<string, SchemaState> {
  const rows = sql.exec<SchemaState>(
    "SELECT schema_id AS schemaId, schema_name AS name, path FROM ducklake_schema WHERE end_snapshot IS NULL",
  );
  return new Map(rows.toArray().map((schema) => [foldName(schema.name), schema]));
}

function readTable(sql: SqlStorage, schema: string, name: string): TableState | undefined {
  const found = sql
    .exec<Omit<TableState, "columns" | "summaries">>(
      `SELECT t.table_id AS tableId, s.schema_name AS schema, t.table_name AS name, s.path || t.path AS path,
              coalesce(c.record_count, 0) AS recordCount, coalesce(c.next_row_id, 0) AS nextRowId, coalesce(c.file_size_bytes, 0) AS bytes
       FROM ducklake_table t JOIN ducklake_schema s USING (schema_id) LEFT JOIN ducklake_table_stats c USING (table_id)
       WHERE s.schema_name = ? COLLATE NOCASE AND s.end_snapshot IS NULL
         AND t.table_name = ? COLLATE NOCASE AND t.end_snapshot IS NULL`,
      schema,
      name,
    )
    .toArray()[0];
  return found && { ...found, columns: readColumns(sql, found.tableId), summaries: readSummaries(sql, found.tableId) };
}

function readColumns(sql: SqlStorage, tableId: number): TableState["columns"] {
  const rows = sql.exec<{ id: number; type: string; parentId: number | null }>(
    `SELECT column_id AS id, column_type AS type, parent_column AS parentId FROM ducklake_column
     WHERE table_id = ? AND end_snapshot IS NULL ORDER BY column_order`,
    tableId,
  );
  return new Map(rows.toArray().map(({ id, type, parentId }) => [id, { type, isTopLevel: parentId === null && !isNested(type) }]));
}

function readSummaries(sql: SqlStorage, tableId: number): TableState["summaries"] {
  const isTrue = (flag: number | null): boolean | null => (flag === null ? null : flag !== 0);
  const rows = sql.exec<{ id: number; containsNull: number | null; containsNan: number | null; min: string | null; max: string | null }>(
    `SELECT column_id AS id, contains_null AS containsNull, contains_nan AS containsNan, min_value AS min, max_value AS max
     FROM ducklake_table_column_stats WHERE table_id = ?`,
    tableId,
  );
  return new Map(
    rows.toArray().map(({ id, containsNull, containsNan, min, max }) => [
      id,
      { containsNull: isTrue(containsNull), containsNan: isTrue(containsNan), min, max },
    ]),
  );
}

function readTaken(sql: SqlStorage, commit: LakeCommit): Set<string> {
  const names = commit.changes.flatMap((change) => (change.kind === "append" ? change.files.map(({ path }) => path.slice(path.lastIndexOf("/") + 1)) : []));
  const rows = sql.exec<{ path: string }>("SELECT path FROM ducklake_data_file WHERE path IN (SELECT value FROM json_each(?))", JSON.stringify(names));
  return new Set(rows.toArray().map(({ path }) => path));
}

function readOthers(sql: SqlStorage, baseSnapshotId: number | undefined): Change[] | undefined {
  if (baseSnapshotId === undefined) return [];
  const isKnown = sql.exec("SELECT 1 FROM ducklake_snapshot WHERE snapshot_id = ?", baseSnapshotId).toArray().length > 0;
  if (!isKnown) return undefined;
  const rows = sql.exec<{ changes: string }>("SELECT changes_made AS changes FROM ducklake_snapshot_changes WHERE snapshot_id > ?", baseSnapshotId);
  return rows.toArray().flatMap(({ changes }) => parseChanges(changes ?? ""));
}
