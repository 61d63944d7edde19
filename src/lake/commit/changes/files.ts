// append, overwrite and drop_files: data files begin and end. Pure.

import type { NewDataFile } from "../../../../kernel/lake/commit.ts";
import { flawsOfFiles } from "../check-files.ts";
import {
  endFiles,
  findFiles,
  findTable,
  flagOf,
  intend,
  needsBase,
  type Apply,
  type Draft,
  type TableDraft,
} from "../draft.ts";
import { mergeColumn } from "../../format/statistics.ts";

export const append: Apply<"append"> = (draft, change, pointer) => {
  const table = findTable(draft, change);
  // A table that could not be made, by an earlier change, is a flaw and no conflict.
  if (typeof table === "string") return draft.flaws.length > 0 ? undefined : table;
  intend(draft, "insert", table);
  if (change.readsTable) intend(draft, "delete", table);
  addFiles(draft, table, change.files, pointer);
  return undefined;
};

export const overwrite: Apply<"overwrite"> = (draft, change, pointer) => {
  const table = findTable(draft, change);
  if (typeof table === "string") return draft.flaws.length > 0 ? undefined : table;
  intend(draft, "delete", table);
  intend(draft, "insert", table);
  if (table.before && table.before.recordCount > 0) table.did.add("deleted_from_table");
  endAllFiles(table);
  addFiles(draft, table, change.files, pointer);
  return undefined;
};

/** What the commit itself added goes too. Row ids run on: none is ever used twice. */
function endAllFiles(table: TableDraft): void {
  table.endsAllFiles = true;
  table.endedDataFiles.clear();
  table.endedDeleteFiles.clear();
  table.addedFiles = [];
  table.addedFileStatistics = [];
  table.addedDeleteFiles = [];
  table.recordCount = 0;
  table.bytes = 0;
  table.summaries.clear();
}

export const dropFiles: Apply<"drop_files"> = (draft, change, pointer) => {
  const table = findTable(draft, change);
  if (typeof table === "string") return table;
  needsBase(draft, pointer);
  intend(draft, "delete", table);
  const files = findFiles(draft, table, change.dataFileIds);
  if (typeof files === "string") return files;
  endFiles(table, files);
  table.did.add("deleted_from_table");
  return undefined;
};

function addFiles(draft: Draft, table: TableDraft, files: readonly NewDataFile[], pointer: string): void {
  const flaws = flawsOfFiles(files, table, { jobId: draft.jobId, taken: draft.takenFiles }, `${pointer}/files`);
  draft.flaws.push(...flaws);
  if (flaws.length > 0) return;
  for (const file of files) {
    addFile(draft, table, file, { rowIdStart: table.nextRowId });
    table.nextRowId += file.rows;
    const byColumn = new Map(file.statistics.map((statistics) => [statistics.columnId, statistics]));
    // A file without rows says nothing about a column.
    for (const [id, { type }] of file.rows > 0 ? table.columns : []) {
      const before = table.recordCount === 0 ? undefined : (table.summaries.get(id) ?? UNKNOWN);
      table.summaries.set(id, mergeColumn(type, before, byColumn.get(id)));
    }
    table.recordCount += file.rows;
    table.bytes += file.bytes;
    table.did.add("inserted_into_table");
  }
}

/** A column that came after the rows did. */
const UNKNOWN = { containsNull: null, containsNan: null, min: null, max: null };

/** Adds a file's own rows, and nothing to the table's counts. `fileOrder` is its id unless it takes another's place. */
export function addFile(
  draft: Draft,
  table: TableDraft,
  file: NewDataFile,
  { rowIdStart, fileOrder }: { rowIdStart: number | null; fileOrder?: number | undefined },
): void {
  const fileId = draft.head.nextFileId++;
  const of = { data_file_id: fileId, table_id: table.tableId };
  table.addedFiles.push({
    ...of,
    begin_snapshot: draft.snapshotId,
    end_snapshot: null,
    file_order: fileOrder ?? fileId,
    path: file.path.slice(table.path.length),
    path_is_relative: 1,
    file_format: "parquet",
    record_count: file.rows,
    file_size_bytes: file.bytes,
    footer_size: file.footerBytes,
    row_id_start: rowIdStart,
    partition_id: null,
    encryption_key: null,
    mapping_id: null,
    partial_max: null,
  });
  for (const { columnId, bytes, values, nulls, min, max, containsNan } of file.statistics) {
    const bounds = { min_value: min, max_value: max, contains_nan: flagOf(containsNan), extra_stats: null };
    table.addedFileStatistics.push({
      ...of,
      ...bounds,
      column_id: columnId,
      column_size_bytes: bytes,
      value_count: values,
      null_count: nulls,
    });
  }
}
