// Rows of canonical text (`formats/result.ts`) as cells of a chunk: the way into DuckDB of every source whose driver
// hands out values, and no bytes of a bulk format.

import { Failure } from "../core/failure.ts";
import type { Row } from "../formats/result.ts";
import { checkRow, ODD_FLOAT, ROW_BYTES_MAX, type ChunkBuilder } from "./chunk-builder.ts";
import type { Reading, SourceColumn } from "./source-table.ts";
import { TypeMismatch } from "./type-mismatch.ts";
import { putBase64 } from "./values/base64-text.ts";
import { InvalidValue, invalidValue } from "./values/invalid-value.ts";
import { putDecimal, putDouble, putFloat, putInteger } from "./values/number-text.ts";
import { putDate, putTime, putTimestamp } from "./values/time-text.ts";
import { putUuid } from "./values/uuid-text.ts";
import type { VectorColumn } from "./vector-column.ts";

/** Longer texts are encoded into a buffer of their own. */
const SCRATCH_BYTES = 16_384;
/** Up to this length, a loop over one-byte characters is faster than a call of the encoder. */
const LOOP_CHARACTERS = 32;
const MINUS = 0x2d;
/** The upper half of -0's bits, or all of them. */
const MINUS_ZERO = -0x8000_0000;
const WORDS = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

/** The readings of canonical text. */
type TextReading = Exclude<Reading["as"], "bits" | "jsonb" | "list">;

type Cell = {
  column: SourceColumn;
  as: TextReading;
  width: number;
  precision: number;
  scale: number;
  /** An index of {@link TextRows.oddFloats}. */
  index: number;
};

/**
 * A cell is NULL, its canonical text as a string or as bytes, or, of a blob, its bytes themselves where it comes as a
 * Buffer and base64 where it comes as a string.
 */
export class TextRows {
  /** Per column, its {@link ODD_FLOAT}s. */
  readonly oddFloats: number[];

  readonly #builder: ChunkBuilder;
  readonly #cells: Cell[];
  readonly #scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  #packed: Buffer = Buffer.alloc(0);

  constructor(columns: readonly SourceColumn[], builder: ChunkBuilder) {
    this.#builder = builder;
    this.#cells = columns.map(cellOf);
    this.oddFloats = columns.map(() => 0);
  }

  /**
   * Takes a row. A promise: see {@link ChunkBuilder.endRow}. Throws a {@link TypeMismatch} where a column with a
   * fallback can't hold a value, and a Failure where another one can't, or where there are more or fewer cells than
   * columns.
   */
  add(cells: readonly (string | Buffer | null)[]): Promise<void> | undefined {
    const expected = this.#cells;
    const builder = this.#builder;
    const { columns, row } = builder;
    if (cells.length !== expected.length) throw wrongNumberOfCells();
    let size = 0;
    for (let i = 0; i < expected.length; i++) {
      const value = cells[i]!;
      if (value === null) columns[i]!.putNull(row);
      else {
        size += value.length;
        if (size > ROW_BYTES_MAX) checkRow(size);
        if (typeof value === "string") this.#putString(expected[i]!, columns[i]!, row, value);
        else this.#putBytes(expected[i]!, columns[i]!, row, value);
      }
    }
    return builder.endRow(size);
  }

  /** Adds a packed row, as `add` does; its blobs are base64. */
  addPacked({ bytes, starts, ends }: Row): Promise<void> | undefined {
    const expected = this.#cells;
    const builder = this.#builder;
    const { columns, row } = builder;
    if (starts.length !== expected.length) throw wrongNumberOfCells();
    if (this.#packed.buffer !== bytes.buffer || this.#packed.byteOffset !== bytes.byteOffset)
      this.#packed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let size = 0;
    for (let i = 0; i < expected.length; i++) {
      const at = starts[i]!;
      const length = ends[i]! - at;
      if (ends[i]! < 0) columns[i]!.putNull(row);
      else {
        size += length;
        if (size > ROW_BYTES_MAX) checkRow(size);
        this.#put(expected[i]!, columns[i]!, row, this.#packed, at, length);
      }
    }
    return builder.endRow(size);
  }

  #putString(cell: Cell, to: VectorColumn, row: number, text: string): void {
    if (text.length * 3 > SCRATCH_BYTES) {
      const bytes = Buffer.from(wellFormed(cell, text));
      return this.#put(cell, to, row, bytes, 0, bytes.length);
    }
    const scratch = this.#scratch;
    const length = text.length;
    let at = 0;
    if (length <= LOOP_CHARACTERS)
      for (; at < length; at++) {
        const code = text.charCodeAt(at);
        if (code > 0x7f) break;
        scratch[at] = code;
      }
    if (at < length) at = scratch.write(wellFormed(cell, text), 0, "utf8");
    this.#put(cell, to, row, scratch, 0, at);
  }

  #putBytes(cell: Cell, to: VectorColumn, row: number, bytes: Buffer): void {
    if (cell.as === "blob") to.putBytes(row, bytes, 0, bytes.length);
    else this.#put(cell, to, row, bytes, 0, bytes.length);
  }

  #put(cell: Cell, to: VectorColumn, row: number, bytes: Buffer, at: number, length: number): void {
    try {
      this.#putText(cell, to, row, bytes, at, length);
    } catch (error) {
      throw error instanceof InvalidValue ? unfit(cell.column, error.message) : error;
    }
  }

  #putText(cell: Cell, to: VectorColumn, row: number, bytes: Buffer, at: number, length: number): void {
    const { width } = cell;
    switch (cell.as) {
      case "integer":
        return putInteger(to, width, row, bytes, at, length);
      case "decimal":
        return putDecimal(to, cell, row, bytes, at, length);
      case "float":
        return this.#putFloat(cell, to, row, bytes, at, length);
      case "boolean":
        to.u8[row] = readBoolean(bytes, at, length);
        return;
      case "date":
        return putDate(to, row, bytes, at, at + length);
      case "time":
        return putTime(to, row, bytes, at, at + length);
      case "timestamp":
        return putTimestamp(to, row, bytes, at, at + length, false);
      case "timestamptz":
        return putTimestamp(to, row, bytes, at, at + length, true);
      case "uuid":
        return putUuid(to, row, bytes, at, length);
      case "blob":
        return putBase64(to, row, bytes, at, length);
      case "text":
        return to.putBytes(row, bytes, at, length);
      default:
        return cell.as satisfies never;
    }
  }

  #putFloat(cell: Cell, to: VectorColumn, row: number, bytes: Buffer, at: number, length: number): void {
    const { width, index } = cell;
    const isNegative = bytes[at] === MINUS;
    if (bytes[isNegative ? at + 1 : at]! > 0x39) {
      const value = length <= 9 ? WORDS.get(bytes.toString("latin1", at, at + length)) : undefined;
      this.oddFloats[index]! |= ODD_FLOAT.nan;
      return putDouble(to, width, row, value ?? invalidValue());
    }
    putFloat(to, width, row, bytes, at, length);
    if (isNegative && isMinusZero(to, width, row)) this.oddFloats[index]! |= ODD_FLOAT.negativeZero;
  }
}

const isMinusZero = ({ i32 }: VectorColumn, width: number, row: number): boolean =>
  width === 4 ? i32[row] === MINUS_ZERO : i32[row * 2 + 1] === MINUS_ZERO && i32[row * 2] === 0;

function cellOf(column: SourceColumn, index: number): Cell {
  const { reading, width } = column;
  if (reading.as === "bits" || reading.as === "jsonb" || reading.as === "list")
    throw new Error(`no text is read as ${reading.as}`);
  const { precision, scale } = reading.as === "decimal" ? reading : { precision: 0, scale: 0 };
  return { column, as: reading.as, width, precision, scale, index };
}

/** `true` or `false`. */
function readBoolean(bytes: Buffer, at: number, length: number): 0 | 1 {
  const text = length <= 5 ? bytes.toString("latin1", at, at + length) : "";
  return text === "true" ? 1 : text === "false" ? 0 : invalidValue();
}

/** A half of a surrogate pair has no bytes, and would become another character in silence. */
function wellFormed({ column }: Cell, text: string): string {
  if (text.isWellFormed()) return text;
  throw new Failure(
    "sql_error",
    `Column ${column.name} holds text with half a character (a lone surrogate), so it can't be read without loss. ` +
      "Correct it at the source.",
  );
}

const unfit = ({ name, type, lake, fallback }: SourceColumn, what: string): Failure =>
  fallback
    ? new TypeMismatch(name, what, lake.type, fallback)
    : new Failure("connection_failed", `The source sent ${what} for column ${name}, which is ${type}.`, {
        reason: "other",
      });

const wrongNumberOfCells = (): Failure =>
  new Failure("connection_failed", "The source sent a row with another number of cells than was asked for.", {
    reason: "other",
  });
