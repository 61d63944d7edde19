// Which files make up tables at a snapshot, and where they lie.

import type { PlannedFile, TablePlan } from "../../../containers/engine/lake-protocol.ts";
import { LIMITS } from "../../core/limits.ts";
import { accept, refuse, type Answer } from "./answer.ts";
import { hasSnapshot, noSnapshot, visible } from "./describe.ts";

type FileRow = {
  tableId: number;
  folder: string;
  id: number;
  path: string;
  bytes: number;
  rows: number;
  deletesId: number | null;
  deletesPath: string;
  deletesBytes: number;
  deletesRows: number;
};

/** Plans of the tables that exist at the snapshot, in the order asked for; others are absent. Paths are relative to the lake's root. */
export function planTables(sql: SqlStorage, snapshotId: number, tableIds: readonly number[]): Answer<TablePlan[]> {
  if (!hasSnapshot(sql, snapshotId)) return noSnapshot(snapshotId);
  const at = [snapshotId, snapshotId];
  const wanted = JSON.stringify(tableIds);
  const tables = sql.exec<{ id: number }>(
    `SELECT table_id AS id FROM ducklake_table t WHERE ${visible("t")} AND table_id IN (SELECT value FROM json_each(?))`,
    ...at,
    wanted,
  );
  const seen = new Set(tables.toArray().map(({ id }) => id));
  const files = sql
    .exec<FileRow>(
      `SELECT t.table_id AS tableId, s.path || t.path AS folder,
              f.data_file_id AS id, f.path AS path, f.file_size_bytes AS bytes, f.record_count AS rows,
              d.delete_file_id AS deletesId, d.path AS deletesPath, d.file_size_bytes AS deletesBytes, d.delete_count AS deletesRows
       FROM ducklake_table t JOIN ducklake_schema s USING (schema_id) JOIN ducklake_data_file f USING (table_id)
       LEFT JOIN ducklake_delete_file d ON d.data_file_id = f.data_file_id AND ${visible("d")}
       WHERE ${visible("f")} AND ${visible("t")} AND ${visible("s")} AND t.table_id IN (SELECT value FROM json_each(?))
       ORDER BY t.table_id, f.file_order LIMIT ?`,
      ...at,
      ...at,
      ...at,
      ...at,
      wanted,
      LIMITS.lakePlannedFilesMax + 1,
    )
    .toArray();
  if (files.length > LIMITS.lakePlannedFilesMax) {
    return refuse("validation_failed", `These tables have more than ${LIMITS.lakePlannedFilesMax} files; compact them first.`);
  }
  const byTable = Map.groupBy(files, ({ tableId }) => tableId);
  const plans = tableIds.filter((id) => seen.has(id)).map((tableId) => ({ tableId, files: (byTable.get(tableId) ?? []).map(planFile) }));
  return accept(plans);
}

function planFile({ folder, id, path, bytes, rows, deletesId, deletesPath, deletesBytes, deletesRows }: FileRow): TablePlan["files"][number] {
  const deletes: PlannedFile | null =
    deletesId === null ? null : { id: deletesId, path: folder + deletesPath, bytes: deletesBytes, rows: deletesRows };
  return { id, path: folder + path, bytes, rows, deletes };
}

/** Paths of the data and delete files that belong to a table at the snapshot, by file id; other ids are absent. */
export function pathsOfFiles(sql: SqlStorage, snapshotId: number, fileIds: readonly number[]): Answer<Record<number, string>> {
  if (!hasSnapshot(sql, snapshotId)) return noSnapshot(snapshotId);
  const at = [snapshotId, snapshotId];
  const paths = (table: string, id: string) =>
    `SELECT f.${id} AS id, s.path || t.path || f.path AS path
     FROM ${table} f JOIN ducklake_table t USING (table_id) JOIN ducklake_schema s USING (schema_id)
     WHERE f.${id} IN (SELECT value FROM json_each(?)) AND ${visible("f")} AND ${visible("t")} AND ${visible("s")}`;
  const bound = [JSON.stringify(fileIds), ...at, ...at, ...at];
  const rows = sql.exec<{ id: number; path: string }>(
    `${paths("ducklake_data_file", "data_file_id")} UNION ALL ${paths("ducklake_delete_file", "delete_file_id")}`,
    ...bound,
    ...bound,
  );
  return accept(Object.fromEntries(rows.toArray().map(({ id, path }) => [id, path])));
}
