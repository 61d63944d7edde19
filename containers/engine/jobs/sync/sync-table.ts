// One table of a run: read, written beside what is there, and swapped in, merged or added by one commit, together with
// its checkpoint.

import { Failure } from "../../core/failure.ts";
import { freeDiskSpace } from "../../core/disk.ts";
import { READ_ALL, ReadAllInstead } from "../../extract/changes/read-all-reasons.ts";
import { TypeMismatch } from "../../extract/type-mismatch.ts";
import { appendNewRows } from "./append/append-new-rows.ts";
import { noteMethod } from "./append/reports.ts";
import type { ChangeReport } from "../../extract/changes/changes.ts";
import { findChanges, lateBaseline } from "./changes/find-changes.ts";
import { reportEarlierAttempt } from "./commit/commit-table.ts";
import { isConflict, isOutOfCapacity } from "../failures.ts";
import { isOutOfDisk, toSyncFailure } from "./failures.ts";
import { baselineBehind, checkMergeable } from "./merge/check-mergeable.ts";
import { mergeChanges } from "./merge/merge-changes.ts";
import { note, type TableProgress } from "./progress/progress.ts";
import { readAll } from "./read-all.ts";
import { isAppending, type PreparedTable, type TableTask } from "./sync-run.ts";
import { unseenNote } from "./tables/cursor.ts";
import { prepareTable } from "./tables/prepare-table.ts";

const MERGE_ATTEMPTS = 3;

/** Rejects with a Failure in words for people, or the signal's reason; then the lake is as it was. */
export async function syncTable(task: TableTask): Promise<void> {
  const { run, checkpoint, progress } = task;
  if (checkpoint?.runId === run.work.runId) return reportEarlierAttempt(progress, checkpoint);
  const readAs = new Map(Object.entries(checkpoint?.readAs ?? {}));
  let hasFreedDisk = false;
  for (;;) {
    restart(progress);
    try {
      return await writeTable(await prepareTable(task, readAs));
    } catch (error) {
      if (isOutOfDisk(error) && !hasFreedDisk && !run.signal.aborted && freeDiskSpace()) {
        hasFreedDisk = true;
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
    warnings: [],
  });

async function writeTable(prepared: PreparedTable): Promise<void> {
  const { run, cursor, progress, table } = prepared;
  const { loadMethod } = run.work;
  if (isAppending(prepared)) return addRows(prepared);
  if (loadMethod === "append") return readAllToAppendLater(prepared);
  if (cursor) note(progress, unseenNote(cursor, loadMethod, false));
  const found: ChangeReport =
    loadMethod === "overwrite"
      ? { changed: new ReadAllInstead(READ_ALL.overwrite), baseline: null }
      : table.primaryKey.length === 0
        ? { changed: new ReadAllInstead(READ_ALL.noKey), baseline: null }
        : await findChanges(prepared);
  try {
    await mergeFound(prepared, found);
  } catch (error) {
    run.signal.throwIfAborted();
    if (!(error instanceof ReadAllInstead)) throw error;
    if (error.note !== null) note(progress, error.note);
    restart(progress);
    progress.method = "full read";
    await readAll(prepared, "overwrite", baselineBehind(error, found.baseline));
  }
}

/**
 * Merges what changed. Throws {@link ReadAllInstead}, for one of the reasons of {@link READ_ALL}, with nothing done.
 */
async function mergeFound(prepared: PreparedTable, found: ChangeReport): Promise<void> {
  const { merge, changed } = checkMergeable(prepared, found);
  for (let attempt = 1; ; attempt++) {
    try {
      return await mergeChanges(merge, changed, found.baseline);
    } catch (error) {
      prepared.run.signal.throwIfAborted();
      if (isOutOfCapacity(error)) throw new ReadAllInstead(READ_ALL.outOfCapacity);
      // Maintenance may have replaced the files that were read.
      if (!isConflict(error) || attempt === MERGE_ATTEMPTS) throw error;
      restart(prepared.progress);
    }
  }
}

/** Reads all rows, in the first run of an `append` or one in full. */
function readAllToAppendLater(prepared: PreparedTable): Promise<void> {
  const { lake, progress } = prepared;
  const baseline = lateBaseline(prepared);
  noteMethod(prepared, baseline !== null);
  progress.method = lake ? "full read, replacing all rows" : "first full read";
  return readAll(prepared, "overwrite", baseline);
}

async function addRows(prepared: PreparedTable): Promise<void> {
  const { run, lake, checkpoint, cursor, progress, source } = prepared;
  const { destSchema, appendFullRows } = run.work;
  if (!lake || !checkpoint)
    throw new Failure(
      "sql_error",
      `The lake has a table ${destSchema}.${source.name} that this sync has not written, so nobody knows which rows ` +
        "are new. Rename or drop it, or run the sync in full, which replaces it.",
    );
  if (!cursor && appendFullRows) {
    progress.method = "all rows added";
    return readAll(prepared, "append", null);
  }
  progress.method = `new rows ${methodOf(prepared)}`;
  await appendNewRows(prepared, lake, checkpoint);
}

/** The way in which new rows are recognised, for people. */
const methodOf = ({ cursor, table }: PreparedTable): string =>
  cursor ? `by ${cursor.column.name}` : table.primaryKey.length > 0 ? "by key" : "among all rows";
