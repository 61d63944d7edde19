// Single values as MySQL prints them, as DuckDB keeps them.

import { putNumber, putWide } from "./postgres-numeric.ts";
import type { VectorColumn } from "./vector-column.ts";

const MINUS = 0x2d, POINT = 0x2e, ZERO = 0x30, NINE = 0x39;
/** Digits of which every number is exact in a double. */
const DIGITS_EXACT = 15;

export function putInteger(to: VectorColumn, width: number, row: number, bytes: Buffer, at: number, length: number): void {
  const isNegative = bytes[at] === MINUS;
  if (length > DIGITS_EXACT) return putWide(to, width, row, BigInt(bytes.toString("latin1", at, at + length)));
  let value = 0;
  for (let i = isNegative ? at + 1 : at, end = at + length; i < end; i++) value = value * 10 + bytes[i]! - ZERO;
  putNumber(to, width, row, isNegative ? -value : value);
}

/** The server prints every digit of the scale: without its point the text is the number that is kept. */
export function putDecimal(to: VectorColumn, width: number, row: number, bytes: Buffer, at: number, length: number): void {
  if (length > DIGITS_EXACT) return putWide(to, width, row, BigInt(bytes.toString("latin1", at, at + length).replace(".", "")));
  const isNegative = bytes[at] === MINUS;
  let value = 0;
  for (let i = isNegative ? at + 1 : at, end = at + length; i < end; i++) {
    const byte = bytes[i]!;
    if (byte !== POINT) value = value * 10 + byte - ZERO;
  }
  putNumber(to, width, row, isNegative ? -value : value);
}

const single = new Float32Array(1);
const singleBits = new Int32Array(single.buffer);
const double = new Float64Array(1);
const doubleBits = new Int32Array(double.buffer);

export function putFloat(to: VectorColumn, width: number, row: number, bytes: Buffer, at: number, length: number): void {
  const value = readFloat(bytes, at, length);
  if (width === 4) {
    single[0] = value;
    to.i32[row] = singleBits[0]!;
  } else {
    double[0] = value;
    to.i32[row * 2] = doubleBits[0]!;
    to.i32[row * 2 + 1] = doubleBits[1]!;
  }
}

/** Up to fifteen digits with a point in between: a quotient of two exact doubles is the double nearest to the text. */
function readFloat(bytes: Buffer, at: number, length: number): number {
  if (length > DIGITS_EXACT) return Number(bytes.toString("latin1", at, at + length));
  const isNegative = bytes[at] === MINUS;
  const end = at + length;
  let value = 0;
  let point = -1;
  for (let i = isNegative ? at + 1 : at; i < end; i++) {
    const byte = bytes[i]!;
    if (byte >= ZERO && byte <= NINE) value = value * 10 + byte - ZERO;
    else if (byte === POINT) point = i;
    else return Number(bytes.toString("latin1", at, end));
  }
  if (point >= 0) value /= 10 ** (end - point - 1);
  return isNegative ? -value : value;
}

const number2 = (bytes: Buffer, at: number): number => (bytes[at]! - ZERO) * 10 + bytes[at + 1]! - ZERO;

/** Days from 1970 to `2026-01-31`; NaN where that is no day: `0000-00-00`, `2026-00-00`, `2026-02-31`. */
export function readDays(bytes: Buffer, at: number): number {
  const year = number2(bytes, at) * 100 + number2(bytes, at + 2);
  const month = number2(bytes, at + 5);
  const day = number2(bytes, at + 8);
  if (month === 0 || day === 0 || day > daysOf(month, year)) return Number.NaN;
  // Years begin in March, so that a leap day is the last of one.
  const shifted = month > 2 ? year : year - 1;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468;
}

function daysOf(month: number, year: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** `10:00:00.5` within a day. */
export function readMicroseconds(bytes: Buffer, at: number, end: number): number {
  const seconds = number2(bytes, at) * 3_600 + number2(bytes, at + 3) * 60 + number2(bytes, at + 6);
  let fraction = 0;
  let unit = 100_000;
  for (let i = at + 9; i < end; i++, unit /= 10) fraction += (bytes[i]! - ZERO) * unit;
  return seconds * 1_000_000 + fraction;
}

/** `123e4567-e89b-12d3-a456-426655440000`, as a number whose order is the uuids'. */
export function putUuid(to: VectorColumn, row: number, bytes: Buffer, at: number): void {
  let entry = row * 16 + 15;
  for (let i = at; i < at + 36; i += 2) {
    if (bytes[i] === MINUS) i++;
    to.u8[entry--] = (digit(bytes[i]!) << 4) | digit(bytes[i + 1]!);
  }
  to.u8[row * 16 + 15]! ^= 0x80;
}

const digit = (byte: number): number => (byte <= NINE ? byte - ZERO : (byte | 0x20) - 0x61 + 10);
