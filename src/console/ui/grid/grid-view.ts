// The cells of a grid that are in view, as elements that are used again and again: their text scrolls, they do not.
// This is plain DOM, because a frame has few milliseconds and the framework would take most of them.

import type { CellMark, GridSource } from "./grid-source.ts";
import type { Bounds, Place } from "./selection.ts";
import styles from "./grid.module.css";

export const ROW_HEIGHT = 26;
export const GUTTER_WIDTH = 64;
/** Longer texts are cut in their cell; all of it is copied. */
const CELL_CHARACTERS_MAX = 400;

/** A cell's element, its text, and what was written to it last, so that only what differs is written again. */
type Cell = { element: HTMLDivElement; text: Text; place: string; look: string; shown: string | null | undefined };
type Row = { element: HTMLDivElement; number: Text; cells: Cell[]; shown: string; y: number };
type Columns = { first: number; last: number };

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
  #source: GridSource | undefined;

  constructor(parent: HTMLElement, id: string) {
    this.#parent = parent;
    this.#id = id;
  }

  /** A row keeps its elements while it is in view: a short way writes only the rows that are new. */
  draw(state: ViewState): void {
    const { source, top, height, left, width, edges } = state;
    const firstRow = Math.floor(top / ROW_HEIGHT);
    const room = Math.ceil(height / ROW_HEIGHT) + 1;
    const count = source.columns.length === 0 ? 0 : Math.max(0, Math.min(source.rowCount - firstRow, room));
    const columns = columnsInView(edges, left, width - GUTTER_WIDTH);
    if (this.#rows.length < room || this.#source !== source) for (const row of this.#rows) hide(row);
    this.#source = source;
    while (this.#rows.length < room) this.#rows.push(this.#newRow());
    const slots = this.#rows.length;
    for (let at = count; at < slots; at++) hide(this.#rows[(firstRow + at) % slots]!);
    for (let at = 0; at < count; at++) {
      const index = firstRow + at;
      const row = this.#rows[index % slots]!;
      const y = index * ROW_HEIGHT - top;
      if (row.y !== y) row.element.style.transform = `translateY(${y}px)`;
      row.y = y;
      this.#drawRow(row, index, { state, columns });
    }
  }

  #newRow(): Row {
    const element = newElement("row", styles.row!);
    // Until it has something to show: it would cover the first row.
    element.style.display = "none";
    const gutter = newElement("rowheader", styles.gutter!);
    const number = gutter.appendChild(document.createTextNode(""));
    element.append(gutter);
    this.#parent.append(element);
    return { element, number, cells: [], shown: "", y: Number.NaN };
  }

  #drawRow(row: Row, index: number, { state, columns }: { state: ViewState; columns: Columns }): void {
    const { source, edges, left, selection, cursor } = state;
    const { first, last } = columns;
    const isIn = selection !== undefined && index >= selection.top && index <= selection.bottom;
    const marks = isIn ? `${selection.left}-${selection.right}` : "";
    const at = cursor?.row === index ? cursor.column : -1;
    const key = `${index} ${first} ${last} ${left} ${marks} ${at} ${edges[last + 1]} ${edges[first + 1]}`;
    if (row.shown === key) return;
    if (row.shown === "") row.element.style.display = "";
    row.shown = key;
    row.element.setAttribute("aria-rowindex", String(index + 2));
    row.number.data = String(index + 1);
    while (row.cells.length <= last - first) row.cells.push(newCell(row.element));
    for (const [slot, cell] of row.cells.entries()) {
      const column = first + slot;
      if (column > last) {
        place(cell, "display:none", 0);
        continue;
      }
      const x = edges[column]! - left + GUTTER_WIDTH;
      place(cell, `transform:translateX(${x}px);width:${edges[column + 1]! - edges[column]!}px`, column);
      const text = source.text(index, column);
      write(cell, text);
      const isSelected = isIn && column >= selection.left && column <= selection.right;
      dress(cell, {
        isNull: text === null,
        isNumber: source.columns[column]!.isNumber,
        isSelected,
        isCursor: column === at,
        mark: source.cellMark?.(index, column),
      });
      if (column === at) cell.element.id = `${this.#id}-${index}-${column}`;
      else if (cell.element.id !== "") cell.element.removeAttribute("id");
    }
  }
}

function newElement(role: string, className: string): HTMLDivElement {
  const element = document.createElement("div");
  element.setAttribute("role", role);
  element.className = className;
  return element;
}

function newCell(parent: HTMLElement): Cell {
  const element = parent.appendChild(newElement("gridcell", styles.cell!));
  const text = element.appendChild(document.createTextNode(""));
  return { element, text, place: "", look: "", shown: undefined };
}

function hide(row: Row): void {
  if (row.shown !== "") row.element.style.display = "none";
  row.shown = "";
}

function place(cell: Cell, style: string, column: number): void {
  if (cell.place === style) return;
  cell.place = style;
  cell.element.style.cssText = style;
  cell.element.setAttribute("aria-colindex", String(column + 2));
}

function write(cell: Cell, text: string | null): void {
  if (cell.shown === text) return;
  cell.shown = text;
  cell.text.data = text === null ? "NULL" : text.slice(0, CELL_CHARACTERS_MAX);
}

type Look = { isNull: boolean; isNumber: boolean; isSelected: boolean; isCursor: boolean; mark: CellMark | undefined };

function dress(cell: Cell, { isNull, isNumber, isSelected, isCursor, mark }: Look): void {
  const parts = [
    isNull && styles.null,
    isNumber && styles.number,
    mark && styles[mark],
    isSelected && styles.selected,
    isCursor && styles.cursor,
  ];
  const look = [styles.cell, ...parts.filter(Boolean)].join(" ");
  if (cell.look === look) return;
  cell.look = look;
  cell.element.className = look;
  cell.element.setAttribute("aria-selected", String(isSelected));
  if (mark) cell.element.setAttribute("aria-description", mark);
  else cell.element.removeAttribute("aria-description");
}
