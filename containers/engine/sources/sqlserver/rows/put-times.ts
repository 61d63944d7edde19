// Dates and times as SQL Server sends them, written as ISO 8601.

import { protocolViolation } from "../connection/tokens.ts";
import type { Slice } from "./put-numbers.ts";

const DATE_BYTES = 3;
/** Days from year 1 to 1900, where the older types start. */
const DAYS_TO_1900 = 693_595;
/** Days from 0000-03-01, where a cycle of 400 years starts with its leap day at the end, to year 1. */
const DAYS_TO_YEAR_1 = 306;
/** Of the last day of year 9999. */
const DAY_MAX = 3_652_058;
const DAYS_OF_400_YEARS = 146_097;
const SECONDS_OF_DAY = 86_400;
const TICKS_PER_SECOND = 300;
const MS_DIGITS = 3;

/** Days since 0001-01-01. */
export function putDate(into: Buffer, at: number, from: Buffer, start: number): number {
  return putDay(into, at, from.readUIntLE(start, DATE_BYTES));
}

/** A time of day, counted in units of its scale. */
export function putTime(into: Buffer, at: number, { from, start, end }: Slice, scale: number): number {
  const perSecond = 10 ** scale;
  const units = from.readUIntLE(start, end - start);
  const seconds = Math.floor(units / perSecond);
  return putClock(into, at, seconds, { fraction: units - seconds * perSecond, digits: scale });
}

export function putDatetime2(into: Buffer, at: number, { from, start, end }: Slice, scale: number): number {
  const dateAt = end - DATE_BYTES;
  const after = putDate(into, at, from, dateAt);
  into[after] = 0x54; // T
  return putTime(into, after + 1, { from, start, end: dateAt }, scale);
}

/** Days since 1900, then three hundredths of a second: the server prints them rounded to milliseconds. */
export function putDatetime(into: Buffer, at: number, from: Buffer, start: number): number {
  const after = putDay(into, at, from.readInt32LE(start) + DAYS_TO_1900);
  into[after] = 0x54; // T
  const ticks = from.readUInt32LE(start + 4);
  const seconds = Math.floor(ticks / TICKS_PER_SECOND);
  const fraction = Math.floor(((ticks - seconds * TICKS_PER_SECOND) * 10 + 1) / 3);
  return putClock(into, after + 1, seconds, { fraction, digits: MS_DIGITS });
}

/** Days since 1900, then minutes. */
export function putSmallDatetime(into: Buffer, at: number, from: Buffer, start: number): number {
  const after = putDay(into, at, from.readUInt16LE(start) + DAYS_TO_1900);
  into[after] = 0x54; // T
  return putClock(into, after + 1, from.readUInt16LE(start + 2) * 60, { fraction: 0, digits: 0 });
}

/** Howard Hinnant's `civil_from_days`, of days since 0001-01-01. */
function putDay(into: Buffer, at: number, day: number): number {
  if (day < 0 || day > DAY_MAX) protocolViolation("a date is outside the years 1 to 9999");
  const days = day + DAYS_TO_YEAR_1;
  const cycle = divide(days, DAYS_OF_400_YEARS);
  const ofCycle = days - cycle * DAYS_OF_400_YEARS;
  const yearOfCycle = divide(ofCycle - divide(ofCycle, 1460) + divide(ofCycle, 36_524) - divide(ofCycle, 146_096), 365);
  const ofYear = ofCycle - (365 * yearOfCycle + divide(yearOfCycle, 4) - divide(yearOfCycle, 100));
  const monthFromMarch = divide(5 * ofYear + 2, 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0);
  at = putDigits(into, at, year, 4);
  into[at] = 0x2d; // -
  at = putDigits(into, at + 1, month, 2);
  into[at] = 0x2d;
  return putDigits(into, at + 1, ofYear - divide(153 * monthFromMarch + 2, 5) + 1, 2);
}

/** Of whole numbers from 0 to 2 ** 31: what V8 reckons without floats. */
const divide = (number: number, by: number): number => (number / by) | 0;

/** A fraction loses the zeros its type's scale put at its end. */
function putClock(
  into: Buffer,
  at: number,
  seconds: number,
  { fraction, digits }: { fraction: number; digits: number },
): number {
  if (seconds >= SECONDS_OF_DAY) protocolViolation("a time is past the end of its day");
  const minutes = divide(seconds, 60);
  at = putDigits(into, at, divide(minutes, 60), 2);
  into[at] = 0x3a; // :
  at = putDigits(into, at + 1, minutes % 60, 2);
  into[at] = 0x3a;
  at = putDigits(into, at + 1, seconds % 60, 2);
  if (fraction === 0) return at;
  into[at] = 0x2e; // .
  at = putDigits(into, at + 1, fraction, digits);
  while (into[at - 1] === 0x30) at--;
  return at;
}

function putDigits(into: Buffer, at: number, value: number, digits: number): number {
  let rest = value;
  for (let i = at + digits - 1; i >= at; i--) {
    const next = divide(rest, 10);
    into[i] = 0x30 + (rest - next * 10);
    rest = next;
  }
  return at + digits;
}
