// The manifests of a table's version are planned: which files each names, and which of them are written already.

import { createHash } from "node:crypto";
import type { LakeColumn, LakeTableName } from "../../../kernel/lake/lake.ts";
import { accept, refuse, type Answer } from "../../core/answer.ts";
import { LAKE_CATALOG_LIMITS } from "../format/limits.ts";
import { visible } from "../format/visible.ts";
import { describeColumns } from "../plan/describe.ts";
import { parseChanges } from "../format/change-text.ts";
import type { ManifestFacts, ManifestKind } from "./format/manifests.ts";
import type { IcebergOperation, SnapshotFacts } from "./format/table-metadata.ts";
import { reserveObject, type IcebergObject } from "./objects.ts";
import { arrangeRanges, splitByRange } from "./ranges.ts";

/** Raised whenever equal files are to make another manifest: those that are written are then not used any more. */
const CONTENT = 1;

export type PlannedManifest = {
  kind: ManifestKind;
  objectId: number;
  path: string;
  /** What is written already, or the files to be named. */
  content: { bytes: number; facts: ManifestFacts } | { fileIds: number[] };
};

export type ManifestPlan = {
  list: { objectId: number; path: string };
  manifests: PlannedManifest[];
  facts: SnapshotFacts;
};

/** Rows as arrays: a table may have a hundred thousand files. A delete file has rows of the data file `dataFileId`. */
type FileRow = [id: number, dataFileId: number, begin: number, rows: number, bytes: number];

type TableAt = LakeTableName & { tableId: number; folder: string; version: number };

/** Every object of the plan has a row from here on. */
export function planManifests(storage: DurableObjectStorage, table: TableAt): Answer<ManifestPlan> {
  return storage.transactionSync(() => {
    const { sql } = storage;
    const { tableId, version } = table;
    const files = readRows(sql, table, "data");
    if (files.length > LAKE_CATALOG_LIMITS.plannedFilesMax)
      return refuse(
        "resource_conflict",
        `${table.schema}.${table.name} has more than ${LAKE_CATALOG_LIMITS.plannedFilesMax} files; compact it first.`,
      );
    const deletes = readRows(sql, table, "delete");
    const newest = isNewest(sql, table);
    const starts = arrangeRanges(sql, tableId, { fileIds: files.map(([id]) => id), newest });
    const types = typesOf(describeColumns(sql, version, tableId));
    const plan = (kind: ManifestKind, rows: FileRow[], basis: unknown): PlannedManifest[] =>
      splitByRange(rows, starts, ([, dataFileId]) => dataFileId).map((range) => {
        const fileIds = range.map(([id]) => id);
        const key = createHash("sha256")
          .update(JSON.stringify([CONTENT, basis, fileIds]))
          .digest("hex");
        return plannedOf(kind, reserveObject(sql, { ...table, kind, key }), fileIds);
      });
    const { objectId, path } = reserveObject(sql, { ...table, kind: "list", key: String(version) });
    return accept({
      list: { objectId, path },
      manifests: [...plan("data", files, types), ...plan("deletes", deletes, null)],
      facts: factsOf(sql, table, files, deletes),
    });
  });
}

const plannedOf = (kind: ManifestKind, { objectId, path, written }: IcebergObject, fileIds: number[]) => ({
  ...{ kind, objectId, path },
  content: written ? { bytes: written.bytes, facts: JSON.parse(written.facts) as ManifestFacts } : { fileIds },
});

/** In the order of the data files' ids. */
function readRows(sql: SqlStorage, { tableId, version }: TableAt, kind: "data" | "delete"): FileRow[] {
  const rows = kind === "data" ? "record_count" : "delete_count";
  return [
    ...sql
      .exec(
        `SELECT f.${kind}_file_id, f.data_file_id, f.begin_snapshot, f.${rows}, f.file_size_bytes
         FROM ducklake_${kind}_file f WHERE f.table_id = ? AND ${visible("f")} ORDER BY f.data_file_id LIMIT ?`,
        ...[tableId, version, version, LAKE_CATALOG_LIMITS.plannedFilesMax + 1],
      )
      .raw<FileRow>(),
  ];
}

const isNewest = (sql: SqlStorage, { tableId, version }: TableAt): boolean =>
  sql
    .exec("SELECT 1 FROM fjord_table_versions WHERE table_id = ? AND snapshot_id > ? LIMIT 1", tableId, version)
    .toArray().length === 0;

/** Bounds are written by the columns' types, nested ones included. */
const typesOf = (columns: readonly LakeColumn[]): unknown[] =>
  columns.map(({ id, type, children }) => [id, type, typesOf(children)]);

function factsOf(
  sql: SqlStorage,
  table: TableAt,
  files: readonly FileRow[],
  deletes: readonly FileRow[],
): SnapshotFacts {
  const sum = (rows: readonly FileRow[], at: 3 | 4): number => rows.reduce((total, row) => total + row[at], 0);
  return {
    operation: operationOf(sql, table, files, deletes),
    rows: sum(files, 3),
    deletedRows: sum(deletes, 3),
    bytes: sum(files, 4) + sum(deletes, 4),
    dataFiles: files.length,
    deleteFiles: deletes.length,
  };
}

/** By what began and ended with the version. */
function operationOf(
  sql: SqlStorage,
  { tableId, version }: TableAt,
  files: readonly FileRow[],
  deletes: readonly FileRow[],
): IcebergOperation {
  const [changes] = sql
    .exec<{ text: string }>("SELECT changes_made AS text FROM ducklake_snapshot_changes WHERE snapshot_id = ?", version)
    .toArray();
  const isCompacted = parseChanges(changes?.text ?? "").some(
    (change) => change.kind === "compacted_table" && "id" in change && change.id === tableId,
  );
  const begins = (rows: readonly FileRow[]): boolean => rows.some(([, , begin]) => begin === version);
  const hasEnded = ["data", "delete"].some(
    (kind) =>
      sql
        .exec(`SELECT 1 FROM ducklake_${kind}_file WHERE table_id = ? AND end_snapshot = ? LIMIT 1`, tableId, version)
        .toArray().length > 0,
  );
  const [adds, removes] = [begins(files), begins(deletes) || hasEnded];
  if (isCompacted || (!adds && !removes)) return "replace";
  return adds && removes ? "overwrite" : adds ? "append" : "delete";
}
