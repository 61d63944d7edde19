// A cell's text as Snowflake sends it, written as canonical text. A text that has not the form of its type ends the
// result.

import { writeDate, writeTime } from "../../../core/civil-time.ts";
import { isJson } from "../../json-syntax.ts";
import { protocolViolation } from "../connection/errors.ts";
import type { Conversion } from "./column-types.ts";

import { strictJson } from "./strict-json.ts";

/**
 * Writes a converted cell at `at` and returns where it ends. At most {@link GROWTH_MAX} times the cell's bytes and
 * {@link GROWTH_BYTES} more.
 */
export type Convert = (into: Buffer, at: number, cell: Cell) => number;
/** `from[start .. end)`. */
export type Cell = { from: Buffer; start: number; end: number };
export const GROWTH_MAX = 1;
export const GROWTH_BYTES = 48;

const MINUS = 0x2d,
  POINT = 0x2e,
  SPACE = 0x20,
  ZERO = 0x30;

export const CONVERSIONS: Record<Exclude<Conversion, "json">, Convert> = {
  none: copy,
  number: copyNumber,
  boolean: putBoolean,
  float: putFloat,
  base64: putBase64,
  date: putDate,
  time: putTime,
  timestamp: putTimestamp,
  instant: putInstant,
  zoned: putZoned,
};

const violation = (what: string): never => protocolViolation(`${what} is of another form than it can be`);

export function copy(into: Buffer, at: number, { from, start, end }: Cell): number {
  if (end - start > 48) {
    into.set(from.subarray(start, end), at);
    return at + end - start;
  }
  for (let i = start; i < end; i++) into[at++] = from[i]!;
  return at;
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= 0x39;

function copyNumber(into: Buffer, at: number, { from, start, end }: Cell): number {
  let digits = 0;
  let points = 0;
  for (let i = start; i < end; i++) {
    const byte = from[i]!;
    if (isDigit(byte)) digits++;
    else if (byte === POINT) points++;
    else if (byte !== MINUS || i !== start) violation("a number");
    into[at++] = byte;
  }
  if (digits === 0 || points > 1 || digits > 40) violation("a number");
  return at;
}

function putBoolean(into: Buffer, at: number, { from, start, end }: Cell): number {
  const text = from.toString("latin1", start, end).toLowerCase();
  if (text !== "1" && text !== "0" && text !== "true" && text !== "false") violation("a boolean");
  return at + into.write(text === "1" || text === "true" ? "true" : "false", at, "latin1");
}

const FLOAT_WORDS: Record<string, string> = {
  nan: "NaN",
  inf: "Infinity",
  infinity: "Infinity",
  "-inf": "-Infinity",
  "-infinity": "-Infinity",
};
const FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function putFloat(into: Buffer, at: number, { from, start, end }: Cell): number {
  const text = end - start <= 400 ? from.toString("latin1", start, end) : "";
  const word = FLOAT_WORDS[text.toLowerCase()];
  if (word === undefined && !FLOAT.test(text)) violation("a float");
  const value = Number(text);
  return at + into.write(word ?? (Object.is(value, -0) ? "-0" : String(value)), at, "latin1");
}

function putBase64(into: Buffer, at: number, { from, start, end }: Cell): number {
  const text = from.toString("latin1", start, end);
  const bytes = Buffer.from(text, "hex");
  if (bytes.length * 2 !== text.length) violation("binary");
  return at + into.write(bytes.toString("base64"), at, "latin1");
}

function putDate(into: Buffer, at: number, { from, start, end }: Cell): number {
  const { seconds: days, nanos } = readSeconds(from, start, end);
  if (nanos !== 0) violation("a date");
  return writeDate(into, at, days);
}

/** Whole seconds, rounded down, and the rest in billionths. One object for all: valid until the next is read. */
const read = { seconds: 0, nanos: 0 };

/** `-1.500000000` is one and a half second before the epoch: -2 and 500000000. */
function readSeconds(from: Buffer, start: number, end: number): typeof read {
  const isNegative = from[start] === MINUS;
  let at = isNegative ? start + 1 : start;
  const first = at;
  let seconds = 0;
  while (at < end && isDigit(from[at]!)) seconds = seconds * 10 + from[at++]! - ZERO;
  if (at === first || at - first > 15) violation("a time");
  let nanos = 0;
  if (at < end) {
    if (from[at++] !== POINT || at === end || end - at > 9) violation("a time");
    let scale = 1_000_000_000;
    for (; at < end; at++) {
      if (!isDigit(from[at]!)) violation("a time");
      nanos = nanos * 10 + from[at]! - ZERO;
      scale /= 10;
    }
    nanos *= scale;
  }
  read.seconds = isNegative ? -seconds - (nanos > 0 ? 1 : 0) : seconds;
  read.nanos = isNegative && nanos > 0 ? 1_000_000_000 - nanos : nanos;
  return read;
}

function putTime(into: Buffer, at: number, { from, start, end }: Cell): number {
  const { seconds, nanos } = readSeconds(from, start, end);
  if (seconds < 0 || seconds > 86_400) violation("a time");
  return writeTime(into, at, seconds, nanos);
}

const T = 0x54,
  Z = 0x5a;

function putTimestamp(into: Buffer, at: number, { from, start, end }: Cell): number {
  const { seconds, nanos } = readSeconds(from, start, end);
  const days = Math.floor(seconds / 86_400);
  const after = writeDate(into, at, days);
  into[after] = T;
  return writeTime(into, after + 1, seconds - days * 86_400, nanos);
}

function putInstant(into: Buffer, at: number, cell: Cell): number {
  const after = putTimestamp(into, at, cell);
  into[after] = Z;
  return after + 1;
}

/** The seconds are UTC's; behind them comes the offset, in minutes from 24 h before Greenwich. */
function putZoned(into: Buffer, at: number, { from, start, end }: Cell): number {
  const space = from.subarray(start, end).indexOf(SPACE);
  if (space < 0) violation("a time with an offset");
  const offset = from.toString("latin1", start + space + 1, end);
  if (!/^\d{1,4}$/.test(offset) || Number(offset) > 2_880) violation("an offset");
  return putInstant(into, at, { from, start, end: start + space });
}

const NEWLINES = [0x0a, 0x0d];

/** A cell of JSON as one line of JSON: itself where it is, else a text of its own. */
export function jsonOf(from: Buffer, start: number, end: number): Buffer {
  const cell = from.subarray(start, end);
  if (isJson(from, start, end) && !NEWLINES.some((byte) => cell.includes(byte))) return cell;
  return strictJson(cell);
}
