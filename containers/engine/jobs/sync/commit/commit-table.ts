// The end of a table: rows, columns and the sync's memory become one snapshot.

import { foldName } from "../../../duckdb/names.ts";
import { READ_VERSION } from "../../../extract/source-table.ts";
import type { LakeChange, LakeColumn, NewDataFile } from "../../../contract/lake.ts";
import { fitChanges } from "./shed-statistics.ts";
import { planComments } from "./plan-comments.ts";
import { note, type TableProgress } from "../progress/progress.ts";
import { addsTo, type Described } from "../sync-run.ts";
import { keepsMemory, readState, stateKey, writeState, type TableState } from "./checkpoint.ts";

export type TableCommit = Pick<TableState, "cursor" | "memory"> & {
  changes: LakeChange[];
  /** What changes that speak of files were made from. */
  baseSnapshotId?: number;
};

/** A repeated commit of the run's has been done already, and tells what it did. */
export async function commitTable(
  described: Described,
  { changes, cursor, memory, baseSnapshotId }: TableCommit,
): Promise<void> {
  const { run, source, shape, table, readAs, progress } = described;
  const { work, platform, signal } = run;
  progress.phase = "committing";
  signal.throwIfAborted();
  const useful = table.columns
    .filter(({ name }) => table.primaryKey.includes(name) || name === cursor?.column)
    .map(({ lake }) => foldName(lake.name));
  const comments = planComments(described);
  const fitted = fitChanges(
    [...changes, ...comments.changes],
    shape.columns,
    shape.columns.filter(({ name }) => useful.includes(foldName(name))).map(({ id }) => id),
  );
  if (fitted.columnsShed > 0)
    note(
      progress,
      `It has so many files that the catalog keeps no statistics of ${fitted.columnsShed} of its columns; compacting it brings them back.`,
    );
  const { rowsRead, rowsWritten, rowsDeleted, bytesWritten, method, notes } = progress;
  const isAppended = addsTo(described);
  const state: TableState = {
    version: 1,
    runId: work.runId,
    readAs: Object.fromEntries(readAs),
    cursor,
    memory,
    result: { rowsRead, rowsWritten, rowsDeleted, bytesWritten, method, notes },
    columnIdLast: Math.max(described.state?.columnIdLast ?? 0, ...shape.columns.map(idMax)),
    fingerprint: table.fingerprint,
    readVersion: isAppended ? (described.state?.readVersion ?? 0) : READ_VERSION,
    isAppended,
    comments: comments.mark,
  };
  if (!keepsMemory(state))
    note(
      progress,
      "What tells which of its rows change is too large to be kept, for its keys are long and many: each run reads the table in full.",
    );
  const key = stateKey(work.syncId, source.path);
  const { replayed } = await platform.commit({
    key: `sync/${work.runId}/${source.path}`,
    author: `sync:${work.syncId}`,
    message: `Sync ${source.path}: ${method}`,
    actor: `sync:${work.syncId}`,
    changes: fitted.changes,
    state: [{ key, value: writeState(state) }],
    ...(baseSnapshotId === undefined ? {} : { baseSnapshotId }),
  });
  const first = replayed ? readState((await platform.state([key])).get(key)) : undefined;
  if (first) tellEarlier(progress, first);
  progress.phase = "done";
}

/**
 * Puts `files` in the place of the table's rows, or beside them; makes the table where there is none, or none that
 * fits.
 */
export function writeChanges(
  { run, source, lake, shape }: Described,
  files: NewDataFile[],
  write: "overwrite" | "append",
): LakeChange[] {
  const name = { schema: run.work.destSchema, name: source.name };
  const append: LakeChange[] = files.length > 0 ? [{ kind: "append", ...name, files }] : [];
  if (shape.kind === "create" || !lake)
    return [{ kind: "create_table", ...name, columns: shape.columns, ...(lake ? { orReplace: true } : {}) }, ...append];
  const expect = { tableId: lake.tableId };
  const alter: LakeChange[] =
    shape.changes.length > 0 ? [{ kind: "alter_table", ...name, expect, changes: shape.changes }] : [];
  return write === "overwrite"
    ? [...alter, { kind: "overwrite", ...name, expect, files }]
    : [...alter, ...append.map((change): LakeChange => ({ ...change, expect }) as LakeChange)];
}

const idMax = (column: LakeColumn): number => Math.max(column.id, ...column.children.map(idMax));

export function tellEarlier(progress: TableProgress, { result }: TableState): void {
  Object.assign(progress, result, { phase: "done", notes: [...result.notes] });
  note(progress, "Done by an earlier attempt of this run, from that attempt's view of the source.");
}
