// Batches of an Arrow stream as what a grid shows. Batches are added as they come; cells are made texts when they are
// seen.

import { DataType, type Field, type RecordBatch } from "apache-arrow";
import { COLUMN_KINDS, NUMBER_KINDS, type ColumnKind } from "../../../../kernel/docs/draw/result-table.ts";
import { cellText } from "./cell-text.ts";
import type { GridColumn, GridSource } from "./grid-source.ts";

export class ArrowSource implements GridSource {
  readonly columns: readonly GridColumn[];
  /** The kind of each column's values. */
  readonly kinds: readonly ColumnKind[];
  rowCount = 0;
  readonly #batches: RecordBatch[] = [];
  readonly #starts: number[] = [];
  #last = 0;

  constructor(fields: readonly Field[]) {
    this.kinds = fields.map(kindOf);
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

/** The kind that the platform names; of a stream that names none, what Arrow's type says. */
const kindOf = ({ type, metadata }: Field): ColumnKind =>
  COLUMN_KINDS.find((kind) => kind === metadata.get("kind")) ?? kindOfType(type);

const WIDE_BITS = 64;

function kindOfType(type: DataType): ColumnKind {
  if (DataType.isDictionary(type)) return kindOfType(type.dictionary);
  if (DataType.isBool(type)) return "boolean";
  if (DataType.isInt(type)) return type.bitWidth === WIDE_BITS ? "bigint" : "integer";
  if (DataType.isFloat(type)) return "float";
  if (DataType.isDecimal(type)) return "decimal";
  if (DataType.isDate(type)) return "date";
  if (DataType.isTime(type)) return "time";
  if (DataType.isTimestamp(type)) return type.timezone ? "timestamptz" : "timestamp";
  if (DataType.isBinary(type) || DataType.isLargeBinary(type) || DataType.isFixedSizeBinary(type)) return "binary";
  return DataType.isUtf8(type) || DataType.isLargeUtf8(type) ? "text" : "json";
}
