// Numbers in decimal notation, as DuckDB spells them. Each function writes at `at` and answers where it ends.

import type { Output } from "../../../../formats/output.ts";

const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
/** One unit of the high half of an int64. */
export const HIGH_HALF = 4_294_967_296;
const INT32_MAX = 0x7fff_ffff;

/** The two digits of each number below 100, as the bytes of a word. */
const PAIRS = Uint16Array.from({ length: 100 }, (_, i) => ((ZERO + (i % 10)) << 8) | (ZERO + Math.floor(i / 10)));

export function putPair(view: DataView, at: number, value: number): void {
  view.setUint16(at, PAIRS[value]!, true);
}

/** Exactly `digits` digits of a whole number below 2^53, zeros first. */
export function putDigits({ bytes, view }: Output, at: number, value: number, digits: number): number {
  let end = at + digits;
  let rest = value;
  // Division of 32-bit integers is far quicker than that of doubles.
  while (rest > INT32_MAX) {
    const high = Math.floor(rest / 100);
    end -= 2;
    putPair(view, end, rest - high * 100);
    rest = high;
  }
  let small = rest | 0;
  while (end - at > 1) {
    const high = (small / 100) | 0;
    end -= 2;
    putPair(view, end, small - high * 100);
    small = high;
  }
  if (end > at) bytes[at] = ZERO + small;
  return at + digits;
}

/** A whole number of at most 2^53 whose last `scale` digits are behind a point. */
export function putNumber(out: Output, at: number, value: number, scale: number): number {
  let rest = value;
  if (value < 0) {
    out.bytes[at++] = MINUS;
    rest = -value;
  }
  if (scale === 0) return putDigits(out, at, rest, digitsOf(rest));
  const digits = Math.max(digitsOf(rest), scale + 1);
  const whole = digits - scale;
  // Written one to the right, then the whole part is moved over the point's place.
  const end = putDigits(out, at + 1, rest, digits);
  const { bytes } = out;
  for (let i = 0; i < whole; i++) bytes[at + i] = bytes[at + i + 1]!;
  bytes[at + whole] = POINT;
  return end;
}

/** A number beyond 2^53. */
export function putBigInt({ bytes }: Output, at: number, value: bigint, scale: number): number {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  const point = digits.length - scale;
  const text = `${value < 0n ? "-" : ""}${digits.slice(0, point)}${scale > 0 ? "." : ""}${digits.slice(point)}`;
  for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
  return at + text.length;
}

/** How many digits a whole number below 2^53 has. */
function digitsOf(value: number): number {
  if (value < 100_000) {
    if (value < 100) return value < 10 ? 1 : 2;
    if (value < 1_000) return 3;
    return value < 10_000 ? 4 : 5;
  }
  if (value < 10_000_000) return value < 1_000_000 ? 6 : 7;
  if (value < 1_000_000_000) return value < 100_000_000 ? 8 : 9;
  let digits = 10;
  for (let bound = 10_000_000_000; value >= bound; bound *= 10) digits++;
  return digits;
}
