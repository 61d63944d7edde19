// Numbers as text, as DuckDB keeps them. Their readers throw an InvalidValue.

import type { VectorColumn } from "../vector-column.ts";
import { invalidValue } from "./invalid-value.ts";
import { putNumber, putWide } from "./put-number.ts";

const MINUS = 0x2d,
  POINT = 0x2e,
  ZERO = 0x30,
  NINE = 0x39;
/** Digits of which every number is exact in a double. */
const DIGITS_EXACT = 15;

/** How the two words begin. */
const WORD_NAN = 0x4e;
const WORD_INFINITY = 0x49;
const NOT_FINITE = "NaN or an infinity";
const TOO_FINE = "a number of more digits behind its point than it was declared with";
const TOO_LARGE = "a number of more digits than it was declared with";

export function putInteger(
  to: VectorColumn,
  width: number,
  row: number,
  bytes: Buffer,
  at: number,
  length: number,
): void {
  const isNegative = bytes[at] === MINUS;
  const from = isNegative ? at + 1 : at;
  const end = at + length;
  if (from >= end || length > CHARACTERS_MAX) invalidValue();
  // The lowest is one further from nought than the highest.
  const bound = SPANS[width]! / 2 + (isNegative ? 1 : 0);
  if (length > DIGITS_EXACT) {
    const value = readWide(bytes, from, end, end);
    if (value >= (width === 8 ? (isNegative ? SPAN_63 + 1n : SPAN_63) : BigInt(bound))) invalidValue();
    return putWide(to, width, row, isNegative ? -value : value);
  }
  const value = readDigits(bytes, from, end, end);
  if (value >= bound) invalidValue();
  putNumber(to, width, row, isNegative ? -value : value);
}

/** How many values a cell of so many bytes has. */
const SPANS = Array.from({ length: 9 }, (_, width) => 2 ** (8 * width));
export const SPAN_63 = 1n << 63n;

/** Every digit of the scale is there: without its point the text is the number that is kept. */
export function putDecimal(
  to: VectorColumn,
  width: number,
  precision: number,
  scale: number,
  row: number,
  bytes: Buffer,
  at: number,
  length: number,
): void {
  const isNegative = bytes[at] === MINUS;
  const from = isNegative ? at + 1 : at;
  const end = at + length;
  const point = scale > 0 ? end - scale - 1 : end;
  if (from >= end || length > CHARACTERS_MAX || point < from || (scale > 0 && bytes[point] !== POINT)) invalidValue();
  if (length > DIGITS_EXACT) {
    const value = readWide(bytes, from, end, point);
    if (value >= POWERS_WIDE[precision]!) invalidValue(TOO_LARGE);
    return putWide(to, width, row, isNegative ? -value : value);
  }
  const value = readDigits(bytes, from, end, point);
  if (value >= POWERS[precision]!) invalidValue(TOO_LARGE);
  putNumber(to, width, row, isNegative ? -value : value);
}

/** The same of any number of digits behind the point, as long as those beyond the scale are zeros. */
export function putScaled(
  to: VectorColumn,
  { width, precision, scale }: { width: number; precision: number; scale: number },
  row: number,
  bytes: Buffer,
  at: number,
  end: number,
): void {
  const from = bytes[at] === MINUS ? at + 1 : at;
  if (bytes[from] === WORD_NAN || bytes[from] === WORD_INFINITY) invalidValue(NOT_FINITE);
  let point = end - 1;
  while (point >= at && bytes[point] !== POINT) point--;
  const hasPoint = point >= at;
  if (hasPoint === scale > 0 && (!hasPoint || end - point - 1 === scale))
    return putDecimal(to, width, precision, scale, row, bytes, at, end - at);
  const whole = hasPoint ? point : end;
  if (end - at > CHARACTERS_MAX || end - from - (hasPoint ? 1 : 0) < 1) invalidValue();
  let used = bytes.copy(rescaled, 0, at, whole);
  if (scale > 0) rescaled[used++] = POINT;
  for (let i = whole + 1; i <= whole + scale; i++) rescaled[used++] = i < end ? bytes[i]! : ZERO;
  for (let i = whole + 1 + scale; i < end; i++) if (bytes[i] !== ZERO) invalidValue(TOO_FINE);
  putDecimal(to, width, precision, scale, row, rescaled, 0, used);
}

const POWERS = Array.from({ length: 39 }, (_, digits) => 10 ** digits);
const POWERS_WIDE = Array.from({ length: 39 }, (_, digits) => 10n ** BigInt(digits));
/** Of a number with its sign and point, filled up with zeros. */
const CHARACTERS_MAX = 260;
/** A number is written anew in it with as many digits as its scale has. */
const rescaled = Buffer.alloc(2 * CHARACTERS_MAX);

/** Digits, no more than are exact, but for the byte at `point`. */
function readDigits(bytes: Buffer, from: number, end: number, point: number): number {
  let value = 0;
  for (let i = from; i < end; i++) {
    if (i === point) continue;
    const digit = bytes[i]! - ZERO;
    if (digit < 0 || digit > 9) invalidValue();
    value = value * 10 + digit;
  }
  return value;
}

/** Any number of digits, as many at a time as are exact. */
function readWide(bytes: Buffer, from: number, end: number, point: number): bigint {
  let value = 0n;
  for (let at = from; at < end; at += DIGITS_EXACT) {
    const until = Math.min(end, at + DIGITS_EXACT);
    const digits = until - at - (point >= at && point < until ? 1 : 0);
    const part = BigInt(readDigits(bytes, at, until, point));
    value = at === from ? part : value * POWERS_WIDE[digits]! + part;
  }
  return value;
}

const single = new Float32Array(1);
const singleBits = new Int32Array(single.buffer);
const double = new Float64Array(1);
const doubleBits = new Int32Array(double.buffer);

/** A finite one. */
export function putFloat(
  to: VectorColumn,
  width: number,
  row: number,
  bytes: Buffer,
  at: number,
  length: number,
): void {
  const value = length > 0 && length <= FLOAT_CHARACTERS ? readFloat(bytes, at, length) : invalidValue();
  if (!Number.isFinite(value) || (width === 4 && !Number.isFinite(Math.fround(value)))) invalidValue();
  putDouble(to, width, row, value);
}

/** Any, in a cell of four bytes or of eight. */
export function putDouble(to: VectorColumn, width: number, row: number, value: number): void {
  if (width === 4) {
    single[0] = value;
    to.i32[row] = singleBits[0]!;
  } else {
    double[0] = value;
    to.i32[row * 2] = doubleBits[0]!;
    to.i32[row * 2 + 1] = doubleBits[1]!;
  }
}

/** A double has some 310 digits where it is printed without an exponent, and few behind the point. */
const FLOAT_CHARACTERS = 400;

/** Up to fifteen digits with a point in between: a quotient of two exact doubles is the double nearest to the text. */
function readFloat(bytes: Buffer, at: number, length: number): number {
  if (length > DIGITS_EXACT) return readPrinted(bytes, at, length);
  const isNegative = bytes[at] === MINUS;
  const end = at + length;
  const from = isNegative ? at + 1 : at;
  let value = 0;
  let point = -1;
  for (let i = from; i < end; i++) {
    const byte = bytes[i]!;
    if (byte >= ZERO && byte <= NINE) value = value * 10 + byte - ZERO;
    else if (byte === POINT && point < 0) point = i;
    else return readPrinted(bytes, at, length);
  }
  if (end - from - (point >= 0 ? 1 : 0) < 1) invalidValue();
  if (point >= 0) value /= 10 ** (end - point - 1);
  return isNegative ? -value : value;
}

/** NaN where it is no number. `Number` takes more than is printed: blanks around, a plus, words, `0x10`. */
function readPrinted(bytes: Buffer, at: number, length: number): number {
  const first = bytes[at]!;
  const last = bytes[at + length - 1]!;
  const isOutlined = (first === MINUS || first === POINT || isDigit(first)) && (last === POINT || isDigit(last));
  const isDecimal = first !== ZERO || length === 1 || (bytes[at + 1]! | 0x20) === 0x65 || bytes[at + 1]! <= NINE;
  return isOutlined && isDecimal ? Number(bytes.toString("latin1", at, at + length)) : Number.NaN;
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;
