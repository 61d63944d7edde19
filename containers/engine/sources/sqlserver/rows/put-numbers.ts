// Numbers as SQL Server sends them, written as digits.

import { protocolViolation } from "../connection/tokens.ts";

/** Bytes of a value. */
export type Slice = { from: Buffer; start: number; end: number };

const write = (into: Buffer, at: number, text: string): number => at + into.write(text, at, "latin1");

/** The higher half of 2 ** 53. */
const SAFE_HIGH = 0x20_0000;

/** One byte has no sign. */
export function putInteger(into: Buffer, at: number, from: Buffer, start: number, end: number): number {
  switch (end - start) {
    case 1:
      return putSmall(into, at, from[start]!);
    case 2:
      return putSmall(into, at, from.readInt16LE(start));
    case 4:
      return putSmall(into, at, from.readInt32LE(start));
    default: {
      const high = from.readInt32LE(start + 4);
      const low = from.readUInt32LE(start);
      const isSafe = high >= -SAFE_HIGH && high < SAFE_HIGH;
      return isSafe
        ? putSmall(into, at, high * 0x1_0000_0000 + low)
        : write(into, at, from.readBigInt64LE(start).toString());
    }
  }
}

function putSmall(into: Buffer, at: number, value: number): number {
  let rest = value;
  if (rest < 0) {
    into[at++] = 0x2d; // -
    rest = -rest;
  }
  let digits = 1;
  for (let bound = 10; bound <= rest; bound *= 10) digits++;
  for (let i = at + digits - 1; i >= at; i--) {
    const next = Math.floor(rest / 10);
    into[i] = 0x30 + (rest - next * 10);
    rest = next;
  }
  return at + digits;
}

/** Writes like {@link putScaled}, for a number below 2 ** 53 without its sign. */
function putSmallScaled(into: Buffer, at: number, units: number, scale: number): number {
  if (scale === 0) return putSmall(into, at, units);
  let digits = scale + 1;
  for (let bound = 10 ** digits; bound <= units; bound *= 10) digits++;
  const end = at + digits + 1;
  const point = end - 1 - scale;
  let rest = units;
  for (let i = end - 1; i >= at; i--) {
    if (i === point) {
      into[i] = 0x2e; // .
      continue;
    }
    const next = Math.floor(rest / 10);
    into[i] = 0x30 + (rest - next * 10);
    rest = next;
  }
  return end;
}

const SMALL_DIGITS_MAX = 15;

/** A whole number of units of which `scale` digits stand behind the point. */
export function putScaled(into: Buffer, at: number, units: bigint, scale: number): number {
  const isNegative = units < 0n;
  const digits = (isNegative ? -units : units).toString().padStart(scale + 1, "0");
  const point = digits.length - scale;
  const text = scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return write(into, at, isNegative ? `-${text}` : text);
}

const DIGITS_MAX = 10n ** 38n;

/** A sign, then the digits as a whole number of 4, 8, 12 or 16 bytes, lowest first. */
export function putDecimal(into: Buffer, at: number, { from, start, end }: Slice, scale: number): number {
  const sign = from[start]!;
  if (sign > 1) protocolViolation("a number has a sign that there is not");
  const high = end - start > 5 ? from.readUInt32LE(start + 5) : 0;
  if (end - start <= 9 && high < SAFE_HIGH && scale < SMALL_DIGITS_MAX) {
    if (sign === 0) into[at++] = 0x2d; // -
    return putSmallScaled(into, at, high * 0x1_0000_0000 + from.readUInt32LE(start + 1), scale);
  }
  let units = 0n;
  for (let i = end - 4; i > start; i -= 4) units = (units << 32n) | BigInt(from.readUInt32LE(i));
  if (units >= DIGITS_MAX) protocolViolation("a number's digits are more than 38");
  return putScaled(into, at, sign === 1 ? units : -units, scale);
}

export function putDouble(into: Buffer, at: number, from: Buffer, start: number): number {
  return putFloat(into, at, from.readDoubleLE(start), String);
}

export function putReal(into: Buffer, at: number, from: Buffer, start: number): number {
  return putFloat(into, at, from.readFloatLE(start), shortestReal);
}

function putFloat(into: Buffer, at: number, value: number, print: (value: number) => string): number {
  return write(into, at, Object.is(value, -0) ? "-0" : Number.isFinite(value) ? print(value) : String(value));
}

/** Smaller numbers of 32 bits have fewer digits than six. */
const REAL_NORMAL_MIN = 2 ** -126;

/** The fewest digits that read back as the same 32 bits. */
function shortestReal(value: number): string {
  for (let digits = Math.abs(value) < REAL_NORMAL_MIN ? 1 : 6; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(Number(value.toPrecision(9)));
}
