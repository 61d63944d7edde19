// One column of a chunk in the memory layout DuckDB's vectors have, filled cell by cell and handed over whole.

import { isUtf8 } from "node:buffer";
import duckdb from "@duckdb/node-bindings";
import { Failure } from "../core/failure.ts";

type Vector = ReturnType<typeof duckdb.data_chunk_get_vector>;

/** Rows of a chunk: DuckDB's vector size. */
export const CHUNK_ROWS = 2_048;

/** Strings up to this long lie in their entry; longer ones in the heap, with their first four bytes in the entry. */
const INLINE_BYTES = 12;
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
        throw this.#notText();
      return;
    }
    // Long ones are checked all together: then each has to begin where a character does.
    if (this.#isText && (bytes[from]! & 0xc0) === 0x80) throw this.#notText();
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

  /** The memory of this process that the column takes, filled or not. */
  get memoryBytes(): number {
    return this.#memory.byteLength + this.#heap.length + (this.child?.memoryBytes ?? 0);
  }

  /** Copies the first `rows` cells into `vector` and starts anew. Throws a Failure where a string is not UTF-8. */
  flush(vector: Vector, rows: number): void {
    if (this.child) {
      duckdb.list_vector_reserve(vector, this.#elements);
      duckdb.list_vector_set_size(vector, this.#elements);
      this.child.flush(duckdb.list_vector_get_child(vector), this.#elements);
      this.#elements = 0;
    }
    if (this.#heapUsed > 0) this.#placeHeap(vector, rows);
    if (rows > 0) duckdb.copy_data_to_vector(vector, 0, this.#memory, 0, rows * this.width);
    if (this.#hasNull) {
      duckdb.vector_ensure_validity_writable(vector);
      duckdb.copy_data_to_vector_validity(vector, 0, this.#validity.buffer as ArrayBuffer, 0, Math.ceil(rows / 64) * 8);
      this.#validity.fill(0xff);
      this.#hasNull = false;
    }
  }

  /**
   * Gives the vector all long strings as one, and points each entry into it: a call into DuckDB for every string costs
   * more than all the rest of a row. Entries are laid out as the C interface's `duckdb_string_t`.
   */
  #placeHeap(vector: Vector, rows: number): void {
    // DuckDB leaves the entry alone where the text is not UTF-8: emptied first, its length shows that.
    duckdb.vector_assign_string_element_len(vector, 0, NOTHING);
    duckdb.vector_assign_string_element_len(vector, 0, this.#heap.subarray(0, this.#heapUsed));
    const assigned = duckdb.vector_get_data(vector, 16);
    const entry = new DataView(assigned.buffer, assigned.byteOffset, 16);
    if (entry.getUint32(0, true) !== this.#heapUsed) throw this.#notText();
    const low = entry.getUint32(8, true);
    const high = entry.getUint32(12, true);
    const { i32 } = this;
    for (let at = 0, end = rows * 4; at < end; at += 4) {
      if (i32[at]! >>> 0 <= INLINE_BYTES) continue;
      const address = low + (i32[at + 2]! >>> 0);
      i32[at + 2] = address;
      i32[at + 3] = high + (address > 0xffff_ffff ? 1 : 0);
    }
    this.#heapUsed = 0;
    // A heap grown for large values is given back.
    if (this.#heap.length > HEAP_BYTES_MIN * 64) this.#heap = NOTHING;
  }

  #notText(): Failure {
    return new Failure(
      "sql_error",
      `Column ${this.#name} holds text that is not UTF-8, so it can't be read without loss. Correct it at the source.`,
    );
  }

  /** Makes room for all that is used; the first `filled` bytes stay. */
  #growHeap(filled: number): void {
    const heap = Buffer.allocUnsafeSlow(Math.max(HEAP_BYTES_MIN, this.#heap.length * 2, this.#heapUsed));
    this.#heap.copy(heap, 0, 0, filled);
    this.#heap = heap;
    this.#heapView = new DataView(heap.buffer, heap.byteOffset, heap.length);
  }
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
