// The bytes of a VARCHAR vector, taken in long runs: DuckDB lays the strings of a chunk end to end.

import type { DuckDBDataChunk } from "@duckdb/node-api";
import duckdb from "@duckdb/node-bindings";

/** Each string_t is 16 bytes: length, then up to 12 bytes themselves, or 4 bytes of prefix and an 8-byte pointer. */
const STRING_BYTES = 16;
const INLINED_BYTES_MAX = 12;

/** The lines of one chunk, in order. Valid until released. */
export class Lines {
  readonly count: number;
  readonly #chunk: DuckDBDataChunk;
  readonly #data: Uint8Array;
  readonly #view: DataView;

  /** Of the first column of `chunk`, a VARCHAR without NULLs. */
  constructor(chunk: DuckDBDataChunk) {
    this.#chunk = chunk;
    this.count = chunk.rowCount;
    this.#data = duckdb.vector_get_data(duckdb.data_chunk_get_vector(chunk.chunk, 0), this.count * STRING_BYTES);
    this.#view = new DataView(this.#data.buffer, this.#data.byteOffset, this.#data.byteLength);
  }

  /** Gives the strings' memory back now; the garbage collector does not know how much it is. */
  release(): void {
    duckdb.data_chunk_reset(this.#chunk.chunk);
  }

  /** Bytes of line `i`. */
  length(i: number): number {
    return this.#view.getUint32(i * STRING_BYTES, true);
  }

  /** Hands over lines `[from, to)` as runs of whole lines; a run's memory is DuckDB's and must be copied at once. */
  *runs(from: number, to: number): Generator<Uint8Array> {
    const data = this.#data;
    const view = this.#view;
    for (let i = from; i < to; ) {
      const at = i * STRING_BYTES;
      let length = view.getUint32(at, true);
      i++;
      if (length <= INLINED_BYTES_MAX) {
        yield data.subarray(at + 4, at + 4 + length);
        continue;
      }
      const high = view.getUint32(at + 12, true);
      let next = view.getUint32(at + 8, true) + length;
      for (; i < to; i++) {
        const other = i * STRING_BYTES;
        const more = view.getUint32(other, true);
        if (
          more <= INLINED_BYTES_MAX ||
          view.getUint32(other + 8, true) !== next ||
          view.getUint32(other + 12, true) !== high
        )
          break;
        length += more;
        next += more;
      }
      yield duckdb.get_data_from_pointer(data.buffer as ArrayBuffer, data.byteOffset + at + 8, length);
    }
  }
}
