// Dates and times as text, as DuckDB keeps them: days, and microseconds.

import { daysOfDate } from "../../../../kernel/time/civil-date.ts";
import { FINER_THAN_MICROSECONDS, readTimeOfDay } from "../../core/civil-time.ts";
import type { VectorColumn } from "../vector-column.ts";
import { invalidValue } from "./invalid-value.ts";
import { putNumber } from "./put-number.ts";

const SPACE = 0x20,
  MINUS = 0x2d,
  PLUS = 0x2b,
  POINT = 0x2e,
  ZERO = 0x30,
  NINE = 0x39,
  COLON = 0x3a,
  T = 0x54,
  Z = 0x5a;
const DATE_BYTES = 10;
/** `2026-01-31T10:00:00`. */
const STAMP_BYTES = 19;
const DAY_MICROSECONDS = 86_400_000_000;
/** Days around 1970 whose microseconds are exact in a double: 285 years. */
const DAYS_EXACT = 104_000;
/** Infinities are the largest numbers and their negatives in DuckDB. */
const DAYS_INFINITE = 0x7fff_ffff;
const MICROSECONDS_INFINITE = 9_223_372_036_854_775_807n;
/** A time that is longer is none. */
const CHARACTERS_MAX = 64;
const NO_DAY = "a day that is not in the calendar";
const TOO_FINE = "a time finer than microseconds";
const TOO_FAR = "a time too far from ours";

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
  if (end - at < DATE_BYTES || bytes[at + 4] !== MINUS || bytes[at + 7] !== MINUS) invalidValue();
  const year = number2(bytes, at) * 100 + number2(bytes, at + 2);
  return daysOfDate(year, number2(bytes, at + 5), number2(bytes, at + 8));
}

/** `10:00:00.5` within a day. */
export function readMicroseconds(bytes: Buffer, at: number, end: number): number {
  const micros = readTimeOfDay(bytes, at, end);
  if (micros === FINER_THAN_MICROSECONDS) invalidValue(TOO_FINE);
  return Number.isNaN(micros) ? invalidValue() : micros;
}

/** `days` from 1970 and microseconds from there, which may lie outside of that day. */
export function putMicroseconds(to: VectorColumn, row: number, days: number, time: number): void {
  if (days <= DAYS_EXACT && days >= -DAYS_EXACT) return putNumber(to, 8, row, days * DAY_MICROSECONDS + time);
  const microseconds = BigInt(days) * BigInt(DAY_MICROSECONDS) + BigInt(time);
  if (microseconds >= MICROSECONDS_INFINITE || microseconds <= -MICROSECONDS_INFINITE) invalidValue(TOO_FAR);
  to.i64[row] = microseconds;
}

/** `2026-01-31`; `12345-01-01`, `-0043-03-15`, `0044-03-15 BC`, `0044-03-15 (BC)`, `infinity`, `-infinity`. */
export function putDate(to: VectorColumn, row: number, bytes: Buffer, at: number, end: number): void {
  if (end - at === DATE_BYTES && bytes[at + 4] === MINUS && bytes[at] !== MINUS) {
    const days = readDays(bytes, at, end);
    to.i32[row] = Number.isNaN(days) ? invalidValue(NO_DAY) : days;
    return;
  }
  const text = readRare(bytes, at, end);
  const sign = infinityOf(text);
  const found = sign === 0 ? RARE.exec(text) : null;
  if (sign === 0 && (!found || found.groups!["time"] !== undefined || found.groups!["end"] !== undefined))
    invalidValue();
  const days = found ? daysOfRare(found.groups!) : sign * DAYS_INFINITE;
  if (found && Math.abs(days) >= DAYS_INFINITE) invalidValue(TOO_FAR);
  to.i32[row] = days;
}

/** `10:00:00.5`, up to `24:00:00`. */
export function putTime(to: VectorColumn, row: number, bytes: Buffer, at: number, end: number): void {
  const isEndOfDay = bytes[at] === 0x32 && bytes[at + 1] === 0x34;
  if (isEndOfDay && !/^24:00:00(\.0+)?$/.test(readRare(bytes, at, end))) invalidValue();
  putNumber(to, 8, row, isEndOfDay ? DAY_MICROSECONDS : readMicroseconds(bytes, at, end));
}

/**
 * `2026-01-31T10:00:00.5`, with a blank too; of an instant with `Z`, `+01`, `+01:00` or `+0100` behind it. Years as
 * {@link putDate} takes them.
 */
export function putTimestamp(
  to: VectorColumn,
  row: number,
  bytes: Buffer,
  at: number,
  end: number,
  isInstant: boolean,
): void {
  const separator = bytes[at + DATE_BYTES];
  const last = bytes[end - 1]!;
  const isPlain =
    end - at >= STAMP_BYTES &&
    bytes[at] !== MINUS &&
    bytes[at + 4] === MINUS &&
    (separator === T || separator === SPACE) &&
    ((last >= ZERO && last <= NINE) || last === Z);
  if (!isPlain) return putRareTimestamp(to, row, readRare(bytes, at, end), isInstant);
  let zone = at + STAMP_BYTES;
  while (zone < end && (bytes[zone] === POINT || (bytes[zone]! >= ZERO && bytes[zone]! <= NINE))) zone++;
  // `… (BC)Z`
  if (zone < end && bytes[zone] === SPACE) return putRareTimestamp(to, row, readRare(bytes, at, end), isInstant);
  if ((zone === end) === isInstant) invalidValue();
  const days = readDays(bytes, at, end);
  if (Number.isNaN(days)) invalidValue(NO_DAY);
  const time = readMicroseconds(bytes, at + DATE_BYTES + 1, zone);
  putMicroseconds(to, row, days, zone === end ? time : time - readOffset(bytes, zone, end));
}

/** In microseconds. */
function readOffset(bytes: Buffer, at: number, end: number): number {
  if (bytes[at] === Z && end - at === 1) return 0;
  const sign = bytes[at] === PLUS ? 1 : bytes[at] === MINUS ? -1 : invalidValue();
  const length = end - at;
  const minutesAt = length === 6 && bytes[at + 3] === COLON ? at + 4 : at + 3;
  if (length !== 3 && length !== 5 && minutesAt !== at + 4) invalidValue();
  const hours = number2(bytes, at + 1);
  const minutes = length === 3 ? 0 : number2(bytes, minutesAt);
  if (hours > 23 || minutes > 59) invalidValue();
  return sign * (hours * 60 + minutes) * 60_000_000;
}

/** Years of more than four digits, or before the first. */
const RARE =
  /^(?<sign>[-+]?)(?<year>\d{4,7})-(?<month>\d\d)-(?<day>\d\d)(?:[T ](?<time>[\d:.]+)(?<zone>Z|[-+][\d:]+)?)?(?<bc> BC| \(BC\))?(?<end>Z|[-+][\d:]+)?$/;

const readRare = (bytes: Buffer, at: number, end: number): string =>
  end - at <= CHARACTERS_MAX ? bytes.toString("latin1", at, end) : invalidValue();

const infinityOf = (text: string): -1 | 0 | 1 => (text === "infinity" ? 1 : text === "-infinity" ? -1 : 0);

type RareGroups = { [group: string]: string | undefined };

function daysOfRare({ sign, year, month, day, bc }: RareGroups): number {
  if (bc !== undefined && (sign !== "" || Number(year) === 0)) invalidValue();
  const counted = bc !== undefined ? 1 - Number(year) : sign === "-" ? -Number(year) : Number(year);
  const days = daysOfDate(counted, Number(month), Number(day));
  return Number.isNaN(days) ? invalidValue(NO_DAY) : days;
}

function putRareTimestamp(to: VectorColumn, row: number, text: string, isInstant: boolean): void {
  const sign = infinityOf(text);
  if (sign !== 0) {
    to.i64[row] = BigInt(sign) * MICROSECONDS_INFINITE;
    return;
  }
  const { groups } = RARE.exec(text) ?? invalidValue();
  const { time, zone = groups!["end"], end: behind } = groups!;
  if (time === undefined || (zone !== undefined && behind !== undefined && zone !== behind)) return invalidValue();
  if ((zone === undefined) === isInstant) invalidValue();
  const clock = Buffer.from(time);
  const offset = zone === undefined ? 0 : readOffset(Buffer.from(zone), 0, zone.length);
  putMicroseconds(to, row, daysOfRare(groups!), readMicroseconds(clock, 0, clock.length) - offset);
}
