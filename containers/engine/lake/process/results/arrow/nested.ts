// The stores of a batch's lists, structs and maps: their parts are columns of their own.

import duckdb from "@duckdb/node-bindings";
import { hasBit, setBits } from "../../../../duckdb/vectors/bits.ts";
import { readEntries, release, type Validity } from "../../../../duckdb/vectors/entries.ts";
import { Memory } from "./memory.ts";
import type { VectorColumn, VectorStore } from "./vector-column.ts";

/** Bytes of a list's entry: where its elements begin in the vector of all elements, and how many they are. */
const LIST_BYTES = 16;
const LIST_WORDS = LIST_BYTES / 4;
const OFFSET_BYTES = 4;

/** Lists, and maps, which are lists of entries. Elements that no list names are in DuckDB's vector too; here not. */
export function lists(element: VectorColumn, keptBytes: number): VectorStore {
  const offsets = new Memory(keptBytes);
  let entries: Uint8Array<ArrayBuffer>;
  let words: Uint32Array;

  /** Elements of rows `[from, to)`, as few runs as they are. */
  const forEachRun = (from: number, to: number, take: (start: number, end: number) => void): void => {
    let [start, end] = [0, 0];
    for (let row = from; row < to; row++) {
      const length = words[row * LIST_WORDS + 2]!;
      if (length === 0) continue;
      const first = words[row * LIST_WORDS]!;
      if (first !== end) {
        if (end > start) take(start, end);
        start = first;
      }
      end = first + length;
    }
    if (end > start) take(start, end);
  };

  return {
    read(vector, rows, validity) {
      entries = readEntries(vector, rows, LIST_BYTES, validity);
      words = new Uint32Array(entries.buffer, entries.byteOffset, entries.byteLength >> 2);
      const elements = duckdb.list_vector_get_size(vector);
      checkLists(words, elements);
      element.read(duckdb.list_vector_get_child(vector), elements);
    },
    release() {
      release(entries);
      element.release();
    },
    size(from, to) {
      let bytes = (to - from) * OFFSET_BYTES;
      forEachRun(from, to, (start, end) => (bytes += element.size(start, end)));
      return bytes;
    },
    put(from, to, at) {
      offsets.reserve((at + to - from + 1) * OFFSET_BYTES);
      const ends = new Int32Array(offsets.bytes.buffer);
      for (let row = from; row < to; row++, at++) ends[at + 1] = ends[at]! + words[row * LIST_WORDS + 2]!;
      forEachRun(from, to, (start, end) => element.put(start, end));
      return true;
    },
    buffers: (rows) => ({ valueOffsets: new Int32Array(offsets.bytes.buffer, 0, rows + 1), child: element.data() }),
    clear() {
      offsets.reset();
      element.clear();
    },
  };
}

/** Elsewhere in memory there may be anything. `words`: of each entry the two halves of both its numbers. */
function checkLists(words: Uint32Array, elements: number): void {
  for (let i = 0; i < words.length; i += LIST_WORDS) {
    const isWithin = words[i + 3] === 0 && words[i + 1] === 0 && words[i]! + words[i + 2]! <= elements;
    if (!isWithin && (words[i + 2] !== 0 || words[i + 3] !== 0))
      throw new Error("A list ends behind the elements that there are.");
  }
}

/** Lists of `length` elements each; those of a NULL are there too. */
export function fixedLists(element: VectorColumn, length: number): VectorStore {
  return {
    read: (vector, rows, validity) =>
      element.read(duckdb.array_vector_get_child(vector), rows * length, repeated(validity, rows, length)),
    release: () => element.release(),
    size: (from, to) => element.size(from * length, to * length),
    put(from, to) {
      element.put(from * length, to * length);
      return true;
    },
    buffers: () => ({ child: element.data() }),
    clear: () => element.clear(),
  };
}

/** Each of `rows` bits `times` times. */
function repeated(bits: Validity, rows: number, times: number): Validity {
  if (!bits) return undefined;
  const all = new Uint8Array(Math.ceil((rows * times) / 64) * 8);
  for (let row = 0; row < rows; row++) if (hasBit(bits, row)) setBits(all, row * times, times);
  return all;
}

export function structs(members: readonly VectorColumn[]): VectorStore {
  return {
    read(vector, rows, validity) {
      members.forEach((member, i) => member.read(duckdb.struct_vector_get_child(vector, i), rows, validity));
    },
    release() {
      for (const member of members) member.release();
    },
    size: (from, to) => members.reduce((sum, member) => sum + member.size(from, to), 0),
    put(from, to) {
      for (const member of members) member.put(from, to);
      return true;
    },
    buffers: () => ({ children: members.map((member) => member.data()) }),
    clear() {
      for (const member of members) member.clear();
    },
  };
}
