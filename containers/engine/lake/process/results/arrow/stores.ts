// What holds the values of a batch that are no numbers of fixed width.

import type { DataType } from "apache-arrow";
import type { Entries } from "../../../../duckdb/vectors/entries.ts";
import { STRING_BYTES, Strings } from "../../../../duckdb/vectors/strings.ts";
import { checkText } from "../../../../formats/arrow/stream.ts";
import { createTextColumn } from "../../../../formats/arrow/text-column.ts";
import type { VectorStore } from "./vector-column.ts";

export function booleans(rowsMax: number): VectorStore {
  const values = new Uint8Array((rowsMax + 7) >> 3);
  let read: Entries["bytes"];
  return {
    width: 1,
    read: ({ bytes }) => void (read = bytes),
    size: () => 0,
    put(from, to, at) {
      for (let row = from; row < to; row++, at++) if (read[row] !== 0) values[at >> 3]! |= 1 << (at & 7);
      return true;
    },
    buffers: () => ({ data: values }),
    clear: () => void values.fill(0),
  };
}

const START_BYTES = 4096;

/** `keptBytes`: more memory is given back after its batch, for in the next another column's values may be long. */
export function blobs(rowsMax: number, keptBytes: number): VectorStore {
  const valueOffsets = new Int32Array(rowsMax + 1);
  let values = new Uint8Array(START_BYTES);
  let length = 0;
  let read: Strings;
  return {
    width: STRING_BYTES,
    read: (entries) => void (read = new Strings(entries)),
    size: (from, to) => read.size(from, to),
    put(from, to, at) {
      const needed = length + read.size(from, to);
      if (needed > values.length) {
        const grown = new Uint8Array(Math.max(needed, values.length * 2));
        grown.set(values.subarray(0, length));
        values = grown;
      }
      let end = length;
      for (let row = from; row < to; row++) valueOffsets[++at] = end += read.length(row);
      length = read.copy(from, to, values, length);
      return true;
    },
    buffers: (rows) => ({ data: values.subarray(0, length), valueOffsets: valueOffsets.subarray(0, rows + 1) }),
    clear() {
      length = 0;
      if (values.length > keptBytes) values = new Uint8Array(START_BYTES);
    },
  };
}

export function texts(name: string, rowsMax: number, keptBytes: number): VectorStore {
  const store = blobs(rowsMax, keptBytes);
  return {
    ...store,
    buffers(rows) {
      const buffers = store.buffers(rows) as { data: Uint8Array; valueOffsets: Int32Array };
      checkText(name, buffers.data, buffers.valueOffsets, rows);
      return buffers;
    },
  };
}

/** Values whose layout is DuckDB's own, by their canonical text. */
export function spelled(name: string, type: DataType, rowsMax: number): VectorStore {
  const column = createTextColumn(name, type, rowsMax);
  let read: Strings;
  return {
    width: STRING_BYTES,
    read: (entries) => void (read = new Strings(entries)),
    size: () => 0,
    put(from, to, at) {
      const texts = Buffer.allocUnsafeSlow(read.size(from, to));
      read.copy(from, to, texts, 0);
      let start = 0;
      for (let row = from; row < to; row++, at++) {
        const end = start + read.length(row);
        // No value has an empty text: it is NULL.
        if (end > start && !column.put(at, texts, start, end)) return false;
        start = end;
      }
      return true;
    },
    buffers: (rows) => ({ data: column.data(rows).values as unknown }),
    clear: () => column.clear(),
  };
}
