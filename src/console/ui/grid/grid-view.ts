// The cells of a grid that are in view, as elements that are used again and again: their text scrolls, they do not.
// This is plain DOM, because a frame has few milliseconds and the framework would take most of them.

import type { GridSource } from "./grid-source.ts";
import type { Bounds, Place } from "./selection.ts";
import styles from "./grid.module.css";

export const ROW_HEIGHT = 26;
export const GUTTER_WIDTH = 64;
/** Longer texts are cut in their cell; all of it is copied. */
const CELL_CHARACTERS_MAX = 400;

type Row = { element: HTMLDivElement; gutter: HTMLDivElement; cells: HTMLDivElement[]; shown: string };

export type ViewState = {
  source: GridSource;
  /** True pixels above the first visible row. */
  top: number;
  left: number;
  width: number;
  height: number;
  /** Where each column begins, and at the end where the last one ends. */
  edges: readonly number[];
  selection: Bounds | undefined;
  cursor: Place | undefined;
};

/** The columns that are at least partly within the width. */
export function columnsInView(edges: readonly number[], left: number, width: number): { first: number; last: number } {
  const count = edges.length - 1;
  let first = 0;
  while (first < count - 1 && edges[first + 1]! <= left) first++;
  let last = first;
  while (last < count - 1 && edges[last + 1]! < left + width) last++;
  return { first, last };
}

export class GridView {
  readonly #parent: HTMLElement;
  readonly #id: string;
  readonly #rows: Row[] = [];

  constructor(parent: HTMLElement, id: string) {
    this.#parent = parent;
    this.#id = id;
  }

  draw(state: ViewState): void {
    const { source, top, height, left, width, edges } = state;
    const firstRow = Math.floor(top / ROW_HEIGHT);
    const count = Math.max(0, Math.min(source.rowCount - firstRow, Math.ceil(height / ROW_HEIGHT) + 1));
    const columns = columnsInView(edges, left, width - GUTTER_WIDTH);
    while (this.#rows.length < count) this.#rows.push(this.#newRow());
    for (let at = 0; at < this.#rows.length; at++) {
      const row = this.#rows[at]!;
      if (at >= count || source.columns.length === 0) {
        if (row.shown !== "") row.element.style.display = "none";
        row.shown = "";
        continue;
      }
      const y = (firstRow + at) * ROW_HEIGHT - top;
      row.element.style.transform = `translateY(${y}px)`;
      this.#drawRow(row, firstRow + at, { state, columns });
    }
  }

  #newRow(): Row {
    const element = document.createElement("div");
    element.setAttribute("role", "row");
    element.className = styles.row!;
    const gutter = document.createElement("div");
    gutter.setAttribute("role", "rowheader");
    gutter.className = styles.gutter!;
    element.append(gutter);
    this.#parent.append(element);
    return { element, gutter, cells: [], shown: "" };
  }

  #drawRow(
    row: Row,
    index: number,
    { state, columns: { first, last } }: { state: ViewState; columns: { first: number; last: number } },
  ): void {
    const { source, edges, left, selection, cursor } = state;
    const isIn = selection !== undefined && index >= selection.top && index <= selection.bottom;
    const marks = isIn ? `${selection.left}-${selection.right}` : "";
    const at = cursor?.row === index ? cursor.column : "";
    const key = `${index} ${first} ${last} ${left} ${marks} ${at} ${edges[last + 1]}`;
    if (row.shown === key) return;
    if (row.shown === "") row.element.style.display = "";
    row.shown = key;
    row.element.setAttribute("aria-rowindex", String(index + 2));
    row.gutter.textContent = String(index + 1);
    while (row.cells.length <= last - first) {
      const cell = document.createElement("div");
      cell.setAttribute("role", "gridcell");
      row.element.append(cell);
      row.cells.push(cell);
    }
    for (let slot = 0; slot < row.cells.length; slot++) {
      const cell = row.cells[slot]!;
      const column = first + slot;
      if (column > last) {
        cell.style.display = "none";
        continue;
      }
      const text = source.text(index, column);
      const isSelected = isIn && column >= selection.left && column <= selection.right;
      const isCursor = column === at;
      cell.textContent =
        text === null ? "NULL" : text.length > CELL_CHARACTERS_MAX ? text.slice(0, CELL_CHARACTERS_MAX) : text;
      cell.className = `${styles.cell} ${text === null ? styles.null : ""} ${source.columns[column]!.isNumber ? styles.number : ""} ${isSelected ? styles.selected : ""} ${isCursor ? styles.cursor : ""}`;
      cell.style.cssText = `transform:translateX(${edges[column]! - left + GUTTER_WIDTH}px);width:${edges[column + 1]! - edges[column]!}px`;
      cell.setAttribute("aria-colindex", String(column + 2));
      cell.setAttribute("aria-selected", String(isSelected));
      cell.id = `${this.#id}-${index}-${column}`;
    }
  }
}
