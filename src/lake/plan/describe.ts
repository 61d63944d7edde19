// A lake's description lists its schemas, tables and columns at a snapshot.

import type { LakeColumn, LakeDescription, LakeTable, SnapshotRequest } from "../../../kernel/lake/lake.ts";
import { describeFor, type Reader } from "../access/readers.ts";
import { accept, refuse, type Answer } from "../../core/answer.ts";
import { formatInstant } from "../format/instant.ts";
import { CHANGED_AT, versionOf, type ChangedAt } from "./versions.ts";
import { visible } from "../format/visible.ts";

export const hasSnapshot = (sql: SqlStorage, snapshotId: number): boolean =>
  sql.exec("SELECT 1 FROM ducklake_snapshot WHERE snapshot_id = ?", snapshotId).toArray().length > 0;

/** The snapshot of this number, or the newest at an instant; null where it is not kept, or none from before that. */
export const findSnapshot = (sql: SqlStorage, asked: SnapshotRequest): number | null =>
  "at" in asked ? snapshotAt(sql, Date.parse(asked.at)) : hasSnapshot(sql, asked.snapshotId) ? asked.snapshotId : null;

const snapshotAt = (sql: SqlStorage, atMs: number): number | null =>
  sql
    .exec<{ id: number }>(
      "SELECT snapshot_id AS id FROM ducklake_snapshot WHERE snapshot_time <= ? ORDER BY snapshot_id DESC LIMIT 1",
      formatInstant(atMs),
    )
    .toArray()[0]?.id ?? null;

export const noSnapshot = (snapshotId: number) => refuse("resource_not_found", `Snapshot ${snapshotId} was not found.`);

type TableRow = { tableId: number; schema: string; name: string } & ChangedAt;
type ColumnRow = { tableId: number; id: number; name: string; type: string; nullable: number; parentId: number | null };

const COLUMNS = `SELECT table_id AS tableId, column_id AS id, column_name AS name, column_type AS type,
  nulls_allowed AS nullable, parent_column AS parentId
  FROM ducklake_column c`;

/** What the reader may see of it. */
export function describeCatalog(sql: SqlStorage, snapshotId: number, reader: Reader): Answer<LakeDescription> {
  if (!hasSnapshot(sql, snapshotId)) return noSnapshot(snapshotId);
  const at = [snapshotId, snapshotId];
  const schemas = sql.exec<{ name: string }>(
    `SELECT schema_name AS name FROM ducklake_schema s WHERE ${visible("s")} ORDER BY name`,
    ...at,
  );
  const tables = sql.exec<TableRow>(
    `SELECT t.table_id AS tableId, s.schema_name AS schema, t.table_name AS name, ${CHANGED_AT}
     FROM ducklake_table t JOIN ducklake_schema s USING (schema_id)
     WHERE ${visible("t")} AND ${visible("s")} ORDER BY schema, name`,
    ...at,
    ...at,
    ...at,
  );
  const columns = sql.exec<ColumnRow>(`${COLUMNS} WHERE ${visible("c")} ORDER BY table_id, column_order`, ...at);
  const byTable = Map.groupBy(columns, ({ tableId }) => tableId);
  const description = {
    snapshotId,
    schemas: schemas.toArray().map(({ name }) => name),
    tables: tables.toArray().map((row) => tableOf(row, byTable.get(row.tableId) ?? [], reader)),
  };
  return accept(describeFor(reader, sql, description));
}

/** The tables of one schema, in whatever case it is written, as of the snapshot. */
export function describeSchema(sql: SqlStorage, snapshotId: number, schema: string): LakeTable[] {
  const at = [snapshotId, snapshotId];
  const tables = sql
    .exec<TableRow>(
      `SELECT t.table_id AS tableId, s.schema_name AS schema, t.table_name AS name, ${CHANGED_AT}
       FROM ducklake_table t JOIN ducklake_schema s USING (schema_id)
       WHERE ${visible("t")} AND ${visible("s")} AND s.schema_name = ? COLLATE NOCASE ORDER BY name`,
      ...at,
      ...at,
      ...at,
      schema,
    )
    .toArray();
  const wanted = JSON.stringify(tables.map(({ tableId }) => tableId));
  const columns = sql.exec<ColumnRow>(
    `${COLUMNS} WHERE table_id IN (SELECT value FROM json_each(?)) AND ${visible("c")} ORDER BY table_id, column_order`,
    wanted,
    ...at,
  );
  const byTable = Map.groupBy(columns, ({ tableId }) => tableId);
  return tables.map((row) => tableOf(row, byTable.get(row.tableId) ?? [], "everything"));
}

/** The columns of one table as of the snapshot, each with its children. */
export function describeColumns(sql: SqlStorage, snapshotId: number, tableId: number): LakeColumn[] {
  const bound = [tableId, snapshotId, snapshotId];
  return growColumns(
    sql.exec<ColumnRow>(`${COLUMNS} WHERE table_id = ? AND ${visible("c")} ORDER BY column_order`, ...bound).toArray(),
  );
}

const tableOf = (
  { tableId, schema, name, ...changed }: TableRow,
  columns: readonly ColumnRow[],
  reader: Reader,
): LakeTable => ({
  tableId,
  schema,
  name,
  version: versionOf(changed, reader),
  columns: growColumns(columns),
  view: "whole",
});

/** Rows in the order of their columns become the tree their parents make. */
function growColumns(rows: readonly ColumnRow[]): LakeColumn[] {
  const byParent = Map.groupBy(rows, ({ parentId }) => parentId);
  const grow = (parentId: number | null): LakeColumn[] =>
    (byParent.get(parentId) ?? []).map(({ id, name, type, nullable }) => ({
      id,
      name,
      type,
      nullable: nullable !== 0,
      children: grow(id),
    }));
  return grow(null);
}

/** Live tables of one schema with the rows they hold: those of their data files without those that are deleted. */
export function listTables(sql: SqlStorage, schema: string): { schema: string; name: string; rows: number }[] {
  return sql
    .exec<{ schema: string; name: string; rows: number }>(
      `SELECT s.schema_name AS schema, t.table_name AS name, coalesce(c.record_count, 0) -
              (SELECT coalesce(sum(d.delete_count), 0) FROM ducklake_delete_file d WHERE d.table_id = t.table_id
                AND d.end_snapshot IS NULL) AS rows
       FROM ducklake_table t JOIN ducklake_schema s USING (schema_id) LEFT JOIN ducklake_table_stats c USING (table_id)
       WHERE s.schema_name = ? COLLATE NOCASE AND s.end_snapshot IS NULL AND t.end_snapshot IS NULL ORDER BY name`,
      schema,
    )
    .toArray();
}
