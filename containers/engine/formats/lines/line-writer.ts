// Rows as lines: CSV, NDJSON, and the rows of a JSON document.

import type { ResultOptions } from "../../../../kernel/wire/engine.ts";
import { Output } from "../output.ts";
import { Constant, type CellColumn, type CellFrame } from "./cell-column.ts";

/**
 * How rows are laid out. The rows of a document begin with the comma that parts them from the row before; the lines of
 * lists have it behind them.
 */
export type Layout = "csv" | "ndjson" | "lists" | "json" | "array" | "value";

/** The layout of rows that make no document. */
export const layoutOf = (format: "csv" | "ndjson", { isLists }: Pick<ResultOptions, "isLists">): Layout =>
  format === "ndjson" && isLists ? "lists" : format;

type RowFrame = { open: string; hasKeys: boolean; close: string };

const FRAMES: Record<Layout, RowFrame> = {
  csv: { open: "", hasKeys: false, close: "\n" },
  ndjson: { open: "{", hasKeys: true, close: "}\n" },
  lists: { open: "[", hasKeys: false, close: "],\n" },
  json: { open: ",\n{", hasKeys: true, close: "}" },
  array: { open: ",\n[", hasKeys: false, close: "]" },
  value: { open: ",\n", hasKeys: false, close: "" },
};

/** The most bytes after a row's last cell, rounded up to whole words. */
const END_BYTES_MAX = 8;

export type LineOptions = { names: readonly string[]; layout: Layout; startBytes: number };

export class LineWriter<Cells extends CellColumn = CellColumn> {
  /** The lines that were written and not taken. An earlier length removes a row again. */
  readonly out: Output;
  readonly columns: readonly Cells[];
  readonly #end: Constant;

  /** `columnOf` makes the column of the name at `index`. */
  constructor({ names, layout, startBytes }: LineOptions, columnOf: (frame: CellFrame, index: number) => Cells) {
    const { open, hasKeys, close } = FRAMES[layout];
    const missing = layout === "csv" ? "" : "null";
    this.columns = names.map((name, i) => {
      const key = hasKeys ? `${JSON.stringify(name)}:` : "";
      return columnOf({ before: `${i === 0 ? open : ","}${key}`, missing }, i);
    });
    // A row without columns has nothing before its first cell.
    this.#end = new Constant(names.length === 0 ? open + close : close);
    const rowBytes = this.columns.reduce((sum, { bytesMax }) => sum + bytesMax, END_BYTES_MAX);
    this.out = new Output({ startBytes, rowBytes });
  }

  put(row: number): void {
    const { out, columns } = this;
    // A local number costs less than a field.
    let at = out.length;
    out.reserve(0, at);
    for (let i = 0; i < columns.length; i++) at = columns[i]!.put(out, at, row);
    out.length = this.#end.put(out.view, at);
  }
}
