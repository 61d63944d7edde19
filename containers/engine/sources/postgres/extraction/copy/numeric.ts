// PostgreSQL's numerics, groups of four decimal digits, as DuckDB's decimals, scaled whole numbers.

import { protocolViolation } from "../../connection/messages.ts";
import { putNumber, putWide } from "../../../../extract/values/put-number.ts";
import type { VectorColumn } from "../../../../extract/vector-column.ts";

/**
 * Puts the numeric at `at`. Returns what it is where the column can't hold it. Throws a Failure where it is no
 * numeric.
 */
export type PutNumeric = (
  to: VectorColumn,
  row: number,
  bytes: Buffer,
  at: number,
  length: number,
) => string | undefined;

const NOT_FINITE = "NaN or an infinity";
const TOO_LARGE = "a number of more digits than it was declared with";

/** The number of groups, the weight of the first, the sign, and the digits after the point that are shown. */
export const HEAD_BYTES = 8;

export const NEGATIVE = 0x4000;
const SPECIAL = 0xc000;
/** A double holds at most this many groups exactly. */
export const GROUPS_EXACT = 3;

/**
 * Reads `numeric(p, s)` into cells of `width` bytes. The server has rounded every value to the scale, so that dropping
 * the zeros behind it loses nothing.
 */
export function createNumericReader(width: number, precision: number, scale: number): PutNumeric {
  const fractionGroups = Math.ceil(scale / 4);
  const excess = 10 ** (fractionGroups * 4 - scale);
  const excessBig = BigInt(excess);
  const bound = 10 ** precision;
  const boundBig = 10n ** BigInt(precision);
  /** The weight is that of the highest group before the point. */
  const weightMax = Math.max(0, Math.ceil((precision - scale) / 4) - 1);

  return (to, row, bytes, at, length) => {
    if (length < HEAD_BYTES) invalidValue();
    const groups = (bytes[at]! << 8) | bytes[at + 1]!;
    const weight = ((bytes[at + 2]! << 24) >> 16) | bytes[at + 3]!;
    const sign = (bytes[at + 4]! << 8) | bytes[at + 5]!;
    if (length !== HEAD_BYTES + 2 * groups) invalidValue();
    // A weight is bounded before it is counted down from.
    if (sign >= SPECIAL) return NOT_FINITE;
    if (weight > weightMax) return TOO_LARGE;
    const first = weight < 0 ? -1 : weight;
    if (first + 1 + fractionGroups <= GROUPS_EXACT) {
      let value = 0;
      for (let power = first; power >= -fractionGroups; power--) {
        const i = weight - power;
        value = value * 10_000 + (i >= 0 && i < groups ? (bytes[at + 8 + 2 * i]! << 8) | bytes[at + 9 + 2 * i]! : 0);
      }
      value /= excess;
      if (value >= bound) return TOO_LARGE;
      putNumber(to, width, row, sign === NEGATIVE ? -value : value);
      return undefined;
    }
    let value = 0n;
    for (let power = first; power >= -fractionGroups; power--) {
      const i = weight - power;
      value =
        value * 10_000n + BigInt(i >= 0 && i < groups ? (bytes[at + 8 + 2 * i]! << 8) | bytes[at + 9 + 2 * i]! : 0);
    }
    value /= excessBig;
    if (value >= boundBig) return TOO_LARGE;
    putWide(to, width, row, sign === NEGATIVE ? -value : value);
    return undefined;
  };
}

/** Throws a Failure. */
const invalidValue = (): never => protocolViolation("a number has not the form of its type");
