// compact: the rows left in some data files are written anew; no row changes, so neither do the table's bounds. Pure.

import type { NewDataFile } from "../../../../kernel/lake/commit.ts";
import { flawsOfFiles } from "../check-files.ts";
import type { FileState } from "../../state/state.ts";
import { tableKey } from "../../state/state.ts";
import { endFiles, findFiles, intend, lookUp, needsBase, type Apply, type Draft, type TableDraft } from "../draft.ts";
import { addFile } from "./files.ts";

/**
 * The files written from end with this snapshot rather than vanish: older snapshots go on reading them until they
 * expire.
 * Whoever owns the table, anybody may compact it, but not while a writer is at work on it: its commit would conflict.
 */
export const compact: Apply<"compact"> = (draft, change, pointer) => {
  const table = lookUp(draft, change);
  if (typeof table === "string") return table;
  const work = draft.work.get(tableKey(change.schema, change.name));
  if (work !== undefined) return `${table.schema}.${table.name} can't be compacted while ${work}.`;
  needsBase(draft, pointer);
  intend(draft, "compact", table);
  const sources = findFiles(draft, table, change.dataFileIds);
  if (typeof sources === "string") return sources;
  const applied = new Set(change.deleteFileIds);
  const deletes = sources.flatMap(({ deleteFileId }) => (deleteFileId === null ? [] : [deleteFileId]));
  if (applied.size !== deletes.length || !deletes.every((id) => applied.has(id)))
    return `Other rows of ${table.schema}.${table.name} are deleted than the compaction knew.`;

  // A column that was dropped since has no bounds to keep.
  const files = change.files.map((file) => ({
    ...file,
    statistics: file.statistics.filter(
      ({ columnId }) => table.columns.has(columnId) || !table.usedColumnIds.has(columnId),
    ),
  }));
  const flaws = flawsOfFiles(files, table, { jobId: draft.jobId, taken: draft.takenFiles }, `${pointer}/files`);
  const left = sources.reduce((sum, { rows, deletedRows }) => sum + rows - deletedRows, 0);
  const written = files.reduce((sum, { rows }) => sum + rows, 0);
  if (sources.length === 0)
    flaws.push({ pointer: `${pointer}/dataFileIds`, message: "A compaction reads some files." });
  if (written !== left)
    flaws.push({
      pointer: `${pointer}/files`,
      message: `The data files have ${left} rows left, the new files ${written}.`,
    });
  draft.flaws.push(...flaws);
  if (flaws.length > 0) return undefined;

  const summaries = new Map(table.summaries);
  endFiles(table, sources);
  addInPlaceOf(draft, table, sources, files);
  table.recordCount += written;
  table.bytes += files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (table.recordCount > 0) table.summaries = summaries;
  table.did.add("compacted_table");
  return undefined;
};

/**
 * New files stand where the first of the old ones stood. A file's `row_id_start` says that its rows' ids run on from
 * there, as the old ones' did with none deleted; where it is null every row carries its own in the file's column
 * `_ducklake_internal_row_id`, as DuckLake's own writers have it.
 */
function addInPlaceOf(
  draft: Draft,
  table: TableDraft,
  sources: readonly FileState[],
  files: readonly NewDataFile[],
): void {
  const inOrder = [...sources].sort((left, right) => left.fileOrder - right.fileOrder);
  let rowId = firstRowId(inOrder);
  for (const [index, file] of files.entries()) {
    addFile(draft, table, file, { rowIdStart: rowId, fileOrder: inOrder[index]?.fileOrder });
    if (rowId !== null) rowId += file.rows;
  }
}

function firstRowId(sources: readonly FileState[]): number | null {
  const first = sources[0]?.rowIdStart ?? null;
  let next = first;
  for (const { rowIdStart, rows, deletedRows } of sources) {
    if (next === null || rowIdStart !== next || deletedRows > 0) return null;
    next += rows;
  }
  return first;
}
