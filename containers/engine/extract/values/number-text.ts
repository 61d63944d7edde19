// Numbers as text, as DuckDB keeps them. Their readers throw an InvalidValue.

import { type Decimal, fitsSigned, NO_POINT, readDecimal } from "../../core/decimal-text.ts";
import type { VectorColumn } from "../vector-column.ts";
import { invalidValue } from "./invalid-value.ts";
import { putLimbs } from "./put-number.ts";

const MINUS = 0x2d,
  POINT = 0x2e,
  ZERO = 0x30,
  NINE = 0x39;
/** Digits of which every number is exact in a double. */
const DIGITS_EXACT = 15;
/** A decimal that is longer, zeros included, is refused. */
const CHARACTERS_MAX = 260;
const INTEGER: Decimal = { precision: 19, scale: NO_POINT };

/** How the two words begin. */
const WORD_NAN = 0x4e;
const WORD_INFINITY = 0x49;
const NOT_FINITE = "NaN or an infinity";
const TOO_FINE = "a number of more digits behind its point than it was declared with";
const TOO_LARGE = "a number of more digits than it was declared with";

/** A whole number of at most `width` bytes. */
export function putInteger(
  to: VectorColumn,
  width: number,
  row: number,
  bytes: Buffer,
  at: number,
  length: number,
): void {
  if (readDecimal(bytes, at, at + length, INTEGER) !== "exact" || !fitsSigned(width)) invalidValue();
  putLimbs(to, width, row);
}

/** A decimal may have any number of digits behind its point, as long as those beyond the scale are zeros. */
export function putDecimal(
  to: VectorColumn,
  type: Decimal & { width: number },
  row: number,
  bytes: Buffer,
  at: number,
  length: number,
): void {
  const first = bytes[bytes[at] === MINUS ? at + 1 : at];
  if (first === WORD_NAN || first === WORD_INFINITY) invalidValue(NOT_FINITE);
  const reading = length > CHARACTERS_MAX ? "malformed" : readDecimal(bytes, at, at + length, type);
  if (reading !== "exact")
    invalidValue(reading === "too fine" ? TOO_FINE : reading === "too large" ? TOO_LARGE : undefined);
  putLimbs(to, type.width, row);
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
