// alter_table: columns are added, dropped, renamed, widened. Files stay as they are and are read by field id. Pure.

import { canPromote, isFloat } from "../../../../kernel/lake/lake-types.ts";
import type { ColumnChange } from "../../../../kernel/lake/commit.ts";
import { flawOfColumnCount, flawsOfColumns, flattenColumns, type CatalogColumn } from "../../state/check-columns.ts";
import { isNested } from "../../format/column-types.ts";
import { findTable, intend, type Apply, type TableDraft } from "../draft.ts";
import { foldName } from "../../../../kernel/text/fold-name.ts";
import { flawOfName } from "../../format/names.ts";

export const alterTable: Apply<"alter_table"> = (draft, change, pointer) => {
  const table = findTable(draft, change);
  if (typeof table === "string") return table;
  intend(draft, "alter", table);
  for (const [index, each] of change.changes.entries()) {
    const at = `${pointer}/changes/${index}`;
    if (each.kind === "add_column") draft.flaws.push(...addColumn(table, each, `${at}/column`));
    else {
      const column = table.columns.get(each.id);
      const message = column ? changeColumn(table, column, each) : `The table has no column ${each.id}.`;
      if (message) draft.flaws.push({ pointer: at, message });
    }
  }
  const message = flawOfColumnCount(table.columns.size);
  if (message) draft.flaws.push({ pointer, message });
  table.did.add("altered_table");
  return undefined;
};

function addColumn(table: TableDraft, { column }: Extract<ColumnChange, { kind: "add_column" }>, pointer: string) {
  const flaws = flawsOfColumns([column], pointer).map((flaw) => ({
    ...flaw,
    pointer: flaw.pointer.replace(`${pointer}/0`, pointer),
  }));
  const say = (field: string, message: string) => void flaws.push({ pointer: `${pointer}/${field}`, message });
  const added = flattenColumns([column], 1 + Math.max(0, ...[...table.columns.values()].map(({ order }) => order)));
  if (siblings(table, null).some(({ name }) => foldName(name) === foldName(column.name)))
    say("name", "Another column has this name.");
  const used = added.find(({ id }) => table.usedColumnIds.has(id));
  if (used) say("id", `The table has, or had, a column ${used.id}.`);
  if (!column.nullable && table.recordCount > 0)
    say("nullable", "The rows that are there already have NULL in a new column.");
  if (flaws.length > 0) return flaws;
  for (const each of added) {
    table.columns.set(each.id, each);
    table.usedColumnIds.add(each.id);
  }
  if (table.recordCount > 0 && !isNested(column.type)) {
    table.summaries.set(column.id, {
      containsNull: true,
      containsNan: isFloat(column.type) ? false : null,
      min: null,
      max: null,
    });
  }
  return flaws;
}

/** Returns why it can't be. */
function changeColumn(
  table: TableDraft,
  column: CatalogColumn,
  change: Exclude<ColumnChange, { kind: "add_column" }>,
): string | undefined {
  if (change.kind === "drop_column") return dropColumn(table, column);
  if (change.kind === "rename_column") return renameColumn(table, column, change.to);
  if (change.kind === "set_nullable") return setNullable(table, column, change.nullable);
  if (!canPromote(column.type, change.type))
    return `${column.type} can't become ${change.type} without rewriting the table.`;
  table.columns.set(column.id, { ...column, type: change.type });
  // The text of a float32's bound is another number when it is read as a float64.
  const summary = table.summaries.get(column.id);
  if (summary && isFloat(column.type)) table.summaries.set(column.id, { ...summary, min: null, max: null });
  return undefined;
}

function dropColumn(table: TableDraft, column: CatalogColumn): string | undefined {
  if (column.parentId !== null) return "Only a whole column can be dropped.";
  const drop = (id: number): void => {
    for (const child of siblings(table, id)) drop(child.id);
    table.columns.delete(id);
    table.summaries.delete(id);
  };
  drop(column.id);
  return undefined;
}

function renameColumn(table: TableDraft, column: CatalogColumn, to: string): string | undefined {
  const parent = column.parentId === null ? undefined : table.columns.get(column.parentId);
  if (parent && parent.type !== "struct") return `The name of a ${parent.type}'s part is given.`;
  const taken = siblings(table, column.parentId).some(
    ({ id, name }) => id !== column.id && foldName(name) === foldName(to),
  );
  if (taken) return `Another column has the name ${to}.`;
  const message = flawOfName(to);
  if (!message) table.columns.set(column.id, { ...column, name: to });
  return message;
}

function setNullable(table: TableDraft, column: CatalogColumn, nullable: boolean): string | undefined {
  const isNeverNull = table.recordCount === 0 || table.summaries.get(column.id)?.containsNull === false;
  if (!nullable && !isNeverNull) return "The column has NULLs, or may have.";
  table.columns.set(column.id, { ...column, nullable });
  return undefined;
}

const siblings = (table: TableDraft, parentId: number | null): CatalogColumn[] =>
  [...table.columns.values()].filter((column) => column.parentId === parentId);
