// One table of a run: read, written beside what is there, and swapped in, merged or added by one commit with the sync's
// memory of it.

import type { ReadAs, SourceTable } from "../../extract/source-table.ts";
import { extractParts } from "../../extract/extract-table.ts";
import { TypeMismatch } from "../../extract/type-mismatch.ts";
import { freeDiskSpace } from "../../core/disk.ts";
import { Failure } from "../../core/failure.ts";
import { appendNewRows } from "./append/append-new-rows.ts";
import { commitTable, reportEarlierAttempt, tableChanges } from "./commit/commit-table.ts";
import { chooseCursor, largestCursorValue } from "./tables/cursor.ts";
import { isConflict, isOutOfDisk, isOutOfCapacity, toSyncFailure } from "./failures.ts";
import { findChanges, lateBaseline, type NewBaseline } from "./changes/find-changes.ts";
import { planLakeFiles } from "./rows/lake-files.ts";
import { mergeChanges } from "./merge/merge-changes.ts";
import { uploadsOf } from "./rows/upload-rows.ts";
import { ReadAllInstead } from "./merge/plan-merge.ts";
import { planColumns } from "./tables/plan-columns.ts";
import { note, type TableProgress } from "./progress/progress.ts";
import { checksumReadKeys } from "./changes/checksum-read-keys.ts";
import { isAppending, type PreparedTable, type TableTask } from "./sync-run.ts";
import { wasAppended } from "./commit/checkpoint.ts";

const MERGE_ATTEMPTS = 3;

/** Rejects with a Failure in words for people, or the signal's reason; then the lake is as it was. */
export async function syncTable(task: TableTask): Promise<void> {
  const { run, checkpoint, progress } = task;
  if (checkpoint?.runId === run.work.runId) return reportEarlierAttempt(progress, checkpoint);
  const readAs = new Map(Object.entries(checkpoint?.readAs ?? {}));
  let hasMadeRoom = false;
  for (;;) {
    restart(progress);
    try {
      return await writeTable(await describe(task, readAs));
    } catch (error) {
      if (isOutOfDisk(error) && !hasMadeRoom && !run.signal.aborted && freeDiskSpace()) {
        hasMadeRoom = true;
        continue;
      }
      if (!(error instanceof TypeMismatch) || readAs.get(error.column) === error.readAs) throw toSyncFailure(error);
      note(progress, error.message);
      readAs.set(error.column, error.readAs);
    }
  }
}

const restart = (progress: TableProgress): void =>
  void Object.assign(progress, {
    phase: "reading",
    rowsRead: 0,
    rowsWritten: 0,
    rowsDeleted: 0,
    bytesWritten: 0,
    rowsCompared: 0,
  });

async function describe(task: TableTask, readAs: ReadonlyMap<string, ReadAs>): Promise<PreparedTable> {
  const { run, source, lake, checkpoint, progress } = task;
  const { work, snapshot, signal } = run;
  const table = await snapshot.describe(source, signal, readAs);
  for (const text of table.notes) note(progress, text);
  const hasCursor =
    work.loadMethod === "append" ||
    (work.loadMethod === "merge" && work.cursors[source.path] !== undefined && table.primaryKey.length > 0);
  const cursor = hasCursor ? chooseCursor(table, work, checkpoint) : undefined;
  const columnPlan = planColumns(table.columns, lake?.columns, isAppending(task), checkpoint?.columnIdLast ?? 0);
  if (columnPlan.kind === "refused") throw new Failure("sql_error", columnPlan.reason);
  const isReadOtherwise = noteReadOtherwise(task, table);
  if (lake && !checkpoint && !isAppending(task))
    return { ...task, table, readAs, cursor, isReadOtherwise, columnPlan: takeOver(table, progress) };
  for (const text of columnPlan.notes) note(progress, text);
  return { ...task, table, readAs, cursor, isReadOtherwise, columnPlan };
}

/** Whether the lake has values that are read otherwise now. */
function noteReadOtherwise(task: TableTask, { columns }: SourceTable): boolean {
  const { lake, checkpoint, progress } = task;
  const changed = lake && checkpoint ? columns.filter(({ changedIn = 0 }) => changedIn > checkpoint.readVersion) : [];
  for (const { name, type } of changed) {
    const what = isAppending(task) ? "Rows that were there keep theirs until a run in full." : "So all of it is read.";
    note(progress, `Column ${name} is ${type} and is read without its padding now. ${what}`);
  }
  return changed.length > 0;
}

/** Which field ids the table had before nobody remembers, so it is made anew. */
function takeOver(table: SourceTable, progress: TableProgress): PreparedTable["columnPlan"] {
  note(
    progress,
    "The lake had a table of this name that this sync did not write; it was replaced. Earlier snapshots keep it.",
  );
  return { kind: "create", columns: table.columns.map((column) => column.lake), notes: [] };
}

async function writeTable(described: PreparedTable): Promise<void> {
  const {
    run: { work },
    lake,
    cursor,
    progress,
    table,
  } = described;
  if (isAppending(described)) return addRows(described);
  if (work.loadMethod === "append") {
    const memory = cursor ? lateBaseline(described) : null;
    if (cursor) note(progress, cursor.unseenNote("append", memory !== null));
    progress.method = lake ? "full read, replacing all rows" : "first full read";
    return readAll(described, "overwrite", memory);
  }
  if (cursor) note(progress, cursor.unseenNote(work.loadMethod, false));
  if (work.loadMethod === "overwrite" || table.primaryKey.length === 0) {
    if (work.loadMethod === "merge")
      note(
        progress,
        "It has no primary key, nor another unique one that is never NULL, so every run replaces it as a whole.",
      );
    progress.method = "full read";
    return readAll(described, "overwrite", null);
  }
  const memory = await tryMerge(described);
  if (memory === "merged") return;
  restart(progress);
  progress.method = "full read";
  await readAll(described, "overwrite", memory);
}

/** Merges what changed, or answers with what a full read leaves to the next run. */
async function tryMerge(described: PreparedTable): Promise<NewBaseline | "merged"> {
  const { run, lake, checkpoint, columnPlan, progress } = described;
  const found = await findChanges(described);
  if ("full" in found) {
    if (found.full !== null) note(progress, found.full);
    return found.memory;
  }
  if (
    run.work.full ||
    !lake ||
    !checkpoint ||
    described.isReadOtherwise ||
    columnPlan.kind !== "keep" ||
    columnPlan.changes.length > 0
  )
    return found.memory;
  if (wasAppended(checkpoint)) {
    note(progress, "Rows were appended to it before, beside what they were earlier. So all of it is read.");
    return found.memory;
  }
  for (let attempt = 1; ; attempt++) {
    try {
      await mergeChanges({ ...described, lake, checkpoint }, found);
      return "merged";
    } catch (error) {
      run.signal.throwIfAborted();
      if (error instanceof ReadAllInstead) {
        note(progress, error.message);
        return found.memory;
      }
      if (isOutOfCapacity(error)) {
        note(progress, "Telling what has changed took more memory or disk than there is: all of it is read.");
        return found.memory;
      }
      // Maintenance may have put other files in the place of those that were read.
      if (!isConflict(error) || attempt === MERGE_ATTEMPTS) throw error;
      restart(progress);
    }
  }
}

async function addRows(described: PreparedTable): Promise<void> {
  const {
    run: { work },
    lake,
    checkpoint,
    cursor,
    progress,
    source,
  } = described;
  if (!lake || !checkpoint) {
    throw new Failure(
      "sql_error",
      `The lake has a table ${work.destSchema}.${source.name} that this sync has not written, so nobody knows which rows are new. Rename or drop it, or run the sync in full, which replaces it.`,
    );
  }
  if (cursor) {
    progress.method = `new rows by ${cursor.column.name}`;
    return appendNewRows(described, { lake, checkpoint, cursor });
  }
  if (!work.appendFullRows)
    throw new Failure(
      "sql_error",
      `${source.path} has no column that surely tells new rows. Name one in \`cursors\`, or send \`append_full_rows: true\`.`,
    );
  progress.method = "all rows added";
  await readAll(described, "append", null);
}

async function readAll(described: PreparedTable, write: "overwrite" | "append", memory: NewBaseline): Promise<void> {
  const { run, source, table, columnPlan, cursor, progress } = described;
  const { snapshot, staging, signal } = run;
  const uploads = uploadsOf(described);
  const remembered = checksumReadKeys(described, memory);
  let greatest: string | null = null;
  try {
    const rowsReplaced = write === "overwrite" ? await countReplaced(described) : 0;
    const report = await extractParts({
      snapshot,
      table,
      staging,
      signal,
      ...(columnPlan.kind === "keep" ? { columns: columnPlan.columns } : {}),
      onProgress: (rows) => void (progress.rowsRead = rows),
      async onPart(part) {
        if (cursor) greatest = await largestCursorValue(staging, cursor, greatest, part.file);
        await remembered.add(part.file);
        await uploads.add(part);
      },
    });
    for (const text of report.notes) note(progress, text);
    progress.phase = "uploading";
    const files = await uploads.end();
    if (uploads.rows !== report.rows)
      throw new Error(`${source.path}: ${report.rows} rows were read and ${uploads.rows} uploaded`);
    progress.rowsRead = report.rows;
    progress.rowsDeleted = rowsReplaced;
    await commitTable(described, {
      changes: tableChanges(described, files, write),
      cursor: cursor ? { column: cursor.column.name, value: greatest } : null,
      memory: remembered.end(),
    });
  } finally {
    await uploads.settle();
  }
}

/** The rows whose place the new ones take. */
async function countReplaced({ run, lake }: PreparedTable): Promise<number> {
  return lake ? (await planLakeFiles(run, lake.tableId)).rows : 0;
}
