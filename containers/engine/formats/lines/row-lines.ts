// Rows of canonical text as lines.

import { type Output, viewOf } from "../output.ts";
import type { Column, ValueKind, Row } from "../result.ts";
import { CellColumn, type CellFrame } from "./cell-column.ts";
import { jsonValueOf } from "./json-values.ts";
import { LineWriter, type Layout } from "./line-writer.ts";
import { JSON_ESCAPES, putCsvText, type PutText, QUOTES_BYTES, type TextCell } from "./text-cells.ts";

type Numbers = "exact" | "string";

/** Rows are written soon after they came, so that their lines seldom take more. */
const START_BYTES = 64 * 1024;
const NO_BYTES = new Uint8Array(0);
const NO_CELLS = new Int32Array(0);

export class RowLines {
  readonly #cells = new RowCells();
  readonly #lines: LineWriter;

  constructor(columns: readonly Column[], layout: Layout, numbers: Numbers, first = 0) {
    const putOf = ({ kind }: Column): PutText => (layout === "csv" ? putCsvText : jsonValueOf(kind, numbers));
    this.#lines = new LineWriter(
      { names: columns.map(({ name }) => name), layout, startBytes: START_BYTES },
      (frame, i) => new TextColumn(frame, { cells: this.#cells, index: first + i, put: putOf(columns[i]!) }),
    );
  }

  /** The lines that were written and not taken. An earlier length removes a row again. */
  get out(): Output {
    return this.#lines.out;
  }

  put(row: Row): void {
    this.#cells.open(row);
    this.#lines.put(0);
  }
}

/** Appends `bytes[start .. end)` as one JSON value. */
export type PutCell = (out: Output, bytes: Uint8Array, start: number, end: number) => void;

/** A writer of single values. */
export function jsonCell(kind: ValueKind, numbers: Numbers): PutCell {
  const put = jsonValueOf(kind, numbers);
  const cells = new RowCells();
  return (out, bytes, start, end) => {
    cells.open({ bytes, starts: NO_CELLS, ends: NO_CELLS });
    cells.seek(start, end);
    out.reserve(cells.length + GROWTH_BYTES);
    out.length = put(out, out.length, cells);
  };
}

/** A text grows by its quotes, or by the zero before its point. */
const GROWTH_BYTES = QUOTES_BYTES;

/** The cells of the row that is being written, and one of them at a time. */
class RowCells implements TextCell {
  readonly escapes = JSON_ESCAPES;
  bytes: Uint8Array = NO_BYTES;
  words = viewOf(NO_BYTES);
  from = 0;
  length = 0;
  starts: Int32Array = NO_CELLS;
  ends: Int32Array = NO_CELLS;

  open({ bytes, starts, ends }: Row): void {
    this.starts = starts;
    this.ends = ends;
    if (bytes === this.bytes) return;
    this.bytes = bytes;
    this.words = viewOf(bytes);
  }

  seek(start: number, end: number): void {
    this.from = start;
    this.length = end - start;
  }
}

class TextColumn extends CellColumn {
  readonly #cells: RowCells;
  readonly #index: number;
  readonly #put: PutText;

  constructor(frame: CellFrame, { cells, index, put }: { cells: RowCells; index: number; put: PutText }) {
    super(frame);
    this.#cells = cells;
    this.#index = index;
    this.#put = put;
  }

  put(out: Output, at: number): number {
    const cells = this.#cells;
    const index = this.#index;
    const end = cells.ends[index]!;
    if (end < 0) return this.missing.put(out.view, at);
    cells.seek(cells.starts[index]!, end);
    const start = this.before.put(out.view, at);
    out.reserve(cells.length + GROWTH_BYTES, start);
    return this.#put(out, start, cells);
  }
}
