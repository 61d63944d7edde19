// The end of a table: rows, columns, comments and the sync's checkpoint become one snapshot.

import { foldName, sameName } from "../../../duckdb/names.ts";
import type { LakeColumn } from "../../../../../kernel/lake/lake.ts";
import type { LakeChange, NewDataFile } from "../../../../../kernel/lake/commit.ts";
import { READ_ALL } from "../../../extract/changes/read-all-reasons.ts";
import { READ_VERSION } from "../../../extract/source-table.ts";
import { note, type TableProgress } from "../progress/progress.ts";
import { isAppending, type PreparedTable } from "../sync-run.ts";
import { checkpointKey, fitsCheckpoint, parseCheckpoint, serializeCheckpoint, type Checkpoint } from "./checkpoint.ts";
import { planComments } from "./plan-comments.ts";
import { shedStatistics } from "./shed-statistics.ts";

export type TableCommit = Pick<Checkpoint, "cursor" | "baseline"> & {
  changes: LakeChange[];
  /** The base snapshot of changes that speak of files. */
  baseSnapshotId?: number;
};

/** Commits a table. A commit that an earlier try of this run has made is not made again: its result is reported. */
export async function commitTable(prepared: PreparedTable, commit: TableCommit): Promise<void> {
  const { run, source, progress } = prepared;
  const { work, platform, signal } = run;
  progress.phase = "committing";
  signal.throwIfAborted();
  const comments = planComments(prepared);
  const changes = fitChanges(prepared, [...commit.changes, ...comments.changes], commit.cursor?.column);
  const key = checkpointKey(work.syncId, source.path);
  const { replayed } = await platform.commit({
    key: `sync/${work.runId}/${source.path}`,
    author: `sync:${work.syncId}`,
    message: `Sync ${source.path}: ${progress.method}`,
    actor: `sync:${work.syncId}`,
    changes,
    state: [{ key, value: writeCheckpoint(prepared, commit, comments.fingerprint) }],
    ...(commit.baseSnapshotId === undefined ? {} : { baseSnapshotId: commit.baseSnapshotId }),
  });
  const first = replayed ? parseCheckpoint((await platform.state([key])).get(key)) : undefined;
  if (first) reportEarlierAttempt(progress, first);
  progress.phase = "done";
}

/** The changes as one commit takes them: statistics of the key and of the cursor are the last to be left out. */
function fitChanges(
  { table, columnPlan, progress }: PreparedTable,
  changes: LakeChange[],
  cursorColumn: string | undefined,
): LakeChange[] {
  const useful = table.columns
    .filter(({ name }) => table.primaryKey.includes(name) || name === cursorColumn)
    .map(({ lake }) => foldName(lake.name));
  const { columns } = columnPlan;
  const usefulIds = columns.filter(({ name }) => useful.includes(foldName(name))).map(({ id }) => id);
  const fitted = shedStatistics(changes, columns, usefulIds);
  if (fitted.columnsShed > 0)
    note(
      progress,
      `It has so many files that the catalog keeps no statistics of ${fitted.columnsShed} of its columns; ` +
        "compacting it brings them back.",
    );
  return fitted.changes;
}

/**
 * The lake's columns in which appended rows have NULL for want of a value: those that were added to rows, and those
 * that the source has lost.
 */
export function columnsWithGaps({ table, columnPlan, checkpoint }: PreparedTable): string[] {
  const added = columnPlan.kind === "keep" ? columnPlan.changes : [];
  const lost = columnPlan.columns.filter(({ name }) => !table.columns.some(({ lake }) => sameName(lake.name, name)));
  return [
    ...new Set([
      ...(checkpoint?.columnsWithGaps ?? []),
      ...added.flatMap((change) => (change.kind === "add_column" ? [change.column.name] : [])),
      ...lost.map(({ name }) => name),
    ]),
  ];
}

/** The checkpoint as text; without its baseline, and with a note, where that is too large to be kept. */
function writeCheckpoint(
  prepared: PreparedTable,
  { cursor, baseline }: TableCommit,
  commentsFingerprint: string,
): string {
  const { run, table, readAs, columnPlan, progress } = prepared;
  const { rowsRead, rowsWritten, rowsDeleted, bytesWritten, method, notes, warnings = [] } = progress;
  const before = prepared.checkpoint;
  const isAppended = isAppending(prepared);
  const checkpoint: Checkpoint = {
    version: 1,
    runId: run.work.runId,
    readAs: Object.fromEntries(readAs),
    cursor,
    baseline,
    result: { rowsRead, rowsWritten, rowsDeleted, bytesWritten, method, notes, warnings },
    columnIdLast: Math.max(before?.columnIdLast ?? 0, ...columnPlan.columns.map(idMax)),
    fingerprint: table.fingerprint,
    readVersion: isAppended ? (before?.readVersion ?? 0) : READ_VERSION,
    isAppended,
    columnsWithGaps: isAppended ? columnsWithGaps(prepared) : [],
    comments: commentsFingerprint,
  };
  const text = serializeCheckpoint(checkpoint);
  if (fitsCheckpoint(text)) return text;
  // The note is among the result's, so that it is kept as well.
  note(progress, READ_ALL.baselineTooLarge.note);
  return serializeCheckpoint({ ...checkpoint, baseline: null });
}

/**
 * Replaces the table's rows by `files`, or adds them; makes the table where there is none, or none that
 * fits.
 */
export function tableChanges(
  { run, source, lake, columnPlan }: PreparedTable,
  files: NewDataFile[],
  write: "overwrite" | "append",
): LakeChange[] {
  const name = { schema: run.work.destSchema, name: source.name };
  const append: LakeChange[] = files.length > 0 ? [{ kind: "append", ...name, files }] : [];
  if (columnPlan.kind === "create" || !lake)
    return [
      { kind: "create_table", ...name, columns: columnPlan.columns, ...(lake ? { orReplace: true } : {}) },
      ...append,
    ];
  const expect = { tableId: lake.tableId };
  const alter: LakeChange[] =
    columnPlan.changes.length > 0 ? [{ kind: "alter_table", ...name, expect, changes: columnPlan.changes }] : [];
  return write === "overwrite"
    ? [...alter, { kind: "overwrite", ...name, expect, files }]
    : [...alter, ...append.map((change): LakeChange => ({ ...change, expect }) as LakeChange)];
}

const idMax = (column: LakeColumn): number => Math.max(column.id, ...column.children.map(idMax));

export function reportEarlierAttempt(progress: TableProgress, { result }: Checkpoint): void {
  Object.assign(progress, result, { phase: "done", notes: [...result.notes] });
  note(progress, "Done by an earlier attempt of this run, from that attempt's view of the source.");
}
