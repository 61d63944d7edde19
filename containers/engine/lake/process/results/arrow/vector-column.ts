// A column of Arrow batches that is filled from DuckDB's vectors.

import { makeData, type Data, type DataType } from "apache-arrow";
import type { Vector } from "@duckdb/node-bindings";
import { copyBits, setBits } from "../../../../duckdb/vectors/bits.ts";
import { readEntries, release, type Entries } from "../../../../duckdb/vectors/entries.ts";

/** What holds the values of a batch. */
export type VectorStore = {
  /** Bytes of an entry in DuckDB's vector. */
  readonly width: number;
  /** What the next calls of `put` and `size` are about. */
  read(entries: Entries): void;
  /** Bytes of variable width in rows `[from, to)` of what was read. */
  size(from: number, to: number): number;
  /** Appends rows `[from, to)` of what was read as those from `at` on. False: the type can't hold one of them. */
  put(from: number, to: number, at: number): boolean;
  /** The buffers of the first `rows` rows. They are written over after `clear`. */
  buffers(rows: number): { data: unknown; valueOffsets?: Int32Array };
  clear(): void;
};

export class VectorColumn {
  readonly #type: DataType;
  readonly #store: VectorStore;
  readonly #validity: Uint8Array;
  #nullCount = 0;
  #entries: Entries | undefined;

  /** Of up to `rowsMax` rows, used again for every batch. */
  constructor(type: DataType, store: VectorStore, rowsMax: number) {
    this.#type = type;
    this.#store = store;
    this.#validity = new Uint8Array((rowsMax + 7) >> 3);
  }

  read(vector: Vector, rows: number): void {
    this.#entries = readEntries(vector, rows, this.#store.width);
    this.#store.read(this.#entries);
  }

  /** Gives back the memory of what was read. */
  release(): void {
    if (this.#entries) release(this.#entries.bytes);
    if (this.#entries?.validity) release(this.#entries.validity);
    this.#entries = undefined;
  }

  size(from: number, to: number): number {
    return this.#store.size(from, to);
  }

  put(from: number, to: number, at: number): boolean {
    const mask = this.#entries?.validity;
    if (mask) this.#nullCount += copyBits(this.#validity, at, { mask, start: from }, to - from);
    else setBits(this.#validity, at, to - from);
    return this.#store.put(from, to, at);
  }

  data(rows: number): Data {
    return makeData({
      type: this.#type,
      length: rows,
      nullCount: this.#nullCount,
      nullBitmap: this.#nullCount > 0 ? this.#validity : null,
      ...this.#store.buffers(rows),
    } as Parameters<typeof makeData>[0]);
  }

  clear(): void {
    this.#nullCount = 0;
    this.#validity.fill(0);
    this.#store.clear();
  }
}
