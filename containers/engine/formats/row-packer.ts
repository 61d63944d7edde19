// Cells of canonical text, as rows of bytes.

import type { Row } from "./result.ts";

/** UTF-8 takes at most this many bytes for each of a string's units. */
const UNIT_BYTES_MAX = 3;

/** Each call returns the one row object again, which is valid until the next call. */
export function createRowPacker(columns: number): (cells: readonly (string | null)[]) => Row {
  let bytes = Buffer.allocUnsafeSlow(16 * 1024);
  const row: Row = { bytes, starts: new Int32Array(columns), ends: new Int32Array(columns) };
  return (cells) => {
    let used = 0;
    for (let i = 0; i < columns; i++) {
      const cell = cells[i]!;
      row.starts[i] = used;
      if (cell === null) {
        row.ends[i] = -1;
        continue;
      }
      const room = used + cell.length * UNIT_BYTES_MAX;
      if (room > bytes.length) {
        const grown = Buffer.allocUnsafeSlow(Math.max(room, bytes.length * 2));
        bytes.copy(grown, 0, 0, used);
        row.bytes = bytes = grown;
      }
      used += bytes.write(cell, used);
      row.ends[i] = used;
    }
    return row;
  };
}
