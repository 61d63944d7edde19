// A mail shows the first rows and columns of a table, as text that people read.

import { DRAW_BOUNDS } from "../../../../../kernel/docs/draw/bounds.ts";
import type { Viz } from "../../../../../kernel/docs/viz.ts";
import type { MessageTable } from "../../../messages/content.ts";
import { RENDER_BOUNDS } from "../bounds.ts";
import { type Format, formatCell, numberOf } from "../../../../../kernel/docs/draw/formats.ts";
import { columnAt, noteOfRows } from "../../../../../kernel/docs/draw/group-rows.ts";
import type { Cell } from "../../../../../kernel/docs/draw/result-table.ts";
import { NUMBER_KINDS, type ResultColumn, type ResultTable } from "../../../../../kernel/docs/draw/result-table.ts";
import { pivotRows } from "../../../../../kernel/docs/draw/pivot-rows.ts";

export type TableViz = Extract<Viz, { type: "table" | "pivot" }>;

export type ShownTable = {
  columns: { label: string; isNumber: boolean }[];
  /** Null is NULL. */
  rows: (string | null)[][];
  rowCount: number;
  columnCount: number;
  /** What was left out before it was shown, in sentences for people. */
  notes: string[];
};

type ShownColumn = { at: number; label: string; format: Format | undefined };

/** Without a viz, every column in the order of the result. */
export function showTable(table: ResultTable, viz: TableViz | undefined): ShownTable {
  if (viz?.type === "pivot") return cut(pivotRows(viz, table));
  const all = (viz?.columns ?? table.columns.map(({ name }) => ({ field: name }))).flatMap((column): ShownColumn[] => {
    const at = table.columns.findIndex(({ name }) => name === column.field);
    const { label = column.field, format } = column as { label?: string; format?: Format };
    return at < 0 ? [] : [{ at, label, format }];
  });
  const shown = all.slice(0, DRAW_BOUNDS.shownColumnsMax);
  const { rows, notes } = firstRows(table, viz?.sort ?? []);
  return {
    columns: shown.map(({ at, label }) => ({ label, isNumber: isNumber(table.columns[at]!) })),
    rows: rows.map((row) => shown.map(({ at, format }) => shownCell(table.cell(row, at), format))),
    rowCount: table.rowCount,
    columnCount: all.length,
    notes,
  };
}

export const messageTableOf = (title: string, { columns, rows, rowCount }: ShownTable): MessageTable => ({
  title,
  columns: columns.map(({ label }) => label),
  rows,
  rowCount,
});

/** What is not shown, in words; "" where all is. */
export function restOf({ rows, rowCount, columns, columnCount, notes }: ShownTable): string {
  const more = (count: number, what: string) =>
    count > 0 ? [`${count.toLocaleString("en-US")} more ${what}${count === 1 ? "" : "s"}`] : [];
  const parts = [...more(rowCount - rows.length, "row"), ...more(columnCount - columns.length, "column")];
  return [...(parts.length > 0 ? [`… and ${parts.join(" and ")}`] : []), ...notes].join(". ");
}

const isNumber = ({ kind }: ResultColumn): boolean => NUMBER_KINDS.has(kind);

function shownCell(cell: Cell, format: Format | undefined): string | null {
  if (cell === null) return null;
  const text = formatCell(cell, format);
  const max = RENDER_BOUNDS.shownCharactersMax;
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}

const cut = ({ columns, rows, ...counts }: ShownTable): ShownTable => ({
  ...counts,
  columns: columns.slice(0, DRAW_BOUNDS.shownColumnsMax),
  rows: rows.slice(0, RENDER_BOUNDS.shownRowsMax).map((row) => row.slice(0, DRAW_BOUNDS.shownColumnsMax)),
});

/** With how many others a row is compared at most: half of the first rows, and half of these, and so on. */
const COMPARED = Math.ceil(Math.log2(RENDER_BOUNDS.shownRowsMax)) + 2;

type Sorted = { row: number; cells: Cell[] };

/** The places of the first rows, in the order of the viz, in which NULL comes last. */
function firstRows(
  table: ResultTable,
  sort: readonly { field: string; desc?: boolean | undefined }[],
): { rows: number[]; notes: string[] } {
  const keys = sort.flatMap(({ field, desc = false }) => {
    const at = columnAt(table, field);
    return at < 0 ? [] : [{ at, sign: desc ? -1 : 1 }];
  });
  const { shownRowsMax } = RENDER_BOUNDS;
  const { readCellsMax } = DRAW_BOUNDS;
  if (keys.length === 0)
    return { rows: Array.from({ length: Math.min(table.rowCount, shownRowsMax) }, (_, row) => row), notes: [] };
  const signs = keys.map(({ sign }) => sign);
  const rowCount = Math.min(table.rowCount, Math.floor(readCellsMax / (keys.length * COMPARED)));
  const first: Sorted[] = [];
  for (let row = 0; row < rowCount; row++) {
    const one = { row, cells: keys.map(({ at }) => table.cell(row, at)) };
    if (first.length === shownRowsMax && orderOf(one, first.at(-1)!, signs) > 0) continue;
    first.splice(placeOf(one, first, signs), 0, one);
    if (first.length > shownRowsMax) first.pop();
  }
  const notes = noteOfRows(rowCount, table).map((note) => `Sorted: ${note}`);
  return { rows: first.map(({ row }) => row), notes };
}

/** Behind all that come before it. */
function placeOf(one: Sorted, sorted: readonly Sorted[], signs: readonly number[]): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (orderOf(sorted[middle]!, one, signs) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function orderOf(one: Sorted, other: Sorted, signs: readonly number[]): number {
  for (const [i, sign] of signs.entries()) {
    const [a, b] = [one.cells[i] ?? null, other.cells[i] ?? null];
    if (a === null || b === null) {
      if (a !== b) return a === null ? 1 : -1;
      continue;
    }
    const order = compare(a, b);
    if (order !== 0) return order * sign;
  }
  return one.row - other.row;
}

function compare(one: Exclude<Cell, null>, other: Exclude<Cell, null>): number {
  const [a, b] = [numberOf(one), numberOf(other)];
  if (a !== undefined && b !== undefined && a !== b) return a - b;
  return one === other ? 0 : one < other ? -1 : 1;
}
