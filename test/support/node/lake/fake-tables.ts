// The tables of the stand-in of the platform: what a plan keeps of them, and what a commit makes of them.

import type { LakeTable, PlannedFile, Predicate } from "../../../../kernel/lake/lake.ts";
import type { ColumnChange, NewDataFile } from "../../../../kernel/lake/commit.ts";
import { matcherOf } from "../../../../src/lake/plan/prune.ts";

export type TableFile = PlannedFile & { deletes: PlannedFile | null; statistics?: NewDataFile["statistics"] };
export type Table = LakeTable & { files: TableFile[] };

/** Whether a file may hold a row of this predicate, by its statistics, as the catalog decides it. */
export function mayHold({ statistics }: TableFile, columns: LakeTable["columns"], predicate: Predicate): boolean {
  const known = statistics?.find(({ columnId }) => columnId === predicate.columnId);
  const column = columns.find(({ id }) => id === predicate.columnId);
  if (!known || !column) return true;
  return matcherOf(
    predicate,
    column.type,
  )({
    min: known.min,
    max: known.max,
    hasNull: known.nulls > 0,
    hasValue: known.nulls < known.values,
    hasNan: known.containsNan !== false,
  });
}

/** A commit that can't be. */
export class Conflict extends Error {}

/** The columns after a change. */
export function alter(columns: LakeTable["columns"], change: ColumnChange): LakeTable["columns"] {
  if (change.kind === "add_column") return [...columns, change.column];
  if (change.kind === "drop_column") return columns.filter(({ id }) => id !== change.id);
  if (change.kind === "rename_column")
    return columns.map((column) => (column.id === change.id ? { ...column, name: change.to } : column));
  if (change.kind === "set_type")
    return columns.map((column) => (column.id === change.id ? { ...column, type: change.type } : column));
  return columns.map((column) => (column.id === change.id ? { ...column, nullable: change.nullable } : column));
}
