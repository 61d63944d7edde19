// The grouped rows of a pivot as a grid: a group's values side by side. Numbers are the texts that the database sent.
// Pure.

import { NUMBER_KINDS, type ColumnKind } from "../../../../../../kernel/docs/draw/result-table.ts";
import { spreadRows } from "../../../../../../kernel/docs/draw/spread-rows.ts";
import { cutNote } from "../../../../ui/grid/cut-note.ts";
import type { GridColumn, GridSource } from "../../../../ui/grid/grid-source.ts";
import type { PivotChoice } from "./pivot-choice.ts";

/** Groups with their values that are read; a pivot of more is none to look at. */
export const PIVOT_ROWS_MAX = 50_000;
export const PIVOT_COLUMNS_MAX = 200;

export type PivotRow = readonly (string | null)[];

/** `rows` are those of `pivotSql`, `totals` those of `totalsSql`. */
export type PivotAnswer = { rows: readonly PivotRow[]; totals: readonly PivotRow[] | undefined };

export type PivotGrid = { source: GridSource; notes: string[] };

type Heads = { choice: PivotChoice; kindOf: (name: string) => ColumnKind | undefined; valueTitle: string };

export function pivotGrid({ rows, totals }: PivotAnswer, { choice, kindOf, valueTitle }: Heads): PivotGrid {
  const keys = choice.rows.length;
  const isSpread = choice.spread !== null;
  const { groups, splits } = spreadRows<string | null>(
    {
      rowCount: rows.length,
      rowAt: (row) => ({ cells: rows[row]!.slice(0, keys), split: isSpread ? [rows[row]![keys]!] : [] }),
      add: (_, row) => rows[row]!.at(-1)!,
    },
    { groupsMax: Number.POSITIVE_INFINITY, splitsMax: Number.POSITIVE_INFINITY },
  );
  const ordered = [...splits].sort(([, [a = null]], [, [b = null]]) => compare(a, b, isNumeric(kindOf, choice.spread)));
  const shown = ordered.slice(0, PIVOT_COLUMNS_MAX);
  const totalOf = new Map(totals?.map((row) => [JSON.stringify(row.slice(0, keys)), row.at(-1)!]));
  const columns: GridColumn[] = [
    ...choice.rows.map((name) => ({ name, type: "", isNumber: isNumeric(kindOf, name) })),
    ...shown.map(([, [split]]) => ({
      name: split === undefined ? valueTitle : headOf(split),
      type: "",
      isNumber: true,
    })),
    ...(totals ? [{ name: "All", type: valueTitle, isNumber: true }] : []),
  ];
  return {
    source: {
      columns,
      rowCount: groups.length,
      text(row, column) {
        const { cells, totals: own } = groups[row]!;
        if (column < keys) return cells[column] as string | null;
        const split = shown[column - keys];
        const text = split ? own.get(split[0]) : totalOf.get(JSON.stringify(cells));
        // Where there is no row of a group and a value, there is nothing, and no NULL either.
        return text === undefined ? "" : text;
      },
    },
    notes: isSpread ? cutNote(`values of ${choice.spread}`, shown.length, ordered.length) : [],
  };
}

const isNumeric = (kindOf: Heads["kindOf"], name: string | null): boolean =>
  name !== null && NUMBER_KINDS.has(kindOf(name) ?? "text");

/** The head of a value: NULL, and texts that could be taken for it or for none in quotes. */
const headOf = (value: string | null): string =>
  value === null ? "NULL" : value === "" || value === "NULL" ? `"${value}"` : value;

/** NULL is last. Numbers that a double can't tell apart stand by their texts. */
function compare(a: string | null, b: string | null, areNumbers: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return (areNumbers && Number(a) - Number(b)) || (a < b ? -1 : a > b ? 1 : 0);
}
