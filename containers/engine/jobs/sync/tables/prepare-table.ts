// A table looked at before it is read: its columns at the source, what becomes of the lake's, and the cursor.

import { Failure } from "../../../core/failure.ts";
import type { ReadAs, SourceTable } from "../../../extract/source-table.ts";
import { note, type TableProgress } from "../progress/progress.ts";
import { isAppending, type PreparedTable, type TableTask } from "../sync-run.ts";
import { chooseCursor, type Cursor } from "./cursor.ts";
import { planColumns } from "./plan-columns.ts";

/** `readAs`: columns that are read otherwise than their declaration suggests, for a value of theirs did not fit. */
export async function prepareTable(task: TableTask, readAs: ReadonlyMap<string, ReadAs>): Promise<PreparedTable> {
  const { run, source, lake, checkpoint, progress } = task;
  const table = await run.sourceSnapshot.describe(source, run.signal, readAs);
  for (const text of table.notes) note(progress, text);
  const cursor = cursorOf(task, table);
  const columnPlan = planColumns(table.columns, lake?.columns, isAppending(task), checkpoint?.columnIdLast ?? 0);
  if (columnPlan.kind === "refused") throw new Failure("sql_error", columnPlan.reason);
  const isReadOtherwise = noteReadOtherwise(task, table);
  const prepared = { ...task, table, readAs, cursor, isReadOtherwise };
  if (lake && !checkpoint && !isAppending(task)) return { ...prepared, columnPlan: takeOver(table, progress) };
  for (const text of columnPlan.notes) note(progress, text);
  return { ...prepared, columnPlan };
}

/** The cursor: an `append` uses any; a `merge` uses only one that was named, where rows have keys. */
function cursorOf({ run, source, checkpoint }: TableTask, table: SourceTable): Cursor | undefined {
  const { work } = run;
  const named = work.cursors[source.path];
  const isNamed = named !== undefined;
  const hasCursor =
    work.loadMethod === "append" || (work.loadMethod === "merge" && isNamed && table.primaryKey.length > 0);
  if (!hasCursor) return undefined;
  return chooseCursor(table, { named, picked: work.cursorsPicked?.[source.path], full: work.full }, checkpoint);
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

/** A table of unknown origin is made anew, as the field ids that it had are not known. */
function takeOver(table: SourceTable, progress: TableProgress): PreparedTable["columnPlan"] {
  note(
    progress,
    "The lake had a table of this name that this sync did not write; it was replaced. Earlier snapshots keep it.",
  );
  return { kind: "create", columns: table.columns.map((column) => column.lake), notes: [] };
}
