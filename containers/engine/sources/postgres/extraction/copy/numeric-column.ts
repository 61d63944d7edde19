// A column of PostgreSQL's numerics, put in one loop where a few groups of digits make a number that a double holds.

import { putNumber } from "../../../../extract/values/put-number.ts";
import { GROUPS_EXACT, HEAD_BYTES, NEGATIVE } from "./numeric.ts";
import type { PutColumn } from "./row-batch.ts";

/** Puts cells of `width` bytes, of a column declared as `numeric(precision, scale)`. */
export function createNumericColumn(width: number, precision: number, scale: number): PutColumn {
  const fractionGroups = Math.ceil(scale / 4);
  const excess = 10 ** (fractionGroups * 4 - scale);
  const bound = 10 ** precision;

  return ({ view, starts, rows }, place, to, row, putRare) => {
    for (let i = 0; i < rows; i++) {
      const at = starts[place + i]!;
      const length = view.getInt32(at - 4);
      const groups = length < HEAD_BYTES ? 0 : view.getUint16(at);
      const sign = length === HEAD_BYTES + 2 * groups ? view.getUint16(at + 4) : -1;
      // Groups of zeros are not sent: so many follow the last that was.
      const zeros = sign < 0 ? -1 : view.getInt16(at + 2) + 1 + fractionGroups - groups;
      if ((sign !== 0 && sign !== NEGATIVE) || zeros < 0 || groups + zeros > GROUPS_EXACT) {
        putRare(row + i, at, length);
        continue;
      }
      let digits = 0;
      for (let digit = at + HEAD_BYTES, end = at + length; digit < end; digit += 2)
        digits = digits * 10_000 + view.getUint16(digit);
      for (let zero = 0; zero < zeros; zero++) digits *= 10_000;
      const value = digits / excess;
      if (value >= bound) putRare(row + i, at, length);
      else putNumber(to, width, row + i, sign === NEGATIVE ? -value : value);
    }
    return 0;
  };
}
