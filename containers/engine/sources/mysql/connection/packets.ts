// The bodies of MySQL's packets, read within their bounds: no length, count or end in them is believed unseen.

import { protocolError } from "../../protocol-error.ts";

/** The server's refusal of a statement. `errno` is the server's own number. */
export class MysqlError extends Error {
  readonly errno: number;

  constructor(errno: number, message: string) {
    super(message);
    this.errno = errno;
  }
}

/** A column of a result, as its definition describes it. The last two are MariaDB's. */
export type ColumnDefinition = {
  name: string;
  characterSet: number;
  columnLength: number;
  columnType: number;
  flags: number;
  decimals: number;
  extendedTypeName?: string;
  extendedFormat?: string;
};

const TEXT_CHARACTERS_MAX = 4_000;
/** MySQL itself bounds a table's columns so. */
const COLUMNS_MAX = 4_096;
/** The fixed part of a definition, after its length. */
const FIXED_BYTES = 12;
const NULL = 0xfb;
const INFILE = 0xfb;

/** Throws a Failure. */
export const protocolViolation = (what: string): never => {
  throw protocolError("MySQL", what);
};

/** An error packet: 0xff, a number, `#` and five characters of SQLSTATE, a text. */
export function readError(bytes: Buffer, from: number, to: number): MysqlError {
  if (to - from < 3) protocolViolation("an error has no number");
  const textFrom = bytes[from + 3] === 0x23 ? from + 9 : from + 3;
  return new MysqlError(
    bytes.readUInt16LE(from + 1),
    bytes.toString("utf8", Math.min(textFrom, to), to).slice(0, TEXT_CHARACTERS_MAX),
  );
}

/** How many columns a result has, as its first packet says. */
export function readCount(bytes: Buffer, from: number, to: number): number {
  if (bytes[from] === INFILE) protocolViolation("it asks for a file of this machine");
  const { value: count, end } = readInteger(bytes, from, to);
  return end === to && count > 0 && count <= COLUMNS_MAX
    ? count
    : protocolViolation("a result has more columns than there can be");
}

/** `isExtended` says that MariaDB sends more about types, as the login asked. */
export function readDefinition(bytes: Buffer, from: number, to: number, isExtended: boolean): ColumnDefinition {
  let at = from;
  const text = (): string => {
    const { length, start } = readLength(bytes, at, to);
    if (length < 0) protocolViolation("a column has no name");
    at = start + length;
    return bytes.toString("utf8", start, at);
  };
  // Catalog, schema, table, its own name.
  for (let i = 0; i < 4; i++) text();
  const name = text();
  text();
  const more: Pick<ColumnDefinition, "extendedTypeName" | "extendedFormat"> = {};
  if (isExtended) {
    const { length, start } = readLength(bytes, at, to);
    const end = start + Math.max(0, length);
    for (at = start; at < end; ) {
      const kind = bytes[at++];
      const value = text();
      if (kind === 0) more.extendedTypeName = value;
      else if (kind === 1) more.extendedFormat = value;
    }
    if (at !== end) protocolViolation("a column's type goes on after its end");
  }
  if (to - at < 1 + FIXED_BYTES || bytes[at]! < FIXED_BYTES - 2) protocolViolation("a column is described in part");
  return {
    name,
    characterSet: bytes.readUInt16LE(at + 1),
    columnLength: bytes.readUInt32LE(at + 3),
    columnType: bytes[at + 7]!,
    flags: bytes.readUInt16LE(at + 8),
    decimals: bytes[at + 10]!,
    ...more,
  };
}

/** The cells of a row as text. */
export function readCells(bytes: Buffer, from: number, to: number): (string | null)[] {
  const cells: (string | null)[] = [];
  for (let at = from; at < to; ) {
    const { length, start } = readLength(bytes, at, to);
    cells.push(length < 0 ? null : bytes.toString("utf8", start, start + length));
    at = start + Math.max(0, length);
  }
  return cells;
}

/** The length before a value, -1 of NULL, and where the value starts: all of it lies before `to`. */
export function readLength(bytes: Buffer, at: number, to: number): { length: number; start: number } {
  const { value: length, end: start } = readInteger(bytes, at, to);
  return length <= to - start ? { length, start } : protocolViolation("a value is longer than what it stands in");
}

/** A number in one to nine bytes, -1 of NULL. */
function readInteger(bytes: Buffer, at: number, to: number): { value: number; end: number } {
  const first = at < to ? bytes[at]! : 0xff;
  if (first === NULL) return { value: -1, end: at + 1 };
  const bytesAfter = first < NULL ? 0 : first === 0xfc ? 2 : first === 0xfd ? 3 : first === 0xfe ? 8 : to;
  const end = at + 1 + bytesAfter;
  if (end > to) protocolViolation("a length ends before it does");
  return {
    value:
      bytesAfter === 0
        ? first
        : bytesAfter === 8
          ? Number(bytes.readBigUInt64LE(at + 1))
          : bytes.readUIntLE(at + 1, bytesAfter),
    end,
  };
}
