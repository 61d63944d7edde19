// PostgreSQL's text of an array, `{1,NULL,"a \"b\""}`, as JSON.

import { jsonCell } from "../../../formats/lines/row-lines.ts";
import type { Output } from "../../../formats/output.ts";
import type { ValueKind } from "../../../formats/result.ts";
import { protocolViolation } from "../connection/messages.ts";
import { binaryText, jsonText, stampText } from "./value-text.ts";

const OPEN = 0x7b;
const CLOSE = 0x7d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const EQUALS = 0x3d;
const JSON_OPEN = 0x5b;
const JSON_CLOSE = 0x5d;
const JSON_COMMA = 0x2c;
const NULL = Buffer.from("null");
const putText = jsonCell("text", "exact");
const putNumber = jsonCell("decimal", "exact");

/**
 * Appends the array in `bytes[from .. to)` to `out`, as JSON where it is one. Elements are of `kind`; `delimiter`
 * stands between them.
 */
export function putArray(
  out: Output,
  bytes: Buffer,
  from: number,
  to: number,
  kind: ValueKind,
  delimiter: number,
): void {
  let at = from;
  // Bounds other than 1 stand before the array (`[0:1]={…}`); JSON has none.
  if (bytes[at] !== OPEN) while (at < to && bytes[at++] !== EQUALS);
  while (at < to) {
    const byte = bytes[at]!;
    if (byte === OPEN || byte === CLOSE || byte === delimiter) {
      out.byte(byte === OPEN ? JSON_OPEN : byte === CLOSE ? JSON_CLOSE : JSON_COMMA);
      at++;
    } else if (byte === QUOTE) at = putQuoted(out, bytes, at + 1, to, kind);
    else at = putBare(out, bytes, at, to, kind, delimiter);
  }
}

/** An element in quotes; returns where it ended. Unescapes in place, which only ever moves bytes forward. */
function putQuoted(out: Output, bytes: Buffer, start: number, to: number, kind: ValueKind): number {
  let write = start;
  let read = start;
  for (; read < to && bytes[read] !== QUOTE; read++, write++) {
    if (bytes[read] === BACKSLASH) read++;
    if (read >= to) break;
    bytes[write] = bytes[read]!;
  }
  if (read >= to) protocolViolation("an array is none");
  putElement(out, bytes, start, write, kind);
  return read + 1;
}

function putBare(out: Output, bytes: Buffer, start: number, to: number, kind: ValueKind, delimiter: number): number {
  let end = start;
  while (end < to && bytes[end] !== delimiter && bytes[end] !== CLOSE) end++;
  if (end - start === 4 && bytes.toString("latin1", start, end) === "NULL") out.copy(NULL);
  else putElement(out, bytes, start, end, kind);
  return end;
}

function putElement(out: Output, bytes: Buffer, from: number, to: number, kind: ValueKind): void {
  switch (kind) {
    case "timestamp":
    case "timestamptz":
      return putText(out, bytes, from, stampText(bytes, from, to, kind));
    case "binary":
      return putText(out, bytes, from, binaryText(bytes, from, to));
    case "boolean":
      if (to - from !== 1 || (bytes[from] !== 0x74 && bytes[from] !== 0x66)) protocolViolation("a boolean is none");
      return out.text(bytes[from] === 0x74 ? "true" : "false");
    case "json":
      jsonText(bytes, from, to);
      return out.copy(bytes, from, to);
    case "integer":
    case "bigint":
    case "decimal":
    case "float":
      return putNumber(out, bytes, from, to);
    default:
      return putText(out, bytes, from, to);
  }
}
