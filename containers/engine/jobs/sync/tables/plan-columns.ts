// A lake table's columns change when those of its source are not what they were. Pure.

import { sameName } from "../../../duckdb/names.ts";
import { numberColumns } from "../../../extract/plan-columns.ts";
import type { SourceColumn } from "../../../extract/source-table.ts";
import type { LakeColumn } from "../../../../../kernel/lake/lake.ts";
import type { ColumnChange } from "../../../../../kernel/lake/commit.ts";
import { canPromote } from "../../../../../kernel/lake/lake-types.ts";

export type ColumnPlan =
  /** The table is made, or made anew where one is there, with `columns`. */
  | { kind: "create"; columns: LakeColumn[]; notes: string[] }
  /** The table stays and is changed first; `columns` is what it has then. */
  | { kind: "keep"; columns: LakeColumn[]; changes: ColumnChange[]; notes: string[] }
  | { kind: "refused"; reason: string };

/**
 * `keepsRows`: the existing rows stay, so the table must still fit them. Otherwise all rows are written anew, and a
 * change that the lake can't make in place makes the table anew; earlier snapshots keep the old table either way.
 */
export function planColumns(
  source: readonly SourceColumn[],
  lake: readonly LakeColumn[] | undefined,
  keepsRows: boolean,
  columnIdLast: number,
): ColumnPlan {
  const fresh = source.map((column) => column.lake);
  if (!lake) return { kind: "create", columns: fresh, notes: [] };
  const draft: Draft = {
    columns: [...lake],
    changes: [],
    notes: [],
    mismatches: [],
    idLast: Math.max(columnIdLast, ...lake.map(idMax)),
  };
  for (const column of source) {
    const there = lake.find(({ name }) => sameName(name, column.lake.name));
    if (there) changeColumn(draft, there, column, keepsRows);
    else addColumn(draft, column.lake, column.name, keepsRows);
  }
  for (const gone of lake.filter((column) => !fresh.some(({ name }) => sameName(name, column.name))))
    loseColumn(draft, gone, keepsRows);
  const { columns, changes, notes, mismatches } = draft;
  if (mismatches.length === 0) return { kind: "keep", columns, changes, notes };
  if (keepsRows)
    return {
      kind: "refused",
      reason:
        `${mismatches.join(" ")} Rows can't be added to the table as it is: run the sync in full, which ` +
        "writes the table anew.",
    };
  return {
    kind: "create",
    columns: fresh,
    notes: [
      ...mismatches,
      "The lake table was made anew with the source's columns; earlier snapshots keep it as it was.",
    ],
  };
}

type Draft = { columns: LakeColumn[]; changes: ColumnChange[]; notes: string[]; mismatches: string[]; idLast: number };

const idMax = (column: LakeColumn): number => Math.max(column.id, ...column.children.map(idMax));

function addColumn(draft: Draft, wanted: LakeColumn, name: string, keepsRows: boolean): void {
  const shift = (column: LakeColumn): LakeColumn => ({
    ...column,
    id: column.id + draft.idLast,
    children: column.children.map(shift),
  });
  const column = { ...shift(numberColumns([wanted])[0]!), nullable: true };
  draft.idLast = idMax(column);
  draft.columns.push(column);
  draft.changes.push({ kind: "add_column", column });
  draft.notes.push(
    keepsRows ? `Column ${name} is new; rows that were there have NULL in it.` : `Column ${name} is new.`,
  );
}

function loseColumn(draft: Draft, gone: LakeColumn, keepsRows: boolean): void {
  if (!keepsRows) return void draft.mismatches.push(`Column ${gone.name} is gone at the source.`);
  draft.notes.push(`Column ${gone.name} is gone at the source; new rows have NULL in it.`);
  allowNull(draft, gone);
}

function changeColumn(
  draft: Draft,
  there: LakeColumn,
  { name, type: sourceType, lake: wanted, unsigned }: SourceColumn,
  keepsRows: boolean,
): void {
  if (isSameType(there, wanted)) {
    if (wanted.nullable) allowNull(draft, there);
  } else if (unsigned && isSameType(there, unsigned)) {
    const [before, now] = [there, wanted].map(typeName);
    const why = "a type that few other engines read";
    if (!keepsRows)
      return void draft.mismatches.push(
        `Column ${name} is ${sourceType}, which is ${now} in the lake and was ${before}, ${why}.`,
      );
    draft.notes.push(
      `Column ${name} is ${sourceType} and stays ${before} in the lake, ${why}; a run in full makes it ${now}.`,
    );
    if (wanted.nullable) allowNull(draft, there);
  } else if (canPromote(there.type, wanted.type)) {
    draft.changes.push({ kind: "set_type", id: there.id, type: wanted.type });
    replace(draft, { ...there, type: wanted.type });
    draft.notes.push(
      `Column ${name} became ${sourceType}: its type in the lake is ${wanted.type} now, and was ${there.type}.`,
    );
    if (wanted.nullable) allowNull(draft, draft.columns.find(({ id }) => id === there.id)!);
  } else if (keepsRows && holds(there, wanted)) {
    draft.notes.push(`Column ${name} became ${sourceType}; it stays ${there.type} in the lake.`);
    if (wanted.nullable) allowNull(draft, there);
  } else
    draft.mismatches.push(
      `Column ${name} became ${sourceType}, which is ${wanted.type} in the lake and not ${there.type}.`,
    );
}

function allowNull(draft: Draft, column: LakeColumn): void {
  if (column.nullable) return;
  draft.changes.push({ kind: "set_nullable", id: column.id, nullable: true });
  replace(draft, { ...column, nullable: true });
}

function replace(draft: Draft, column: LakeColumn): void {
  draft.columns = draft.columns.map((each) => (each.id === column.id ? column : each));
}

const typeName = ({ type, children }: LakeColumn): string =>
  children.length > 0 ? `${type} of ${children.map(typeName).join(", ")}` : type;

const isSameType = (a: LakeColumn, b: LakeColumn): boolean =>
  a.type.replace(" ", "") === b.type.replace(" ", "") &&
  a.children.length === b.children.length &&
  a.children.every((child, i) => isSameType(child, b.children[i]!));

/** Whether every value of `other` can be cast to `column` without loss. */
function holds(column: LakeColumn, other: LakeColumn): boolean {
  if (canPromote(other.type, column.type) || (column.type === "varchar" && other.type === "json")) return true;
  const [large, small] = [digitsOf(column), digitsOf(other)];
  return large !== undefined && small !== undefined && large.scale >= small.scale && large.whole >= small.whole;
}

function digitsOf({ type }: LakeColumn): { whole: number; scale: number } | undefined {
  const [, precision, scale] = /^decimal\((\d+), ?(\d+)\)$/.exec(type) ?? [];
  return precision === undefined ? undefined : { whole: Number(precision) - Number(scale), scale: Number(scale) };
}
