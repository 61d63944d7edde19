// `append` after the first run: rows of the source that the lake does not have are added. A cursor, or the server's
// word on when rows were written, bounds what is read; the rest is found by comparing.

import { rename, rm } from "node:fs/promises";
import type { LakeTable } from "../../../../../kernel/lake/lake.ts";
import type { Changes } from "../../../extract/changes/changes.ts";
import { extractInto, extractParts } from "../../../extract/extract-table.ts";
import { findLateRows, lateBaseline } from "../changes/find-changes.ts";
import type { Checkpoint } from "../commit/checkpoint.ts";
import { commitTable, tableChanges } from "../commit/commit-table.ts";
import { note } from "../progress/progress.ts";
import { planLakeFiles } from "../rows/lake-files.ts";
import { withScratchTables, type ScratchTables } from "../rows/scratch-tables.ts";
import { uploadsOf } from "../rows/upload-rows.ts";
import type { PreparedTable } from "../sync-run.ts";
import { isReached, LargestValue, rereadFrom } from "../tables/cursor.ts";
import { compareRows, type ReadRows } from "./compare-rows.ts";
import type { RowsToCompare } from "./load-lake-rows.ts";
import { noteCursorChanged, noteLateRowsMissing, noteMethod, reportRows } from "./reports.ts";

/**
 * `isEndGone`: the source has the largest value of the last run no more, so that all rows are compared. `where`: the
 * rows that are read; undefined for all.
 */
type Append = RowsToCompare & { isEndGone: boolean; where: string | undefined };

/** Read what may be new, leave out what the lake has, upload, commit. */
export async function appendNewRows(
  prepared: PreparedTable,
  lake: LakeTable,
  { cursor: before }: Checkpoint,
): Promise<void> {
  const { run, cursor, progress } = prepared;
  const late = findLateRows(prepared);
  noteMethod(prepared, late !== undefined && "where" in late);
  if (cursor && late && "full" in late) noteLateRowsMissing(progress, late.full.note);
  if (cursor && before && before.column !== cursor.column.name) noteCursorChanged(progress, before.column, cursor);
  const from = cursor ? await rereadFrom(run.staging, cursor) : null;
  if (await appendRows({ prepared, lake, from, isEndGone: false, where: whereOf(prepared, from, late) })) return;
  Object.assign(progress, { phase: "reading", rowsRead: 0, method: "new rows among all rows" });
  await appendRows({ prepared, lake, from: null, isEndGone: true, where: undefined });
}

/** Without a cursor, rows that were committed since the last run are all there is to read, where they can be told. */
function whereOf({ run, cursor }: PreparedTable, from: string | null, late: Changes | undefined): string | undefined {
  const isLate = late && "where" in late ? late.where : undefined;
  if (!cursor || from === null) return cursor ? undefined : isLate;
  const isBehind = run.sourceSnapshot.isFrom(cursor.column, from);
  return isLate === undefined ? isBehind : `(${isBehind}) OR (${isLate})`;
}

/**
 * Answers false, with nothing done, where the rows that the lake ends with are gone at the source: only all rows show
 * then which are new.
 */
async function appendRows(append: Append): Promise<boolean> {
  const { prepared, from, isEndGone } = append;
  const { run, source, checkpoint, cursor, progress } = prepared;
  const uploads = uploadsOf(prepared);
  const files: string[] = [];
  try {
    return await withScratchTables(run, async (scratch) => {
      const read = await readSource(append, scratch, files);
      progress.phase = "comparing";
      const compared = await compareRows(append, read, scratch);
      if (cursor && from !== null && compared.same === 0 && !(await isReached(run.staging, cursor, compared.rows)))
        return false;
      const isAnew = isEndGone && read.size.rows > 0 && compared.same === 0;
      // Unless numbers began anew the largest value stays, so that rows that come back are compared with the lake's.
      const largest = new LargestValue(run.staging, cursor, isAnew ? null : (cursor?.last ?? null));
      await largest.addRows(compared.rows);
      reportRows(prepared, { ...compared, isEndGone, rowsRead: read.size.rows, isAnew });
      progress.phase = "writing";
      await compared.upload(uploads, isAnew);
      progress.phase = "uploading";
      const added = await uploads.end();
      const rows = read.size.rows - compared.same - (isAnew ? 0 : compared.changed);
      if (uploads.rows !== rows)
        throw new Error(`${source.path}: ${rows} rows are new and ${uploads.rows} were uploaded`);
      await commitTable(prepared, {
        changes: tableChanges(prepared, added, "append"),
        cursor: largest.checkpoint(isAnew ? await newestFileId(append) : (checkpoint?.cursor?.fileIdBefore ?? null)),
        baseline: lateBaseline(prepared),
      });
      return true;
    });
  } finally {
    await uploads.settle();
    for (const file of files) await rm(file, { force: true });
  }
}

/** The lake's newest file of the table: files that are added later have larger ids. */
async function newestFileId({ prepared: { run }, lake }: Append): Promise<number | null> {
  const { files } = await planLakeFiles(run, lake.tableId);
  return files.reduce<number | null>((newest, { id }) => Math.max(newest ?? id, id), null);
}

/** Files that are kept are added to `files`, also of a reading that fails. */
async function readSource(
  { prepared: { run, table, progress }, where }: Append,
  scratch: ScratchTables,
  files: string[],
): Promise<ReadRows> {
  const { sourceSnapshot, staging, signal } = run;
  const name = scratch.name("read");
  const isKeyed = table.primaryKey.length > 0;
  const order = {
    snapshot: sourceSnapshot,
    table,
    staging,
    signal,
    onProgress: (rows: number) => void (progress.rowsRead = rows),
    ...(where !== undefined && { where }),
  };
  const report = isKeyed
    ? await extractParts({ ...order, onPart: async ({ file }) => void files.push(await keep(file)) })
    : await extractInto(name, order);
  for (const text of report.notes) note(progress, text);
  progress.rowsRead = report.rows;
  return isKeyed ? { kind: "keyed", files, size: report } : { kind: "keyless", table: name, size: report };
}

/**
 * Rows with a key wait in files: of a table of its own DuckDB reads two thousand values at a time, and its memory may
 * not hold as many large ones.
 */
async function keep(file: string): Promise<string> {
  const kept = `${file}.kept`;
  await rename(file, kept);
  return kept;
}
