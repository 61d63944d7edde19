// A value of each type is written as canonical text: exactly, with all the digits the server sent.

import { forTypes } from "../../../core/type-tables.ts";
import { fixedType, readCodepage, readPrecision, timeOfScale, type TypeInfo } from "../connection/column-metadata.ts";
import { Cursor, protocolViolation } from "../connection/tokens.ts";
import { putDecimal, putDouble, putInteger, putReal, putScaled } from "./put-numbers.ts";
import { putDate, putDatetime, putDatetime2, putSmallDatetime, putTime } from "./put-times.ts";
import { textWriter, putUtf16 } from "./put-text.ts";
import type { WriteCell } from "./write-cell.ts";

const HEX = Buffer.from("0123456789abcdef");
const MONEY_SCALE = 4;

/** Throws where a value has not the length of its type. */
const ofLength =
  (write: WriteCell, ...lengths: number[]): WriteCell =>
  (into, at, from, start, end) =>
    lengths.includes(end - start)
      ? write(into, at, from, start, end)
      : protocolViolation("a value has a length that its type has not");

/** One writer for values of four bytes, one for those of eight. */
const byLength = (four: PutFixed, eight: PutFixed): WriteCell =>
  ofLength((into, at, from, start, end) => (end - start === 4 ? four : eight)(into, at, from, start), 4, 8);
type PutFixed = (into: Buffer, at: number, from: Buffer, start: number) => number;

/** The writers of types by TDS's numbers. */
const WRITERS: Record<number, (type: TypeInfo, column: string) => WriteCell> = {
  31: () => (_, at) => at,
  36: () => ofLength(putUniqueIdentifier, 16),
  38: () => ofLength(putInteger, 1, 2, 4, 8),
  40: ({ bytesMax }) => ofLength(putDate, bytesMax),
  41: ({ scale = 0, bytesMax }) =>
    ofLength((into, at, from, start, end) => putTime(into, at, { from, start, end }, scale), bytesMax),
  42: ({ scale = 0, bytesMax }) =>
    ofLength((into, at, from, start, end) => putDatetime2(into, at, { from, start, end }, scale), bytesMax),
  43: ({ scale = 0, bytesMax }) => ofLength(putOffsetTime(scale), bytesMax),
  98: (_, column) => variantWriter(column),
  104: () => ofLength(putBoolean, 1),
  109: () => byLength(putReal, putDouble),
  110: () => ofLength(putMoney, 4, 8),
  111: () => byLength(putSmallDatetime, putDatetime),
  241: () => putXml,
  ...forTypes([0x6a, 0x6c], ({ scale = 0 }: TypeInfo) =>
    ofLength((into, at, from, start, end) => putDecimal(into, at, { from, start, end }, scale), 5, 9, 13, 17),
  ),
  ...forTypes([0x23, 0xa7, 0xaf], ({ codepage }: TypeInfo, column: string) => textWriter(codepage, column)),
  ...forTypes([0x63, 0xe7, 0xef], () => putUtf16),
};

/** `column` is the name of the column that the values are of. */
export const writerOf = (type: TypeInfo, column: string): WriteCell => WRITERS[type.code]?.(type, column) ?? putBase64;

function putBoolean(into: Buffer, at: number, from: Buffer, start: number): number {
  return at + into.write(from[start] === 0 ? "false" : "true", at, "latin1");
}

/** Eight bytes have their higher four first. */
function putMoney(into: Buffer, at: number, from: Buffer, start: number, end: number): number {
  const units =
    end - start === 4
      ? BigInt(from.readInt32LE(start))
      : (BigInt(from.readInt32LE(start)) << 32n) | BigInt(from.readUInt32LE(start + 4));
  return putScaled(into, at, units, MONEY_SCALE);
}

/** The time is in UTC; behind it stands how far the clock was ahead that it was written by. */
const putOffsetTime =
  (scale: number): WriteCell =>
  (into, at, from, start, end) => {
    const after = putDatetime2(into, at, { from, start, end: end - 2 }, scale);
    into[after] = 0x5a; // Z
    return after + 1;
  };

/** Its first three parts have their lowest byte first. */
const GUID_ORDER = [3, 2, 1, 0, -1, 5, 4, -1, 7, 6, -1, 8, 9, -1, 10, 11, 12, 13, 14, 15];

function putUniqueIdentifier(into: Buffer, at: number, from: Buffer, start: number): number {
  for (const byte of GUID_ORDER) {
    if (byte < 0)
      into[at++] = 0x2d; // -
    else {
      const value = from[start + byte]!;
      into[at++] = HEX[value >> 4]!;
      into[at++] = HEX[value & 15]!;
    }
  }
  return at;
}

function putBase64(into: Buffer, at: number, from: Buffer, start: number, end: number): number {
  return at + into.write(from.toString("base64", start, end), at, "latin1");
}

function putHex(into: Buffer, at: number, from: Buffer, start: number, end: number): number {
  return at + into.write(`0x${from.toString("hex", start, end)}`, at, "latin1");
}

/** The server may put a byte order mark before it. */
function putXml(into: Buffer, at: number, from: Buffer, start: number, end: number): number {
  const isMarked = end - start >= 2 && from.readUInt16LE(start) === 0xfeff;
  return putUtf16(into, at, from, isMarked ? start + 2 : start, end);
}

/** A value with its own type before it; bytes as T-SQL writes them, for they stand among texts. */
const variantWriter =
  (column: string): WriteCell =>
  (into, at, from, start, end) => {
    const cursor = new Cursor(from, start, end);
    const code = cursor.u8();
    const propertyBytes = cursor.u8();
    const valueAt = cursor.at + propertyBytes;
    const type = variantType(code, cursor);
    if (cursor.at > valueAt || valueAt > end) protocolViolation("a variant's value starts before its type ends");
    const write = code === 0xa5 || code === 0xad ? putHex : writerOf(type, column);
    return write(into, at, from, valueAt, end);
  };

function variantType(code: number, cursor: Cursor): TypeInfo {
  const plain = fixedType(code);
  if ([0x29, 0x2a, 0x2b].includes(code)) return { ...plain, ...timeOfScale(code, cursor.u8()) };
  if ([0x6a, 0x6c].includes(code)) return { ...plain, ...readPrecision(cursor) };
  if ([0xa7, 0xaf].includes(code)) return { ...plain, codepage: readCodepage(cursor) };
  return [0x62, 0xf0, 0xf1].includes(code) ? protocolViolation("a variant holds what it can't") : plain;
}
