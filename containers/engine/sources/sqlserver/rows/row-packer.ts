// Cells as SQL Server sends them, packed into rows of canonical text.

import type { Row } from "../../../formats/result.ts";
import type { ColumnDefinition } from "../connection/column-metadata.ts";
import type { RowScanner } from "../connection/row-scanner.ts";
import { writerOf } from "./cell-writers.ts";
import { GROWTH_MAX, ROOM_BYTES } from "./write-cell.ts";

/** Packs a row where a scanner found it; the row it returns holds until the next is packed. */
export type RowPacker = { pack(memory: Buffer, from: number, scanned: RowScanner): Row };

const ROW_BYTES = 16 * 1024;

export function createRowPacker(columns: ColumnDefinition[]): RowPacker {
  let bytes = Buffer.allocUnsafeSlow(ROW_BYTES);
  const row: Row = { bytes, starts: new Int32Array(columns.length), ends: new Int32Array(columns.length) };
  const writers = columns.map((column) => writerOf(column, column.name));
  return {
    pack(memory, from, { starts, ends, length }) {
      const wanted = length * GROWTH_MAX + columns.length * ROOM_BYTES;
      // A large row's memory goes back with the next row.
      if (wanted > bytes.length || (bytes.length > 64 * ROW_BYTES && wanted < bytes.length / 4))
        row.bytes = bytes = Buffer.allocUnsafeSlow(Math.max(ROW_BYTES, wanted));
      let used = 0;
      for (let i = 0; i < writers.length; i++) {
        row.starts[i] = used;
        const end = ends[i]!;
        if (end < 0) row.ends[i] = -1;
        else row.ends[i] = used = writers[i]!(bytes, used, memory, from + starts[i]!, from + end);
      }
      return row;
    },
  };
}
