// Rows of binary COPY that lie one after another in the receive buffer, with the place of each of their cells.

import type { ODD_FLOAT } from "../../../../extract/chunk-builder.ts";
import type { VectorColumn } from "../../../../extract/vector-column.ts";
import { COPY_DATA } from "../../connection/wire.ts";

/** So few that the rows' bytes and the places of their cells stay in the processor's cache. */
const BATCH_ROWS = 512;
/** A message's type and length, and the number of cells that a row begins with. */
const ROW_HEAD_BYTES = 7;
/** A length counts its own bytes; a row of no columns has the number of its cells. */
const LENGTH_BYTES = 4;
const ROW_BYTES_MIN = 2;

/** How many rows, of how many bytes, a batch may have at most. */
export type BatchBounds = { rowsMax: number; bytesMax: number };

/**
 * Holds only rows that are plainly right: whole, with as many cells as there are columns, each within its row. Anything
 * else ends the batch before it, and is left to whoever takes messages one by one.
 */
export class RowBatch {
  rows = 0;
  /** The bytes that the rows took on the wire. */
  bytes = 0;
  memory: Buffer = Buffer.alloc(0);
  view = new DataView(this.memory.buffer, this.memory.byteOffset, 0);
  /** Where the value of each cell begins, column by column; its length stands in the four bytes before. */
  readonly starts: Int32Array;

  readonly #columns: number;

  constructor(columns: number) {
    this.#columns = columns;
    this.starts = new Int32Array(columns * BATCH_ROWS);
  }

  /** Where a column's places begin in {@link starts}. */
  placesOf(column: number): number {
    return column * BATCH_ROWS;
  }

  /** Fills the batch with rows of `memory[from .. end)`. Returns where the first message begins that is not in it. */
  fill(memory: Buffer, from: number, end: number, { rowsMax, bytesMax }: BatchBounds): number {
    if (memory !== this.memory) {
      this.memory = memory;
      this.view = new DataView(memory.buffer, memory.byteOffset, memory.length);
    }
    const { view } = this;
    const rowsEnd = Math.min(rowsMax, BATCH_ROWS);
    let next = from;
    let rows = 0;
    let bytes = 0;
    while (rows < rowsEnd && end - next >= ROW_HEAD_BYTES && memory[next] === COPY_DATA) {
      const size = view.getInt32(next + 1) - LENGTH_BYTES;
      const body = next + 1 + LENGTH_BYTES;
      if (size < ROW_BYTES_MIN || size > end - body || bytes + size > bytesMax) break;
      if (view.getInt16(body) !== this.#columns || !this.#placeCells(rows, body + 2, body + size)) break;
      next = body + size;
      bytes += size;
      rows++;
    }
    this.rows = rows;
    this.bytes = bytes;
    return next;
  }

  /** Whether all cells of a row lie within it, and fill it. */
  #placeCells(row: number, from: number, rowEnd: number): boolean {
    const { view, starts } = this;
    let at = from;
    for (let place = row; place < starts.length; place += BATCH_ROWS) {
      if (rowEnd - at < LENGTH_BYTES) return false;
      const length = view.getInt32(at);
      at += LENGTH_BYTES;
      if (length < -1 || length > rowEnd - at) return false;
      starts[place] = at;
      if (length > 0) at += length;
    }
    return at === rowEnd;
  }
}

/** `PutRare` takes the cell of `row` whose value is the `length` bytes at `at` of the batch; -1 stands for NULL. */
export type PutRare = (row: number, at: number, length: number) => void;

/**
 * Puts the batch's cells whose places begin at `place` into `to`, from `row` on. Returns the {@link ODD_FLOAT}s among
 * those that it put itself.
 */
export type PutColumn = (batch: RowBatch, place: number, to: VectorColumn, row: number, putRare: PutRare) => number;
