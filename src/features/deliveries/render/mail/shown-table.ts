// What a mail shows of a table: its first rows and columns, as text that people read.

import type { Viz } from "../../../../../kernel/docs/viz.ts";
import type { MessageTable } from "../../../messages/content.ts";
import { RENDER_BOUNDS } from "../bounds.ts";
import { type Format, formatCell, numberOf } from "../charts/formats.ts";
import type { Cell } from "../result/cells.ts";
import { NUMBER_KINDS, type ResultColumn, type ResultTable } from "../result/read-result.ts";
import { pivotRows } from "./pivot-rows.ts";

export type TableViz = Extract<Viz, { type: "table" | "pivot" }>;

export type ShownTable = {
  columns: { label: string; isNumber: boolean }[];
  /** Null is NULL. */
  rows: (string | null)[][];
  rowCount: number;
  columnCount: number;
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
  const shown = all.slice(0, RENDER_BOUNDS.shownColumnsMax);
  const rows = orderOf(table, viz?.sort ?? []).slice(0, RENDER_BOUNDS.shownRowsMax);
  return {
    columns: shown.map(({ at, label }) => ({ label, isNumber: isNumber(table.columns[at]!) })),
    rows: rows.map((row) => shown.map(({ at, format }) => shownCell(table.cell(row, at), format))),
    rowCount: table.rowCount,
    columnCount: all.length,
  };
}

export const messageTableOf = (title: string, { columns, rows, rowCount }: ShownTable): MessageTable => ({
  title,
  columns: columns.map(({ label }) => label),
  rows,
  rowCount,
});

/** What is not shown, in words; "" where all is. */
export function restOf({ rows, rowCount, columns, columnCount }: ShownTable): string {
  const more = (count: number, what: string) =>
    count > 0 ? [`${count.toLocaleString("en-US")} more ${what}${count === 1 ? "" : "s"}`] : [];
  const parts = [...more(rowCount - rows.length, "row"), ...more(columnCount - columns.length, "column")];
  return parts.length > 0 ? `… and ${parts.join(" and ")}` : "";
}

const isNumber = ({ kind }: ResultColumn): boolean => NUMBER_KINDS.has(kind);

function shownCell(cell: Cell, format: Format | undefined): string | null {
  if (cell === null) return null;
  const text = formatCell(cell, format);
  const max = RENDER_BOUNDS.shownCharactersMax;
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}

const cut = ({ columns, rows }: { columns: ShownTable["columns"]; rows: (string | null)[][] }): ShownTable => ({
  columns: columns.slice(0, RENDER_BOUNDS.shownColumnsMax),
  rows: rows.slice(0, RENDER_BOUNDS.shownRowsMax).map((row) => row.slice(0, RENDER_BOUNDS.shownColumnsMax)),
  rowCount: rows.length,
  columnCount: columns.length,
});

/** The rows in the order of the viz; of a very long result only its first rows are sorted. NULL comes last. */
function orderOf(table: ResultTable, sort: readonly { field: string; desc?: boolean | undefined }[]): number[] {
  const keys = sort.flatMap(({ field, desc = false }) => {
    const at = table.columns.findIndex(({ name }) => name === field);
    return at < 0 ? [] : [{ at, sign: desc ? -1 : 1 }];
  });
  const rowsMax = keys.length > 0 ? RENDER_BOUNDS.chartRowsMax : RENDER_BOUNDS.shownRowsMax;
  const rows = Array.from({ length: Math.min(table.rowCount, rowsMax) }, (_, row) => row);
  return rows.sort((a, b) => {
    for (const { at, sign } of keys) {
      const [one, other] = [table.cell(a, at), table.cell(b, at)];
      if (one === null || other === null) {
        if (one !== other) return one === null ? 1 : -1;
        continue;
      }
      const order = compare(one, other);
      if (order !== 0) return order * sign;
    }
    return a - b;
  });
}

function compare(one: Exclude<Cell, null>, other: Exclude<Cell, null>): number {
  const [a, b] = [numberOf(one), numberOf(other)];
  if (a !== undefined && b !== undefined && a !== b) return a - b;
  return one === other ? 0 : one < other ? -1 : 1;
}
