// Cells of canonical text as JSON values, byte by byte: UTF-8 passes untouched, digits are never parsed.

import type { Column } from "./result.ts";
import type { Output } from "./output.ts";

/** Appends `bytes[start .. end)` as one JSON value. */
export type PutCell = (out: Output, bytes: Uint8Array, start: number, end: number) => void;

/** How a column's cells are written. */
export function jsonCell(column: Column, numbers: "exact" | "string"): PutCell {
  switch (column.kind) {
    case "boolean":
      return putBoolean;
    case "integer":
    case "float":
      return putNumber;
    case "bigint":
    case "decimal":
      return numbers === "string" ? putString : putNumber;
    case "json":
      return putJson;
    default:
      return putString;
  }
}

/** `"name":` as bytes. */
export const jsonKey = (name: string): Uint8Array => Buffer.from(`${JSON.stringify(name)}:`);

const HEX = Buffer.from("0123456789abcdef");
/** For each byte of a string: 0 when it stands for itself, 1 for `\u00XX`, else the letter after the backslash. */
const ESCAPES = new Uint8Array(256).fill(1, 0, 0x20);
for (const [byte, letter] of ['""', "\\\\", "\bb", "\ff", "\nn", "\rr", "\tt"].map((pair) => Buffer.from(pair)))
  ESCAPES[byte!] = letter!;

function putString(out: Output, from: Uint8Array, start: number, end: number): void {
  out.reserve(end - start + 2);
  let { bytes, length } = out;
  bytes[length++] = 0x22;
  for (let i = start; i < end; i++) {
    const byte = from[i]!;
    const escape = ESCAPES[byte]!;
    if (escape === 0) {
      bytes[length++] = byte;
      continue;
    }
    out.length = length;
    out.reserve(end - i + 8);
    bytes = out.bytes;
    bytes[length++] = 0x5c;
    if (escape > 1) bytes[length++] = escape;
    else {
      bytes[length++] = 0x75; // u
      bytes[length++] = 0x30;
      bytes[length++] = 0x30;
      bytes[length++] = HEX[byte >> 4]!;
      bytes[length++] = HEX[byte & 15]!;
    }
  }
  bytes[length++] = 0x22;
  out.length = length;
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/**
 * Digits as they are, in JSON's grammar: zeros in front go (`007`), a bare point gets its zero (`.5`), a last one goes
 * (`5.`).
 * What is no number becomes a string, so that no cell can break the document.
 */
function putNumber(out: Output, from: Uint8Array, start: number, end: number): void {
  let at = start;
  const sign = from[at] === 0x2d;
  if (sign || from[at] === 0x2b) at++;
  const whole = at;
  while (at < end && isDigit(from[at])) at++;
  const wholeEnd = at;
  let pointEnd = wholeEnd;
  if (at < end && from[at] === 0x2e) {
    at++;
    while (at < end && isDigit(from[at])) at++;
    pointEnd = at;
  }
  const digits = pointEnd - whole - (pointEnd > wholeEnd ? 1 : 0);
  let exponentEnd = pointEnd;
  if (at < end && (from[at]! | 0x20) === 0x65) {
    at++;
    if (from[at] === 0x2d || from[at] === 0x2b) at++;
    if (at < end && isDigit(from[at])) {
      while (at < end && isDigit(from[at])) at++;
      exponentEnd = at;
    }
  }
  if (exponentEnd !== end || digits === 0) return putString(out, from, start, end);

  let first = whole;
  while (first < wholeEnd - 1 && from[first] === 0x30) first++;
  if (sign) out.byte(0x2d);
  if (first === wholeEnd) out.byte(0x30);
  out.copy(from, first, wholeEnd);
  if (pointEnd > wholeEnd + 1) out.copy(from, wholeEnd, pointEnd);
  if (exponentEnd > pointEnd) out.copy(from, pointEnd, exponentEnd);
}

const WORDS = [Buffer.from("true"), Buffer.from("false")];

function putBoolean(out: Output, from: Uint8Array, start: number, end: number): void {
  if (WORDS.some((word) => word.compare(from, start, end) === 0)) out.copy(from, start, end);
  else putString(out, from, start, end);
}

/**
 * A JSON value as it is. A raw control character can only be space between tokens there; as a blank it keeps NDJSON's
 * lines whole.
 */
function putJson(out: Output, from: Uint8Array, start: number, end: number): void {
  const at = out.length;
  out.copy(from, start, end);
  const { bytes, length } = out;
  for (let i = at; i < length; i++) if (bytes[i]! < 0x20) bytes[i] = 0x20;
}
