// The end of a table: rows, columns and the sync's memory become one snapshot.

import { foldName } from "../../../duckdb/names.ts";
import { READ_VERSION } from "../../../extract/source-table.ts";
import type { LakeChange, LakeColumn, NewDataFile } from "../../../contract/lake.ts";
import { shedStatistics } from "./shed-statistics.ts";
import { planComments } from "./plan-comments.ts";
import { note, type TableProgress } from "../progress/progress.ts";
import { isAppending, type PreparedTable } from "../sync-run.ts";
import { keepsMemory, parseCheckpoint, checkpointKey, serializeCheckpoint, type Checkpoint } from "./checkpoint.ts";

export type TableCommit = Pick<Checkpoint, "cursor" | "memory"> & {
  changes: LakeChange[];
  /** What changes that speak of files were made from. */
  baseSnapshotId?: number;
};

/** A repeated commit of the run's has been done already, and tells what it did. */
export async function commitTable(
  described: PreparedTable,
  { changes, cursor, memory, baseSnapshotId }: TableCommit,
): Promise<void> {
  const { run, source, columnPlan, table, readAs, progress } = described;
  const { work, platform, signal } = run;
  progress.phase = "committing";
  signal.throwIfAborted();
  const useful = table.columns
    .filter(({ name }) => table.primaryKey.includes(name) || name === cursor?.column)
    .map(({ lake }) => foldName(lake.name));
  const comments = planComments(described);
  const fitted = shedStatistics(
    [...changes, ...comments.changes],
    columnPlan.columns,
    columnPlan.columns.filter(({ name }) => useful.includes(foldName(name))).map(({ id }) => id),
  );
  if (fitted.columnsShed > 0)
    note(
      progress,
      `It has so many files that the catalog keeps no statistics of ${fitted.columnsShed} of its columns; compacting it brings them back.`,
    );
  const { rowsRead, rowsWritten, rowsDeleted, bytesWritten, method, notes } = progress;
  const isAppended = isAppending(described);
  const state: Checkpoint = {
    version: 1,
    runId: work.runId,
    readAs: Object.fromEntries(readAs),
    cursor,
    memory,
    result: { rowsRead, rowsWritten, rowsDeleted, bytesWritten, method, notes },
    columnIdLast: Math.max(described.checkpoint?.columnIdLast ?? 0, ...columnPlan.columns.map(idMax)),
    fingerprint: table.fingerprint,
    readVersion: isAppended ? (described.checkpoint?.readVersion ?? 0) : READ_VERSION,
    isAppended,
    comments: comments.fingerprint,
  };
  if (!keepsMemory(state))
    note(
      progress,
      "What tells which of its rows change is too large to be kept, for its keys are long and many: each run reads the table in full.",
    );
  const key = checkpointKey(work.syncId, source.path);
  const { replayed } = await platform.commit({
    key: `sync/${work.runId}/${source.path}`,
    author: `sync:${work.syncId}`,
    message: `Sync ${source.path}: ${method}`,
    actor: `sync:${work.syncId}`,
    changes: fitted.changes,
    state: [{ key, value: serializeCheckpoint(state) }],
    ...(baseSnapshotId === undefined ? {} : { baseSnapshotId }),
  });
  const first = replayed ? parseCheckpoint((await platform.state([key])).get(key)) : undefined;
  if (first) reportEarlierAttempt(progress, first);
  progress.phase = "done";
}

/**
 * Puts `files` in the place of the table's rows, or beside them; makes the table where there is none, or none that
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
