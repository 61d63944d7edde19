// Dates and times as SQL Server sends them, written as ISO 8601.

import { writeDate, writeTime } from "../../../core/civil-time.ts";
import { protocolViolation } from "../connection/tokens.ts";
import type { Slice } from "./put-numbers.ts";

const DATE_BYTES = 3;
/** Days from year 1 to 1900, where the older types start. */
const DAYS_TO_1900 = 693_595;
/** Days from year 1 to 1970. */
const DAYS_TO_1970 = 719_162;
/** The last day of year 9999. */
const DAY_MAX = 3_652_058;
const SECONDS_OF_DAY = 86_400;
const TICKS_PER_SECOND = 300;
const MS_DIGITS = 3;
const NANO_DIGITS = 9;

/** Days since 0001-01-01. */
export function putDate(into: Buffer, at: number, from: Buffer, start: number): number {
  return putDay(into, at, from.readUIntLE(start, DATE_BYTES));
}

/** A time of day, counted in units of its scale. */
export function putTime(into: Buffer, at: number, { from, start, end }: Slice, scale: number): number {
  const perSecond = 10 ** scale;
  const units = from.readUIntLE(start, end - start);
  const seconds = Math.floor(units / perSecond);
  return putClock(into, at, seconds, units - seconds * perSecond, scale);
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
  return putClock(into, after + 1, seconds, fraction, MS_DIGITS);
}

/** Days since 1900, then minutes. */
export function putSmallDatetime(into: Buffer, at: number, from: Buffer, start: number): number {
  const after = putDay(into, at, from.readUInt16LE(start) + DAYS_TO_1900);
  into[after] = 0x54; // T
  return putClock(into, after + 1, from.readUInt16LE(start + 2) * 60, 0, 0);
}

function putDay(into: Buffer, at: number, day: number): number {
  if (day < 0 || day > DAY_MAX) protocolViolation("a date is outside the years 1 to 9999");
  return writeDate(into, at, day - DAYS_TO_1970);
}

/** Writes a time of day whose fraction of a second is `fraction` in units of `digits` digits. */
function putClock(into: Buffer, at: number, seconds: number, fraction: number, digits: number): number {
  if (seconds >= SECONDS_OF_DAY) protocolViolation("a time is past the end of its day");
  return writeTime(into, at, seconds, fraction * 10 ** (NANO_DIGITS - digits));
}
