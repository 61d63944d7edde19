// A column of Arrow batches, or a part of a nested one, that is filled from DuckDB's vectors.

import { makeData, type Data, type DataType, type Field } from "apache-arrow";
import type { Vector } from "@duckdb/node-bindings";
import { copyBits, setBits } from "../../../../duckdb/vectors/bits.ts";
import { readValidity, release, type Validity } from "../../../../duckdb/vectors/entries.ts";
import { cannotHold } from "../../../../formats/arrow/schema.ts";
import { Memory } from "./memory.ts";

/** A store for the values of a batch. */
export type VectorStore = {
  /** Reads the vector that the next calls of `size` and `put` are about. A row that is not valid must show no value. */
  read(vector: Vector, rows: number, validity: Validity): void;
  /** Gives back the memory of the vector that was read. */
  release(): void;
  /** Bytes that rows `[from, to)` of what was read take of a batch. */
  size(from: number, to: number): number;
  /** Appends rows `[from, to)` of the vector as the rows from `at` on. False: the type can't hold one of them. */
  put(from: number, to: number, at: number): boolean;
  /** The buffers of the first `rows` rows. They are written over after `clear`. */
  buffers(rows: number): Buffers;
  clear(): void;
};

export type Buffers = {
  data?: unknown;
  valueOffsets?: Int32Array;
  child?: Data;
  children?: Data[];
  dictionary?: unknown;
};

export class VectorColumn {
  readonly field: Field;
  readonly #column: string;
  readonly #store: VectorStore;
  readonly #validity: Memory;
  #read: Validity;
  /** Whether {@link #read} is this column's own, and not that of what is around it. */
  #isOwn = false;
  #rows = 0;
  #nullCount = 0;

  /** `column`: the name of the result's column that it is, or is a part of. */
  constructor({ column, field, keptBytes }: ColumnOptions, store: VectorStore) {
    this.field = field;
    this.#column = column;
    this.#store = store;
    this.#validity = new Memory(keptBytes);
  }

  /** `within`: of a part, which of its rows have no NULL around them. */
  read(vector: Vector, rows: number, within?: Validity): void {
    this.#read = readValidity(vector, rows, within);
    this.#isOwn = this.#read !== within;
    this.#store.read(vector, rows, this.#read);
  }

  release(): void {
    this.#store.release();
    if (this.#read && this.#isOwn) release(this.#read);
    this.#read = undefined;
  }

  size(from: number, to: number): number {
    return ((to - from) >> 3) + this.#store.size(from, to);
  }

  /** Appends rows `[from, to)` of what was read. */
  put(from: number, to: number): void {
    const at = this.#rows;
    this.#rows = at + to - from;
    this.#validity.reserve((this.#rows + 7) >> 3);
    const { bytes } = this.#validity;
    if (this.#read) this.#nullCount += copyBits(bytes, at, { mask: this.#read, start: from }, to - from);
    else setBits(bytes, at, to - from);
    if (!this.#store.put(from, to, at)) throw cannotHold(this.#column, this.field.type as DataType);
  }

  /** The values put since the last clear. */
  data(): Data {
    const rows = this.#rows;
    return makeData({
      type: this.field.type,
      length: rows,
      nullCount: this.#nullCount,
      nullBitmap: this.#nullCount > 0 ? this.#validity.bytes.subarray(0, (rows + 7) >> 3) : null,
      ...this.#store.buffers(rows),
    } as Parameters<typeof makeData>[0]);
  }

  clear(): void {
    this.#validity.bytes.fill(0, 0, (this.#rows + 7) >> 3);
    this.#validity.reset();
    this.#nullCount = 0;
    this.#rows = 0;
    this.#store.clear();
  }
}

/** `keptBytes`: what of each of its buffers may be kept from batch to batch. */
export type ColumnOptions = { column: string; field: Field; keptBytes: number };
