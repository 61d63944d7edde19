// delete: rows end one by one, by positional delete files. Pure.

import type { NewDeleteFile } from "../../../../kernel/lake/commit.ts";
import { flawsOfUpload } from "../check-files.ts";
import type { FileState } from "../../state/state.ts";
import { findFiles, findTable, intend, needsBase, type Apply, type Draft, type TableDraft } from "../draft.ts";

export const deleteRows: Apply<"delete"> = (draft, change, pointer) => {
  const table = findTable(draft, change);
  if (typeof table === "string") return table;
  needsBase(draft, pointer);
  intend(draft, "delete", table);
  const files = findFiles(
    draft,
    table,
    change.deletes.map(({ dataFileId }) => dataFileId),
  );
  if (typeof files === "string") return files;
  for (const [index, { dataFileId, file }] of change.deletes.entries()) {
    const at = `${pointer}/deletes/${index}`;
    const target = draft.files.get(dataFileId)!;
    const message = flawOfDeletes(table, target, file);
    const flaws = flawsOfUpload(file, table, { jobId: draft.jobId, taken: draft.takenFiles }, `${at}/file`);
    if (message) flaws.push({ pointer: `${at}/file/rows`, message });
    draft.flaws.push(...flaws);
    if (flaws.length === 0) addDeleteFile(draft, table, target, file);
  }
  table.did.add("deleted_from_table");
  return undefined;
};

/** A delete file that forgot rows deleted before would bring them back. */
function flawOfDeletes(table: TableDraft, target: FileState, file: NewDeleteFile): string | undefined {
  if (table.addedDeleteFiles.some(({ data_file_id }) => data_file_id === target.dataFileId))
    return "The commit deletes from this data file already.";
  if (file.rows <= target.deletedRows)
    return `A delete file holds the rows deleted before too: more than ${target.deletedRows}.`;
  return file.rows > target.rows ? `The data file has ${target.rows} rows.` : undefined;
}

function addDeleteFile(draft: Draft, table: TableDraft, target: FileState, file: NewDeleteFile): void {
  if (target.deleteFileId !== null) table.endedDeleteFiles.add(target.deleteFileId);
  table.addedDeleteFiles.push({
    delete_file_id: draft.head.nextFileId++,
    table_id: table.tableId,
    begin_snapshot: draft.snapshotId,
    end_snapshot: null,
    data_file_id: target.dataFileId,
    path: file.path.slice(table.path.length),
    path_is_relative: 1,
    format: "parquet",
    delete_count: file.rows,
    file_size_bytes: file.bytes,
    footer_size: file.footerBytes,
    encryption_key: null,
    partial_max: null,
  });
}
