// Decimal text as whole numbers of up to 128 bits: the number that is left when a text loses its point.

const MINUS = 0x2d,
  POINT = 0x2e,
  ZERO = 0x30;
/** Every number of so many digits is exact in a double. */
const DIGITS_EXACT = 15;
/** Digits are gathered up to this factor before one multiplication: a limb times it is an exact double, too. */
const CHUNK_FACTOR = 1_000_000;
const LIMB = 4_294_967_296;

/** `precision`, at most 38, counts a number's digits from the first that is no zero. */
export type Decimal = { precision: number; scale: number };

/** A scale that allows no point at all. */
export const NO_POINT = -1;

export type Reading = "exact" | "malformed" | "too fine" | "too large";

/** The number that was read last, in two's complement, its lowest 32 bits first. */
export const limbs = new Uint32Array(4);

/**
 * Reads a decimal into {@link limbs}, with `scale` digits behind its point: missing ones count as zeros, and zeros
 * beyond them are left out.
 */
export function readDecimal(from: Uint8Array, start: number, end: number, { precision, scale }: Decimal): Reading {
  const isNegative = from[start] === MINUS;
  const first = isNegative ? start + 1 : start;
  let point = first;
  while (point < end && from[point] !== POINT) point++;
  if (end - first - (point < end ? 1 : 0) < 1) return "malformed";
  const stop = scale > 0 ? point + 1 + scale : point;
  let digits = 0;
  let value = 0;
  let chunk = 0;
  let factor = 1;
  for (let at = first; at < stop; at++) {
    if (at === point) continue;
    const digit = at < end ? from[at]! - ZERO : 0;
    if (digit < 0 || digit > 9) return "malformed";
    if (digits > 0 || digit > 0) digits++;
    if (digits <= DIGITS_EXACT) {
      value = value * 10 + digit;
      continue;
    }
    if (digits > precision) continue;
    if (digits === DIGITS_EXACT + 1) setLimbs(value);
    chunk = chunk * 10 + digit;
    if ((factor *= 10) < CHUNK_FACTOR) continue;
    multiplyAdd(factor, chunk);
    chunk = 0;
    factor = 1;
  }
  let isTooFine = false;
  for (let at = point + 1 + scale; at < end; at++) {
    const digit = from[at]! - ZERO;
    if (digit < 0 || digit > 9) return "malformed";
    if (digit > 0) isTooFine = true;
  }
  if (isTooFine) return "too fine";
  if (digits > precision) return "too large";
  if (digits <= DIGITS_EXACT) setLimbs(isNegative ? -value : value);
  else {
    if (factor > 1) multiplyAdd(factor, chunk);
    if (isNegative) negate();
  }
  return "exact";
}

/** Whether a signed integer of 1, 2, 4, 8 or 16 bytes holds the number that was read last. */
export function fitsSigned(bytes: number): boolean {
  const top = bytes > 4 ? bytes / 4 - 1 : 0;
  const sign = (limbs[top]! | 0) >> (bytes < 4 ? 8 * bytes - 1 : 31);
  if (sign !== 0 && sign !== -1) return false;
  for (let i = top + 1; i < 4; i++) if ((limbs[i]! | 0) !== sign) return false;
  return true;
}

/** Whether an unsigned integer of 8 bytes holds the number that was read last. */
export const fitsUnsigned64 = (): boolean => limbs[2] === 0 && limbs[3] === 0;

/** Sets the limbs to a whole number that a double holds exactly. */
function setLimbs(value: number): void {
  limbs[0] = value;
  limbs[1] = Math.floor(value / LIMB);
  limbs[2] = limbs[3] = value < 0 ? LIMB - 1 : 0;
}

/** limbs = limbs × factor + addend. */
function multiplyAdd(factor: number, addend: number): void {
  let carry = addend;
  for (let i = 0; i < 4; i++) {
    const product = limbs[i]! * factor + carry;
    limbs[i] = product;
    carry = Math.floor(product / LIMB);
  }
}

function negate(): void {
  let carry = 1;
  for (let i = 0; i < 4; i++) {
    const sum = (~limbs[i]! >>> 0) + carry;
    limbs[i] = sum;
    carry = sum >= LIMB ? 1 : 0;
  }
}
