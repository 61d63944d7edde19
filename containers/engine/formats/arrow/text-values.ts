// Canonical text as the numbers Arrow stores. Each parser refuses a text it can't hold exactly.

import { daysOfDate } from "../../../../kernel/time/civil-date.ts";
import { FINER_THAN_MICROSECONDS, readDigits, readTimeOfDay } from "../../core/civil-time.ts";
import { type Decimal, fitsSigned, fitsUnsigned64, limbs, readDecimal } from "../../core/decimal-text.ts";

const MINUS = 0x2d;

/** Integers of so many 32-bit words, which hold a decimal's digits without its point. */
export type Scaled = Decimal & { words: 2 | 4; signed: boolean };

/** Writes a decimal as a two's complement integer. False when it is malformed or does not fit. */
export function putScaled(
  into: Uint32Array,
  row: number,
  type: Scaled,
  from: Uint8Array,
  start: number,
  end: number,
): boolean {
  const { words, signed } = type;
  if (readDecimal(from, start, end, type) !== "exact") return false;
  if (!(signed ? fitsSigned(words * 4) : fitsUnsigned64())) return false;
  for (let i = 0; i < words; i++) into[row * words + i] = limbs[i]!;
  return true;
}

/** A double; NaN also for a text that is no number, which `isNumberText` can tell apart. */
export const readDouble = (from: Buffer, start: number, end: number): number =>
  Number(from.toString("latin1", start, end));
export const isNumberText = (from: Buffer, start: number, end: number): boolean =>
  end > start && (!Number.isNaN(readDouble(from, start, end)) || from.toString("latin1", start, end) === "NaN");

/** `2026-01-31` as days since 1970; NaN for no such day, a day before the year 1, or `infinity`. */
export function readDays(from: Uint8Array, start: number, end: number): number {
  const yearEnd = end - 6;
  if (yearEnd - start < 4 || yearEnd - start > 6 || from[yearEnd] !== MINUS || from[yearEnd + 3] !== MINUS) return NaN;
  const year = readDigits(from, start, yearEnd);
  const month = readDigits(from, yearEnd + 1, yearEnd + 3);
  const day = readDigits(from, yearEnd + 4, end);
  return daysOfDate(year, month, day);
}

/** `10:00:00.5` as microseconds since midnight, or NaN: past 24 hours, finer than a microsecond. */
export function readTime(from: Uint8Array, start: number, end: number): number {
  const micros = readTimeOfDay(from, start, end);
  return micros === FINER_THAN_MICROSECONDS ? NaN : micros;
}

const LETTER_T = 0x54;
const LETTER_Z = 0x5a;

/**
 * Writes `2026-01-31T10:00:00.5` (`…Z` where `zoned`) as microseconds since 1970. False when it is none or out of
 * range.
 */
export function putTimestamp(
  into: BigInt64Array,
  row: number,
  zoned: boolean,
  from: Uint8Array,
  start: number,
  end: number,
): boolean {
  if (zoned && from[end - 1] !== LETTER_Z) return false;
  const timeEnd = zoned ? end - 1 : end;
  let t = start + 10;
  while (t < timeEnd && t < start + 13 && from[t] !== LETTER_T) t++;
  if (from[t] !== LETTER_T) return false;
  const days = readDays(from, start, t);
  const micros = readTime(from, t + 1, timeEnd);
  if (Number.isNaN(days) || Number.isNaN(micros) || days > 106_751_990) return false;
  into[row] = BigInt(days * 86_400) * 1_000_000n + BigInt(micros);
  return true;
}
