// Rows given as strings, for sources whose driver hands out no bytes.

import type { Row } from "./result.ts";

/** A packer of rows of `width` cells. Its one row is written over by the next call. */
export function createTextRow(width: number): (cells: ArrayLike<string | null>) => Row {
  let bytes = Buffer.allocUnsafeSlow(4096);
  const starts = new Int32Array(width);
  const ends = new Int32Array(width);
  return (cells) => {
    let bytesMax = 0;
    for (let i = 0; i < width; i++) bytesMax += (cells[i]?.length ?? 0) * 3;
    if (bytesMax > bytes.length) bytes = Buffer.allocUnsafeSlow(bytesMax * 2);
    let at = 0;
    for (let i = 0; i < width; i++) {
      const cell = cells[i];
      starts[i] = at;
      ends[i] = typeof cell === "string" ? (at += bytes.write(cell, at)) : -1;
    }
    return { bytes, starts, ends };
  };
}
