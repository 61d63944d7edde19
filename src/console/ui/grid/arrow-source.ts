// Batches of an Arrow stream as what a grid shows. Batches are added as they come; cells are made texts when they are
// seen.

import { DataType, type Field, type RecordBatch } from "apache-arrow";
import { cellText } from "./cell-text.ts";
import type { GridColumn, GridSource } from "./grid-source.ts";

const NUMBER_KINDS = new Set(["integer", "bigint", "decimal", "float"]);

export class ArrowSource implements GridSource {
  readonly columns: readonly GridColumn[];
  /** Of each column how its values are to be understood: `integer`, `timestamp`, `text` and the like. */
  readonly kinds: readonly string[];
  rowCount = 0;
  readonly #batches: RecordBatch[] = [];
  readonly #starts: number[] = [];
  #last = 0;

  constructor(fields: readonly Field[]) {
    this.kinds = fields.map((field) => field.metadata.get("kind") ?? (isNumber(field) ? "float" : "text"));
    this.columns = fields.map((field, at) => ({
      name: field.name,
      type: field.metadata.get("type") ?? String(field.type),
      isNumber: NUMBER_KINDS.has(this.kinds[at]!),
    }));
  }

  add(batch: RecordBatch): void {
    if (batch.numRows === 0) return;
    this.#starts.push(this.rowCount);
    this.#batches.push(batch);
    this.rowCount += batch.numRows;
  }

  text(row: number, column: number): string | null {
    const at = this.#batchOf(row);
    const data = this.#batches[at]?.data.children[column];
    return data ? cellText(data, row - this.#starts[at]!) : null;
  }

  /** The batch of a row; mostly that of the row that was asked for before. */
  #batchOf(row: number): number {
    const starts = this.#starts;
    const isWithin = (at: number) => starts[at]! <= row && (at + 1 === starts.length || row < starts[at + 1]!);
    if (this.#last < starts.length && isWithin(this.#last)) return this.#last;
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= row) low = middle;
      else high = middle - 1;
    }
    return (this.#last = low);
  }
}

const isNumber = ({ type }: Field): boolean =>
  DataType.isInt(type) || DataType.isFloat(type) || DataType.isDecimal(type);
