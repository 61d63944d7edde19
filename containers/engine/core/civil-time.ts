// Dates and times of day as ISO 8601 writes them, from bytes and into bytes.

import { dateOfDays } from "../../../kernel/time/civil-date.ts";

const MINUS = 0x2d,
  POINT = 0x2e,
  ZERO = 0x30,
  COLON = 0x3a;

const TIME_CHARACTERS_MAX = 64;
/** {@link readTimeOfDay} answers this for a time that is finer than microseconds. */
export const FINER_THAN_MICROSECONDS = -1;

/**
 * Reads `10:00:00.5` as microseconds since midnight. NaN for a malformed text and for 24 hours and more, and
 * {@link FINER_THAN_MICROSECONDS} where digits other than zeros stand behind the sixth.
 */
export function readTimeOfDay(from: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length < 8 || length === 9 || length > TIME_CHARACTERS_MAX) return Number.NaN;
  if (from[start + 2] !== COLON || from[start + 5] !== COLON || (length > 8 && from[start + 8] !== POINT))
    return Number.NaN;
  const hours = readDigits(from, start, start + 2);
  const minutes = readDigits(from, start + 3, start + 5);
  const seconds = readDigits(from, start + 6, start + 8);
  if (!(hours < 24 && minutes < 60 && seconds < 60)) return Number.NaN;
  let micros = 0;
  let unit = 100_000;
  let isTooFine = false;
  for (let at = start + 9; at < end; at++) {
    const digit = from[at]! - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    if (unit >= 1) micros += digit * unit;
    else if (digit > 0) isTooFine = true;
    unit /= 10;
  }
  return isTooFine ? FINER_THAN_MICROSECONDS : ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + micros;
}

/** The whole number that the digits from `start` to `end` write; NaN where another character stands among them. */
export function readDigits(from: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = from[at]! - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** Writes the date `days` after 1970-01-01 and returns where it ends. A year has at least four digits. */
export function writeDate(into: Buffer, at: number, days: number): number {
  const { year, month, day } = dateOfDays(days);
  let end = writeYear(into, at, year);
  into[end++] = MINUS;
  end = writeTwo(into, end, month);
  into[end++] = MINUS;
  return writeTwo(into, end, day);
}

function writeYear(into: Buffer, at: number, year: number): number {
  if (year >= 0 && year <= 9_999) return writeTwo(into, writeTwo(into, at, (year / 100) | 0), year % 100);
  return at + into.write(`${year < 0 ? "-" : ""}${String(Math.abs(year)).padStart(4, "0")}`, at, "latin1");
}

/** Writes the time of day, with its fraction as far as that goes, and returns where it ends. */
export function writeTime(into: Buffer, at: number, seconds: number, nanos: number): number {
  let end = writeTwo(into, at, (seconds / 3_600) | 0);
  into[end++] = COLON;
  end = writeTwo(into, end, ((seconds / 60) | 0) % 60);
  into[end++] = COLON;
  end = writeTwo(into, end, seconds % 60);
  if (nanos === 0) return end;
  into[end++] = POINT;
  for (let left = nanos, unit = 100_000_000; left > 0; left %= unit, unit /= 10)
    into[end++] = ZERO + ((left / unit) | 0);
  return end;
}

function writeTwo(into: Buffer, at: number, value: number): number {
  const tens = (value / 10) | 0;
  into[at] = ZERO + tens;
  into[at + 1] = ZERO + value - tens * 10;
  return at + 2;
}
