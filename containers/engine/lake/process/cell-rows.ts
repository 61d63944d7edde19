// Rows of canonical text between a query process and the engine: each row the lengths of its cells, then their bytes.

import type { Failure } from "../../core/failure.ts";
import { RowTooLarge } from "../../core/row-too-large.ts";
import type { Row } from "../../formats/result.ts";
import type { Output } from "../../formats/output.ts";

const LENGTH_BYTES = 4;
const NULL = -1;
const MIB = 1024 * 1024;
/** The bound on a row, equal to that on a source's rows. */
export const ROW_BYTES_MAX = 256 * MIB;
const START_BYTES = 64 * 1024;

export const rowTooLarge = (): Failure => new RowTooLarge(ROW_BYTES_MAX);

export function putCellRow(out: Output, cells: readonly (string | null)[]): void {
  const lengths = cells.length * LENGTH_BYTES;
  out.reserve(lengths + cells.reduce((sum, cell) => sum + (cell?.length ?? 0) * 3, 0));
  const { bytes } = out;
  const start = out.length;
  let at = start + lengths;
  cells.forEach((cell, i) => {
    const length = cell === null ? NULL : bytes.write(cell, at);
    bytes.writeInt32LE(length, start + i * LENGTH_BYTES);
    at += Math.max(0, length);
  });
  out.length = at;
}

/** Cuts what comes into rows of `width` cells, wherever the pieces end. A row is valid until more is added. */
export class CellRows {
  readonly #row: Row;
  #bytes: Buffer = Buffer.allocUnsafeSlow(START_BYTES);
  /** Where the bytes begin that have not been returned yet. */
  #at = 0;
  #end = 0;

  constructor(width: number) {
    this.#row = { bytes: this.#bytes, starts: new Int32Array(width), ends: new Int32Array(width) };
  }

  add(piece: Uint8Array): void {
    const held = this.#bytes.subarray(this.#at, this.#end);
    if (this.#end + piece.length > this.#bytes.length) {
      const isRoom = (held.length + piece.length) * 2 <= this.#bytes.length;
      const moved = isRoom ? this.#bytes : Buffer.allocUnsafeSlow((held.length + piece.length) * 2);
      moved.set(held);
      this.#bytes = this.#row.bytes = moved;
      this.#at = 0;
      this.#end = held.length;
    }
    this.#bytes.set(piece, this.#end);
    this.#end += piece.length;
  }

  /**
   * The next row; undefined where no whole row is there. Throws `resources_exceeded` for a row larger than {@link
   * ROW_BYTES_MAX}.
   */
  next(): Row | undefined {
    const { starts, ends } = this.#row;
    let at = this.#at + starts.length * LENGTH_BYTES;
    if (at > this.#end) return undefined;
    for (let i = 0; i < starts.length; i++) {
      const length = this.#bytes.readInt32LE(this.#at + i * LENGTH_BYTES);
      starts[i] = at;
      ends[i] = length === NULL ? NULL : (at += length);
    }
    if (at - this.#at > ROW_BYTES_MAX) throw rowTooLarge();
    if (at > this.#end) return undefined;
    this.#at = at;
    return this.#row;
  }
}
