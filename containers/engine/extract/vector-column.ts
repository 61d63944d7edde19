// One column of a chunk in the memory layout DuckDB's vectors have, filled cell by cell, and packed when the chunk is
// full.

import { isUtf8 } from "node:buffer";
import { INLINE_BYTES, validityBytes, type PackedColumn } from "./staging/packed-column.ts";
import type { Piece, RowMemory } from "./staging/row-memory.ts";
import { notText } from "./values/not-text.ts";

/** Rows of a chunk: DuckDB's vector size. */
export const CHUNK_ROWS = 2_048;

const HEAP_BYTES_MIN = 16 * 1024;
const COPY_LOOP_BYTES = 64;
const NOTHING = Buffer.alloc(0);
/** The bits that no byte of ASCII has. */
const NOT_ASCII = 0x8080_8080 | 0;

export type CellWidth = 1 | 2 | 4 | 8 | 16;

/**
 * Cells are written through the view that suits them: `i32[row]`, `i64[row]`, and so on; strings by {@link putBytes}.
 * Sixteen-byte cells (strings, uuid, wide decimals, lists) take two elements of `i64`. A cell written must not be null;
 * a null one is put by {@link putNull}.
 */
export class VectorColumn {
  readonly width: CellWidth;
  /** The column that the elements of a list column go to. */
  readonly child: VectorColumn | undefined;
  /** Whether its bytes have to be UTF-8. */
  readonly #isText: boolean;
  u8!: Uint8Array;
  i16!: Int16Array;
  i32!: Int32Array;
  i64!: BigInt64Array;

  #memory = new ArrayBuffer(0);
  #view = new DataView(this.#memory);
  #validity = new Uint8Array(0);
  #hasNull = false;
  #heap = NOTHING;
  #heapView = this.#view;
  #heapUsed = 0;
  #capacity = 0;
  /** In {@link child}. */
  #elements = 0;

  /** As people know it. */
  readonly #name: string;

  constructor(name: string, width: CellWidth, isText: boolean, child?: VectorColumn) {
    this.#name = name;
    this.width = width;
    this.#isText = isText;
    this.child = child;
    this.reserve(CHUNK_ROWS);
  }

  /** Grows to `cells` cells; those that are there stay. */
  reserve(cells: number): void {
    if (cells <= this.#capacity) return;
    this.#capacity = Math.max(CHUNK_ROWS, this.#capacity * 2, Math.ceil(cells / 64) * 64);
    const memory = new ArrayBuffer(this.#capacity * this.width);
    new Uint8Array(memory).set(new Uint8Array(this.#memory));
    const validity = new Uint8Array(this.#capacity / 8).fill(0xff);
    validity.set(this.#validity);
    this.#memory = memory;
    this.#view = new DataView(memory);
    this.#validity = validity;
    this.u8 = new Uint8Array(memory);
    this.i16 = new Int16Array(memory, 0, memory.byteLength >> 1);
    this.i32 = new Int32Array(memory, 0, memory.byteLength >> 2);
    this.i64 = new BigInt64Array(memory, 0, memory.byteLength >> 3);
  }

  putNull(row: number): void {
    this.#validity[row >> 3]! &= ~(1 << (row & 7));
    this.#hasNull = true;
    if (this.width === 16) {
      this.i64[row * 2] = 0n;
      this.i64[row * 2 + 1] = 0n;
    }
  }

  /** A string or blob. `view` is of the memory of `bytes`, where many values come of it: then copying is faster. */
  putBytes(row: number, bytes: Buffer, from: number, length: number, view?: DataView): void {
    const { i32, u8 } = this;
    const entry = row * 4;
    i32[entry] = length;
    i32[entry + 1] = 0;
    i32[entry + 2] = 0;
    i32[entry + 3] = 0;
    const at = row * 16 + 4;
    if (length <= INLINE_BYTES) {
      let seen = 0;
      if (view && length >= 4) seen = copyWords(this.#view, at, view, from, length);
      else for (let i = 0; i < length; i++) seen |= u8[at + i] = bytes[from + i]!;
      if ((seen & NOT_ASCII) !== 0 && this.#isText && !isUtf8(bytes.subarray(from, from + length)))
        throw notText(this.#name);
      return;
    }
    // Long ones are checked all together: then each has to begin where a character does.
    if (this.#isText && (bytes[from]! & 0xc0) === 0x80) throw notText(this.#name);
    for (let i = 0; i < 4; i++) u8[at + i] = bytes[from + i]!;
    // The offset in the heap, until the heap has an address.
    const to = this.#heapUsed;
    i32[entry + 2] = to;
    this.#heapUsed = to + length;
    if (this.#heapUsed > this.#heap.length) this.#growHeap(to);
    const heap = this.#heap;
    if (length > COPY_LOOP_BYTES) bytes.copy(heap, to, from, from + length);
    else if (view) copyWords(this.#heapView, to, view, from, length);
    else for (let i = 0; i < length; i++) heap[to + i] = bytes[from + i]!;
  }

  /** Opens the list of `row` for `length` elements; returns the first one's index in {@link child}. */
  putList(row: number, length: number): number {
    const first = this.#elements;
    this.#elements += length;
    this.child!.reserve(this.#elements);
    const entry = row * 4;
    this.i32[entry] = first;
    this.i32[entry + 1] = 0;
    this.i32[entry + 2] = length;
    this.i32[entry + 3] = 0;
    return first;
  }

  /** How many of the first `rows` cells are not NULL. */
  countValues(rows: number): number {
    if (!this.#hasNull) return rows;
    let values = 0;
    for (let row = 0; row < rows; row++) values += (this.#validity[row >> 3]! >> (row & 7)) & 1;
    return values;
  }

  /** Moves the first `rows` cells into `memory`, and starts anew. */
  pack(rows: number, memory: RowMemory): PackedColumn {
    const packed: PackedColumn = {
      name: this.#name,
      width: this.width,
      rows,
      cells: copyInto(memory, this.u8, rows * this.width),
      validity: this.#hasNull ? copyInto(memory, this.#validity, validityBytes(rows)) : undefined,
      heap: this.#heapUsed > 0 ? this.#packHeap(memory) : undefined,
      child: this.child?.pack(this.#elements, memory),
    };
    if (this.#hasNull) this.#validity.fill(0xff);
    this.#hasNull = false;
    this.#heapUsed = 0;
    this.#elements = 0;
    return packed;
  }

  /** A heap grown for large values is handed over as it is. */
  #packHeap(memory: RowMemory): Uint8Array {
    const used = this.#heap.subarray(0, this.#heapUsed);
    if (this.#heap.length > HEAP_BYTES_MIN * 64) {
      memory.heldBytes += this.#heap.length;
      this.#heap = NOTHING;
      return used;
    }
    const { bytes, at } = copyInto(memory, used, used.length);
    return bytes.subarray(at, at + used.length);
  }

  /** Makes room for all that is used; the first `filled` bytes stay. */
  #growHeap(filled: number): void {
    const heap = Buffer.allocUnsafeSlow(Math.max(HEAP_BYTES_MIN, this.#heap.length * 2, this.#heapUsed));
    this.#heap.copy(heap, 0, 0, filled);
    this.#heap = heap;
    this.#heapView = new DataView(heap.buffer, heap.byteOffset, heap.length);
  }
}

function copyInto(memory: RowMemory, from: Uint8Array, bytes: number): Piece {
  const piece = memory.take(bytes);
  piece.bytes.set(from.subarray(0, bytes), piece.at);
  return piece;
}

/** Copies four bytes or more, the last four of which may overlap. Returns all of them, or'ed as words. */
function copyWords(to: DataView, at: number, from: DataView, start: number, length: number): number {
  const last = length - 4;
  let seen = from.getInt32(start + last, true);
  to.setInt32(at + last, seen, true);
  for (let i = 0; i < last; i += 4) {
    const word = from.getInt32(start + i, true);
    to.setInt32(at + i, word, true);
    seen |= word;
  }
  return seen;
}
