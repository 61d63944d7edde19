// Rows of DuckDB's chunks as lines: CSV, NDJSON, and the rows of a JSON document.

import type { DuckDBResult } from "@duckdb/node-api";
import type { DataChunk } from "@duckdb/node-bindings";
import type { LineFormat } from "../../canonical-text.ts";
import type { Shape } from "../described-statement.ts";
import { checkEntries } from "../same-entries.ts";
import { cellColumnOf, type CellColumn } from "./cell-columns.ts";
import { Constant, LineBuffer } from "./line-buffer.ts";

/** The most bytes after a row's last cell, rounded up to whole words. */
const END_BYTES_MAX = 8;

export class LineWriter {
  readonly #out: LineBuffer;
  /** Bytes written and not taken. Setting an earlier length removes a row again. */
  length = 0;
  readonly #columns: CellColumn[];
  readonly #end: Constant;

  constructor({ columns, types }: Shape, format: LineFormat) {
    const isCsv = format.format === "csv";
    const open = isCsv ? "" : format.format === "json" ? ",\n{" : "{";
    this.#columns = types.map((type, i) => {
      const key = isCsv ? "" : `${JSON.stringify(columns[i]!.name.toWellFormed())}:`;
      return cellColumnOf({ type, ref: `c${i + 1}`, before: `${i === 0 ? open : ","}${key}`, format });
    });
    this.#end = new Constant(isCsv ? "\n" : format.format === "json" ? "}" : "}\n");
    this.#out = new LineBuffer(this.#columns.reduce((sum, { bytesMax }) => sum + bytesMax, END_BYTES_MAX));
  }

  /** What is asked of DuckDB for each row, in the order of the columns. */
  get select(): string {
    return this.#columns.map(({ select }) => select).join(", ");
  }

  /** Makes sure that the columns of `result` from `first` on are of the types that were described. */
  check(result: DuckDBResult, first: number): void {
    checkEntries(
      result,
      first,
      this.#columns.map(({ type }) => type),
    );
  }

  /** Takes a chunk whose columns from `first` on are what {@link select} asks for. */
  open(chunk: DataChunk, first: number, rows: number): void {
    this.#columns.forEach((column, i) => column.open(chunk, first + i, rows));
  }

  put(row: number): void {
    const out = this.#out;
    const columns = this.#columns;
    let at = this.length;
    out.reserve(at, 0);
    for (let i = 0; i < columns.length; i++) at = columns[i]!.put(out, at, row);
    this.length = this.#end.put(out.view, at);
  }

  /** The bytes written since the last call; valid until the next one. */
  take(): Uint8Array {
    const bytes = this.#out.take(this.length);
    this.length = 0;
    return bytes;
  }

  /** Ends the writer, once none of its bytes are in transfer. */
  release(): void {
    this.#out.release();
  }
}
