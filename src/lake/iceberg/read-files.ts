// The files that a manifest names, with what is known of their columns.

import { LAKE_CATALOG_LIMITS } from "../format/limits.ts";
import { visible } from "../format/visible.ts";
import { readColumnTypes } from "../plan/pruned-files.ts";
import { BOUND_BYTES_MAX } from "./format/bounds.ts";
import type { ManifestKind } from "./format/manifests.ts";

/** Rows as arrays, which cost a fraction of what objects do on their way to a Worker. Paths are below the folder. */
export type DataFileRow = [id: number, path: string, bytes: number, rows: number, begin: number];
export type DeleteFileRow = [path: string, bytes: number, rows: number, begin: number, of: string];
export type StatisticsRow = [
  fileId: number,
  columnId: number,
  bytes: number | null,
  values: number | null,
  nulls: number | null,
  min: string | null,
  max: string | null,
];

/** `types` are those of the table's first columns, by id, whose statistics are read. */
export type ManifestRows =
  | { kind: "data"; files: DataFileRow[]; statistics: StatisticsRow[]; types: [columnId: number, type: string][] }
  | { kind: "deletes"; files: DeleteFileRow[] };

export type ManifestRequest = { tableId: number; version: number; kind: ManifestKind; fileIds: readonly number[] };

/** In the order of the data files' ids; only files of the table, as it is at the version. */
export function readFiles(sql: SqlStorage, { tableId, version, kind, fileIds }: ManifestRequest): ManifestRows {
  const bound = [tableId, version, version, JSON.stringify(fileIds)];
  if (kind === "deletes")
    return {
      kind,
      files: [
        ...sql
          .exec(
            `SELECT f.path, f.file_size_bytes, f.delete_count, f.begin_snapshot, d.path
             FROM ducklake_delete_file f JOIN ducklake_data_file d USING (data_file_id)
             WHERE f.table_id = ? AND ${visible("f")} AND f.delete_file_id IN (SELECT value FROM json_each(?))
             ORDER BY f.data_file_id`,
            ...bound,
          )
          .raw<DeleteFileRow>(),
      ],
    };
  const types = [...readColumnTypes({ sql, snapshotId: version, tableId })]
    .sort(([one], [other]) => one - other)
    .slice(0, LAKE_CATALOG_LIMITS.icebergColumnsWithStatisticsMax);
  const files = [
    ...sql
      .exec(
        `SELECT f.data_file_id, f.path, f.file_size_bytes, f.record_count, f.begin_snapshot FROM ducklake_data_file f
         WHERE f.table_id = ? AND ${visible("f")} AND f.data_file_id IN (SELECT value FROM json_each(?))
         ORDER BY f.data_file_id`,
        ...bound,
      )
      .raw<DataFileRow>(),
  ];
  const statistics = [
    ...sql
      .exec(
        `SELECT data_file_id, column_id, column_size_bytes, value_count, null_count,
           iif(length(min_value) <= ?3, min_value, NULL), iif(length(max_value) <= ?3, max_value, NULL)
         FROM ducklake_file_column_stats WHERE data_file_id IN (SELECT value FROM json_each(?1))
           AND column_id IN (SELECT value FROM json_each(?2)) ORDER BY data_file_id, column_id`,
        JSON.stringify(files.map(([id]) => id)),
        JSON.stringify(types.map(([id]) => id)),
        BOUND_BYTES_MAX,
      )
      .raw<StatisticsRow>(),
  ];
  return { kind, files, statistics, types };
}
