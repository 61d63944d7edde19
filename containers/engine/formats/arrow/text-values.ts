// Canonical text as the numbers Arrow stores. Each parser refuses a text it can't hold exactly.

const ZERO = 0x30;
const NINE = 0x39;
const MINUS = 0x2d;
const POINT = 0x2e;
const COLON = 0x3a;

/** A magnitude of up to 128 bits in four limbs, lowest first: scratch memory the parsers share. */
const limbs = new Uint32Array(4);

/**
 * Writes digits, with `scale` of them after the point, as a two's complement integer of `words` 32-bit words.
 * False when it is malformed, has more than `digitsMax` digits or more decimals than `scale`, or does not fit.
 */
export function putScaled(
  into: Uint32Array,
  row: number,
  words: 2 | 4,
  signed: boolean,
  digitsMax: number,
  scale: number,
  from: Uint8Array,
  start: number,
  end: number,
): boolean {
  let at = start;
  const negative = from[at] === MINUS && at < end;
  if (negative) at++;
  if (at >= end) return false;
  limbs.fill(0);
  let digits = 0;
  let decimals = -1;
  let chunk = 0;
  let factor = 1;
  for (; at < end; at++) {
    const byte = from[at]!;
    if (byte === POINT && decimals < 0) {
      decimals = 0;
      continue;
    }
    if (byte < ZERO || byte > NINE) return false;
    if (decimals >= 0 && ++decimals > scale) {
      if (byte !== ZERO) return false;
      continue;
    }
    if (digits > 0 || byte !== ZERO) digits++;
    chunk = chunk * 10 + (byte - ZERO);
    if ((factor *= 10) === CHUNK_FACTOR) {
      if (!multiplyAdd(factor, chunk)) return false;
      chunk = 0;
      factor = 1;
    }
  }
  for (let missing = scale - Math.max(0, decimals); missing > 0; missing--) {
    if (digits > 0) digits++;
    chunk *= 10;
    if ((factor *= 10) === CHUNK_FACTOR) {
      if (!multiplyAdd(factor, chunk)) return false;
      chunk = 0;
      factor = 1;
    }
  }
  if (factor > 1 && !multiplyAdd(factor, chunk)) return false;
  if (digits > digitsMax) return false;
  if (words === 2 && (limbs[2] !== 0 || limbs[3] !== 0)) return false;

  const isZero = digits === 0;
  if (negative) negate();
  const top = limbs[words - 1]!;
  if (signed ? top >>> 31 !== (negative && !isZero ? 1 : 0) : negative && !isZero) return false;
  for (let i = 0; i < words; i++) into[row * words + i] = limbs[i]!;
  return true;
}

/** Digits gathered before one multiplication: a limb times this stays within a double's exact integers. */
const CHUNK_FACTOR = 1_000_000;
const LIMB = 4_294_967_296;

/** limbs = limbs × factor + addend; false when that is wider than the limbs. */
function multiplyAdd(factor: number, addend: number): boolean {
  let carry = addend;
  for (let i = 0; i < 4; i++) {
    const product = limbs[i]! * factor + carry;
    limbs[i] = product;
    carry = Math.floor(product / LIMB);
  }
  return carry === 0;
}

function negate(): void {
  let carry = 1;
  for (let i = 0; i < 4; i++) {
    const sum = (~limbs[i]! >>> 0) + carry;
    limbs[i] = sum;
    carry = sum >= LIMB ? 1 : 0;
  }
}

/** A double; NaN also for text that is none, hence the second question `isNumberText`. */
export const readDouble = (from: Buffer, start: number, end: number): number =>
  Number(from.toString("latin1", start, end));
export const isNumberText = (from: Buffer, start: number, end: number): boolean =>
  end > start && (!Number.isNaN(readDouble(from, start, end)) || from.toString("latin1", start, end) === "NaN");

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** `2026-01-31` as days since 1970, or NaN: no such day, before the year 0, `infinity`. */
export function readDays(from: Uint8Array, start: number, end: number): number {
  const yearEnd = end - 6;
  if (yearEnd - start < 4 || yearEnd - start > 6 || from[yearEnd] !== MINUS || from[yearEnd + 3] !== MINUS) return NaN;
  const year = readDigits(from, start, yearEnd);
  const month = readDigits(from, yearEnd + 1, yearEnd + 3);
  const day = readDigits(from, yearEnd + 4, end);
  const days = month === 2 && isLeap(year) ? 29 : MONTH_DAYS[month - 1];
  if (Number.isNaN(year) || days === undefined || !(day >= 1 && day <= days)) return NaN;
  // Count years from March, so that the leap day is a year's last; 400 such years have 146,097 days.
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return (
    era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
  );
}

/** `10:00:00.5` as microseconds since midnight, or NaN: past 24 hours, finer than a microsecond. */
export function readTime(from: Uint8Array, start: number, end: number): number {
  if (end - start < 8 || from[start + 2] !== COLON || from[start + 5] !== COLON) return NaN;
  const hours = readDigits(from, start, start + 2);
  const minutes = readDigits(from, start + 3, start + 5);
  const seconds = readDigits(from, start + 6, start + 8);
  if (!(hours < 24 && minutes < 60 && seconds < 60)) return NaN;
  const whole = ((hours * 60 + minutes) * 60 + seconds) * 1e6;
  if (end === start + 8) return whole;
  if (from[start + 8] !== POINT || end === start + 9) return NaN;
  let micros = 0;
  let unit = 100_000;
  for (let at = start + 9; at < end; at++, unit = Math.floor(unit / 10)) {
    const digit = from[at]! - ZERO;
    if (digit < 0 || digit > 9 || (unit === 0 && digit > 0)) return NaN;
    micros += digit * unit;
  }
  return whole + micros;
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

function readDigits(from: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = from[at]! - ZERO;
    if (digit < 0 || digit > 9) return NaN;
    value = value * 10 + digit;
  }
  return value;
}
