// Cells of canonical text as JSON values, byte by byte: UTF-8 passes untouched, digits are never parsed.

import type { Output } from "../output.ts";
import type { ValueKind } from "../result.ts";
import { putBare, putJsonText, type PutText, type TextCell } from "./text-cells.ts";

/** How the cells of a column are written. */
export function jsonValueOf(kind: ValueKind, numbers: "exact" | "string"): PutText {
  switch (kind) {
    case "boolean":
      return putBoolean;
    case "integer":
    case "float":
      return putJsonNumber;
    case "bigint":
    case "decimal":
      return numbers === "string" ? putJsonText : putJsonNumber;
    case "json":
      return putJson;
    default:
      return putJsonText;
  }
}

const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= NINE;

/**
 * Digits as they are, in JSON's grammar: zeros in front go (`007`), a bare point gets its zero (`.5`), a last one goes
 * (`5.`). A value that is no number becomes a string, so that no cell can break the document.
 */
function putJsonNumber(out: Output, into: number, text: TextCell): number {
  const { bytes: from, from: start } = text;
  const end = start + text.length;
  let at = start;
  const sign = from[at] === MINUS;
  if (sign || from[at] === PLUS) at++;
  const whole = at;
  while (at < end && isDigit(from[at])) at++;
  const wholeEnd = at;
  let pointEnd = wholeEnd;
  if (at < end && from[at] === POINT) {
    at++;
    while (at < end && isDigit(from[at])) at++;
    pointEnd = at;
  }
  const digits = pointEnd - whole - (pointEnd > wholeEnd ? 1 : 0);
  let exponentEnd = pointEnd;
  if (at < end && (from[at]! | 0x20) === 0x65) {
    at++;
    if (from[at] === MINUS || from[at] === PLUS) at++;
    if (at < end && isDigit(from[at])) {
      while (at < end && isDigit(from[at])) at++;
      exponentEnd = at;
    }
  }
  if (exponentEnd !== end || digits === 0) return putJsonText(out, into, text);

  let first = whole;
  while (first < wholeEnd - 1 && from[first] === ZERO) first++;
  const { bytes } = out;
  let to = into;
  if (sign) bytes[to++] = MINUS;
  if (first === wholeEnd) bytes[to++] = ZERO;
  for (let i = first; i < wholeEnd; i++) bytes[to++] = from[i]!;
  if (pointEnd > wholeEnd + 1) for (let i = wholeEnd; i < pointEnd; i++) bytes[to++] = from[i]!;
  for (let i = pointEnd; i < exponentEnd; i++) bytes[to++] = from[i]!;
  return to;
}

const WORDS = [Buffer.from("true"), Buffer.from("false")];

function putBoolean(out: Output, at: number, text: TextCell): number {
  const { bytes, from, length } = text;
  const isWord = WORDS.some((word) => word.compare(bytes, from, from + length) === 0);
  return isWord ? putBare(out, at, text) : putJsonText(out, at, text);
}

/**
 * A JSON value as it is. A raw control character can only be space between tokens there; as a blank it keeps NDJSON's
 * lines whole.
 */
function putJson(out: Output, at: number, text: TextCell): number {
  const end = putBare(out, at, text);
  const { bytes } = out;
  for (let i = at; i < end; i++) if (bytes[i]! < 0x20) bytes[i] = 0x20;
  return end;
}
