// Whole numbers into the cells of a column, whose width says how many bytes of two's complement they take.

import { limbs } from "../../core/decimal-text.ts";
import type { VectorColumn } from "../vector-column.ts";

/** A whole number that a double holds exactly. */
export function putNumber(to: VectorColumn, width: number, row: number, value: number): void {
  switch (width) {
    case 1:
      to.u8[row] = value;
      return;
    case 2:
      to.i16[row] = value;
      return;
    case 4:
      to.i32[row] = value;
      return;
    case 8:
      to.i32[row * 2] = value;
      to.i32[row * 2 + 1] = Math.floor(value / 4_294_967_296);
      return;
    default: {
      const high = Math.floor(value / 4_294_967_296);
      const entry = row * 4;
      to.i32[entry] = value;
      to.i32[entry + 1] = high;
      to.i32[entry + 2] = to.i32[entry + 3] = value < 0 ? -1 : 0;
    }
  }
}

/** A whole number of any size that the cell has bytes for. */
export function putWide(to: VectorColumn, width: number, row: number, value: bigint): void {
  if (width === 16) {
    to.i64[row * 2] = BigInt.asIntN(64, value);
    to.i64[row * 2 + 1] = value >> 64n;
  } else if (width === 8) to.i64[row] = BigInt.asIntN(64, value);
  else putNumber(to, width, row, Number(value));
}

/** The whole number that was read last from a text, which the cell has bytes for. */
export function putLimbs(to: VectorColumn, width: number, row: number): void {
  if (width < 8) return putNumber(to, width, row, limbs[0]! | 0);
  const words = width / 4;
  for (let i = 0; i < words; i++) to.i32[row * words + i] = limbs[i]!;
}
