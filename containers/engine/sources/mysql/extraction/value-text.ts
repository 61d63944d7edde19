// Single values as MySQL prints them, as DuckDB keeps them.

import { protocolViolation } from "../connection/packets.ts";
import { putNumber, putWide } from "../../../extract/put-number.ts";
import type { VectorColumn } from "../../../extract/vector-column.ts";

const MINUS = 0x2d,
  POINT = 0x2e,
  ZERO = 0x30,
  NINE = 0x39,
  COLON = 0x3a;
/** Digits of which every number is exact in a double. */
const DIGITS_EXACT = 15;

/** Throws a Failure. */
const invalidValue = (): never => protocolViolation("a value has not the form of its type");

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

/** The server prints every digit of the scale: without its point the text is the number that is kept. */
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
    if (value >= POWERS_WIDE[precision]!) invalidValue();
    return putWide(to, width, row, isNegative ? -value : value);
  }
  const value = readDigits(bytes, from, end, point);
  if (value >= POWERS[precision]!) invalidValue();
  putNumber(to, width, row, isNegative ? -value : value);
}

const POWERS = Array.from({ length: 39 }, (_, digits) => 10 ** digits);
const POWERS_WIDE = Array.from({ length: 39 }, (_, digits) => 10n ** BigInt(digits));
/** Of a number with its sign and point, filled up with zeros. */
const CHARACTERS_MAX = 260;

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

export function putFloat(
  to: VectorColumn,
  width: number,
  row: number,
  bytes: Buffer,
  at: number,
  length: number,
): void {
  const value = length > 0 && length <= FLOAT_CHARACTERS ? readFloat(bytes, at, length) : invalidValue();
  // No server keeps what is not finite.
  if (!Number.isFinite(value)) invalidValue();
  if (width === 4) {
    single[0] = value;
    if (!Number.isFinite(single[0])) invalidValue();
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
  if (length > DIGITS_EXACT) return Number(bytes.toString("latin1", at, at + length));
  const isNegative = bytes[at] === MINUS;
  const end = at + length;
  let value = 0;
  let point = -1;
  for (let i = isNegative ? at + 1 : at; i < end; i++) {
    const byte = bytes[i]!;
    if (byte >= ZERO && byte <= NINE) value = value * 10 + byte - ZERO;
    else if (byte === POINT && point < 0) point = i;
    else return Number(bytes.toString("latin1", at, end));
  }
  if (point >= 0) value /= 10 ** (end - point - 1);
  return isNegative ? -value : value;
}

function number2(bytes: Buffer, at: number): number {
  const tens = bytes[at]! - ZERO;
  const ones = bytes[at + 1]! - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : invalidValue();
}

/**
 * Days from 1970 to `2026-01-31`; NaN where that is no day: `0000-00-00`, `2026-00-00`, `2026-02-31`. `end` is of the
 * value.
 */
export function readDays(bytes: Buffer, at: number, end: number): number {
  if (end - at < 10 || bytes[at + 4] !== MINUS || bytes[at + 7] !== MINUS) invalidValue();
  const year = number2(bytes, at) * 100 + number2(bytes, at + 2);
  const month = number2(bytes, at + 5);
  const day = number2(bytes, at + 8);
  if (month === 0 || month > 12 || day === 0 || day > daysOf(month, year)) return Number.NaN;
  // Years begin in March, so that a leap day is the last of one.
  const shifted = month > 2 ? year : year - 1;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return (
    era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
  );
}

function daysOf(month: number, year: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** `10:00:00.5` within a day. */
export function readMicroseconds(bytes: Buffer, at: number, end: number): number {
  const length = end - at;
  if (
    length < 8 ||
    length === 9 ||
    length > 15 ||
    bytes[at + 2] !== COLON ||
    bytes[at + 5] !== COLON ||
    (length > 8 && bytes[at + 8] !== POINT)
  )
    invalidValue();
  const seconds = number2(bytes, at) * 3_600 + number2(bytes, at + 3) * 60 + number2(bytes, at + 6);
  let fraction = 0;
  let unit = 100_000;
  for (let i = at + 9; i < end; i++, unit /= 10) {
    const digit = bytes[i]! - ZERO;
    if (digit < 0 || digit > 9) invalidValue();
    fraction += digit * unit;
  }
  if (seconds >= 86_400) invalidValue();
  return seconds * 1_000_000 + fraction;
}

/** `123e4567-e89b-12d3-a456-426655440000`, as a number whose order is the uuids'. */
export function putUuid(to: VectorColumn, row: number, bytes: Buffer, at: number, length: number): void {
  if (length !== 36) invalidValue();
  let entry = row * 16 + 15;
  for (let i = at; i < at + 36; i += 2) {
    const offset = i - at;
    if (offset === 8 || offset === 13 || offset === 18 || offset === 23) {
      if (bytes[i] !== MINUS) invalidValue();
      i++;
    }
    to.u8[entry--] = (digitOf(bytes[i]!) << 4) | digitOf(bytes[i + 1]!);
  }
  to.u8[row * 16 + 15]! ^= 0x80;
}

function digitOf(byte: number): number {
  if (byte >= ZERO && byte <= NINE) return byte - ZERO;
  const letter = (byte | 0x20) - 0x61;
  return letter >= 0 && letter < 6 ? letter + 10 : invalidValue();
}
