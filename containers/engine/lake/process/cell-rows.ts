// Rows of canonical text between a query process and the engine: each row the lengths of its cells, then their bytes.

import type { Row } from "../../formats/result.ts";
import type { Output } from "../../formats/output.ts";

const LENGTH_BYTES = 4;
const NULL = -1;

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

/** Cuts what comes into rows of `width` cells, wherever the pieces end. A row is valid until the next is asked for. */
export class CellRows {
  readonly #row: Row;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;

  constructor(width: number) {
    this.#row = { bytes: this.#bytes, starts: new Int32Array(width), ends: new Int32Array(width) };
  }

  add(piece: Uint8Array): void {
    this.#bytes = Buffer.concat([this.#bytes.subarray(this.#at), piece]);
    this.#at = 0;
    this.#row.bytes = this.#bytes;
  }

  /** Undefined where no whole row is there. */
  next(): Row | undefined {
    const { starts, ends } = this.#row;
    let at = this.#at + starts.length * LENGTH_BYTES;
    if (at > this.#bytes.length) return undefined;
    for (let i = 0; i < starts.length; i++) {
      const length = this.#bytes.readInt32LE(this.#at + i * LENGTH_BYTES);
      starts[i] = at;
      ends[i] = length === NULL ? NULL : (at += length);
    }
    if (at > this.#bytes.length) return undefined;
    this.#at = at;
    return this.#row;
  }
}
