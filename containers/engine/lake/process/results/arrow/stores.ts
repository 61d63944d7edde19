// Stores for the values of a batch that are no numbers of fixed width.

import type { Vector } from "@duckdb/node-bindings";
import { hasBit } from "../../../../duckdb/vectors/bits.ts";
import { readEntries, release, type Validity } from "../../../../duckdb/vectors/entries.ts";
import { OVERRUN_BYTES, STRING_BYTES, Strings } from "../../../../duckdb/vectors/strings.ts";
import { checkText } from "../../../../formats/arrow/stream.ts";
import { Memory } from "./memory.ts";
import type { VectorStore } from "./vector-column.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export function booleans(keptBytes: number): VectorStore {
  const values = new Memory(keptBytes);
  let end = 0;
  let read: Bytes;
  return {
    read: (vector, rows, validity) => void (read = readEntries(vector, rows, 1, validity)),
    release: () => release(read),
    size: (from, to) => (to - from) >> 3,
    put(from, to, at) {
      end = (at + to - from + 7) >> 3;
      values.reserve(end);
      const { bytes } = values;
      for (let row = from; row < to; row++, at++) if (read[row] !== 0) bytes[at >> 3]! |= 1 << (at & 7);
      return true;
    },
    buffers: (rows) => ({ data: values.bytes.subarray(0, (rows + 7) >> 3) }),
    clear() {
      values.bytes.fill(0, 0, end);
      values.reset();
    },
  };
}

/** Where values of variable width come from. */
type Source = {
  read(vector: Vector, rows: number, validity: Validity): void;
  release(): void;
  /** Bytes that the values of rows `[from, to)` take, at most. */
  size(from: number, to: number): number;
  /** Writes the values to `at`, and the end of each to `ends`. Answers where the last one ends. */
  copy(from: number, to: number, into: { values: Memory; at: number; ends: Int32Array }): number;
};

const OFFSET_BYTES = 4;

function variable(source: Source, keptBytes: number): VectorStore {
  const offsets = new Memory(keptBytes);
  const values = new Memory(keptBytes);
  let length = 0;
  return {
    read: (vector, rows, validity) => source.read(vector, rows, validity),
    release: () => source.release(),
    size: (from, to) => (to - from) * OFFSET_BYTES + source.size(from, to),
    put(from, to, at) {
      values.reserve(length + source.size(from, to) + OVERRUN_BYTES);
      offsets.reserve((at + to - from + 1) * OFFSET_BYTES);
      const ends = new Int32Array(offsets.bytes.buffer, (at + 1) * OFFSET_BYTES, to - from);
      length = source.copy(from, to, { values, at: length, ends });
      return true;
    },
    buffers: (rows) => ({
      data: values.bytes.subarray(0, length),
      valueOffsets: new Int32Array(offsets.bytes.buffer, 0, rows + 1),
    }),
    clear() {
      length = 0;
      values.reset();
      offsets.reset();
    },
  };
}

/** `column`: the column that a failure names where a text is not UTF-8. */
export function texts(column: string, keptBytes: number): VectorStore {
  const store = blobs(keptBytes);
  return {
    ...store,
    buffers(rows) {
      const buffers = store.buffers(rows) as { data: Uint8Array; valueOffsets: Int32Array };
      checkText(column, buffers.data, buffers.valueOffsets, rows);
      return buffers;
    },
  };
}

export function blobs(keptBytes: number): VectorStore {
  let entries: Bytes;
  let strings: Strings;
  const source: Source = {
    read(vector, rows, validity) {
      entries = readEntries(vector, rows, STRING_BYTES, validity);
      strings = new Strings(entries);
    },
    release: () => release(entries),
    size: (from, to) => strings.size(from, to),
    copy(from, to, { values, at, ends }) {
      let end = at;
      for (let row = from; row < to; row++) ends[row - from] = end += strings.length(row);
      return strings.copy(from, to, values, at);
    },
  };
  return variable(source, keptBytes);
}

/**
 * How an entry of `width` bytes is spelled: `put` writes at most `bytesMax` bytes to `at` and answers where they end.
 */
export type Spelling = {
  width: number;
  bytesMax: number;
  put(entries: Bytes, row: number, into: Bytes, at: number): number;
};

/** Values that are texts in Arrow but not in DuckDB. */
export function spelled({ width, bytesMax, put }: Spelling, keptBytes: number): VectorStore {
  let entries: Bytes;
  let valid: Validity;
  const source: Source = {
    read(vector, rows, validity) {
      entries = readEntries(vector, rows, width, validity);
      valid = validity;
    },
    release: () => release(entries),
    size: (from, to) => (to - from) * bytesMax,
    copy(from, to, { values: { bytes }, at, ends }) {
      let end = at;
      for (let row = from; row < to; row++) {
        if (!valid || hasBit(valid, row)) end = put(entries, row, bytes, end);
        ends[row - from] = end;
      }
      return end;
    },
  };
  return variable(source, keptBytes);
}
