// The bodies of PostgreSQL's messages, read within their bounds: no length, count or end in them is believed unseen.

import { protocolError } from "../../protocol-error.ts";

/** The bytes after a column's name in a RowDescription: table, number, type, size, modifier, format. */
const FIELD_BYTES = 18;

/** A column as RowDescription names it. */
export type Field = { name: string; oid: number; typmod: number };

/** Throws a Failure. */
export const protocolViolation = (what: string): never => {
  throw protocolError("PostgreSQL", what);
};

/** The columns of a RowDescription in `bytes[from .. to)`. */
export function readFields(bytes: Buffer, from: number, to: number): Field[] {
  if (to - from < 2) protocolViolation("a row description has no count");
  const count = bytes.readUInt16BE(from);
  const fields: Field[] = [];
  let at = from + 2;
  while (fields.length < count) {
    const end = endOfText(bytes, at, to);
    if (end + 1 + FIELD_BYTES > to) protocolViolation("a row description ends before its columns do");
    if (bytes.readInt16BE(end + 17) !== 0) protocolViolation("a column is in a format that was not asked for");
    fields.push({
      name: bytes.toString("utf8", at, end),
      oid: bytes.readUInt32BE(end + 7),
      typmod: bytes.readInt32BE(end + 13),
    });
    at = end + 1 + FIELD_BYTES;
  }
  if (at !== to) protocolViolation("a row description goes on after its columns");
  return fields;
}

/** The cells of a DataRow of `count` columns, as text. */
export function readCells(bytes: Buffer, from: number, to: number, count: number): (string | null)[] {
  if (to - from < 2 || bytes.readUInt16BE(from) !== count)
    protocolViolation("a row has another number of cells than its description");
  const cells: (string | null)[] = [];
  let at = from + 2;
  while (cells.length < count) {
    const length = at + 4 > to ? -2 : bytes.readInt32BE(at);
    at += 4;
    if (length < -1 || length > to - at) protocolViolation("a cell is longer than its row");
    cells.push(length < 0 ? null : bytes.toString("utf8", at, at + length));
    if (length > 0) at += length;
  }
  if (at !== to) protocolViolation("a row goes on after its cells");
  return cells;
}

/** Where the NUL-terminated text at `at` ends. */
export function endOfText(bytes: Buffer, at: number, to: number): number {
  for (let end = at; end < to; end++) if (bytes[end] === 0) return end;
  return protocolViolation("a text has no end");
}
