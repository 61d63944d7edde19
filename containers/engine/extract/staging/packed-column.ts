// One column of a chunk that waits for DuckDB: its cells in the layout of DuckDB's vectors, to be copied into one.

import duckdb from "@duckdb/node-bindings";
import { notText } from "../values/not-text.ts";
import type { Piece } from "./row-memory.ts";

type Vector = ReturnType<typeof duckdb.data_chunk_get_vector>;

/** Strings up to this long lie in their entry; longer ones in the heap, with their first four bytes in the entry. */
export const INLINE_BYTES = 12;
const NOTHING = Buffer.alloc(0);

/** `cells` begin with `rows` cells of `width` bytes. */
export type PackedColumn = {
  /** As people know it. */
  name: string;
  width: number;
  rows: number;
  cells: Piece;
  /** A bit a row, in words of 64; undefined where no cell is NULL. */
  validity: Piece | undefined;
  /** All long strings; entries hold places in it until it has an address. */
  heap: Uint8Array | undefined;
  /** The elements of a list column. */
  child: PackedColumn | undefined;
};

/** Copies a column into `vector`, once. Throws a Failure where a string is not UTF-8. */
export function copyIntoVector(column: PackedColumn, vector: Vector): void {
  const { rows, width, cells, validity, heap, child } = column;
  if (child) {
    duckdb.list_vector_reserve(vector, child.rows);
    duckdb.list_vector_set_size(vector, child.rows);
    copyIntoVector(child, duckdb.list_vector_get_child(vector));
  }
  if (heap) placeHeap(column, heap, vector);
  if (rows > 0) duckdb.copy_data_to_vector(vector, 0, cells.bytes.buffer, cells.at, rows * width);
  if (validity) {
    duckdb.vector_ensure_validity_writable(vector);
    duckdb.copy_data_to_vector_validity(vector, 0, validity.bytes.buffer, validity.at, validityBytes(rows));
  }
}

/** The memory of this process that the column takes. */
export const memoryBytesOf = ({ rows, width, validity, heap, child }: PackedColumn): number =>
  rows * width + (validity ? validityBytes(rows) : 0) + (heap?.length ?? 0) + (child ? memoryBytesOf(child) : 0);

export const validityBytes = (rows: number): number => Math.ceil(rows / 64) * 8;

/**
 * Gives the vector all long strings as one, and points each entry into it: a call into DuckDB for every string costs
 * more than all the rest of a row. Entries are laid out as the C interface's `duckdb_string_t`.
 */
function placeHeap({ name, rows, cells }: PackedColumn, heap: Uint8Array, vector: Vector): void {
  // DuckDB leaves the entry alone where the text is not UTF-8: emptied first, its length shows that.
  duckdb.vector_assign_string_element_len(vector, 0, NOTHING);
  duckdb.vector_assign_string_element_len(vector, 0, heap);
  const assigned = duckdb.vector_get_data(vector, 16);
  const entry = new DataView(assigned.buffer, assigned.byteOffset, 16);
  if (entry.getUint32(0, true) !== heap.length) throw notText(name);
  const low = entry.getUint32(8, true);
  const high = entry.getUint32(12, true);
  const entries = new Int32Array(cells.bytes.buffer, cells.at, rows * 4);
  for (let at = 0; at < entries.length; at += 4) {
    if (entries[at]! >>> 0 <= INLINE_BYTES) continue;
    const address = low + (entries[at + 2]! >>> 0);
    entries[at + 2] = address;
    entries[at + 3] = high + (address > 0xffff_ffff ? 1 : 0);
  }
}
