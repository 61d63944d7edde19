// A result's columns as TDS describes them before the rows.

import { Collation } from "tedious/lib/collation.js";
import { Cursor, INCOMPLETE, protocolViolation } from "./tokens.ts";

/** How a cell says where it ends, by what stands before its bytes: nothing before `fixed` ones. */
export type Framing = "fixed" | "u8" | "u16" | "u32" | "pointer" | "chunks";

/** The type of a column, or of a single value of type sql_variant. */
export type TypeInfo = {
  /** TDS's number of the type; of one of a fixed length, its counterpart's whose values may also be NULL. */
  code: number;
  framing: Framing;
  /** Bytes: exactly of a fixed one, at most of any other; Infinity where there is no bound. */
  bytesMax: number;
  precision?: number;
  scale?: number;
  /** The code page of text that is not UTF-16; undefined where the collation's is not known. */
  codepage?: string | undefined;
  /** The name of a type that the database, or an assembly, defines. */
  typeName?: string;
};

export type ColumnDefinition = TypeInfo & { name: string; userType: number };

/** SQL Server's own bound on a select list. */
const COLUMNS_MAX = 4_096;
const NO_COLUMNS = 0xffff;
const MAX = 0xffff;
const COLLATION_BYTES = 5;

/** Types of a fixed length, each with the number of the type whose values may also be NULL, and its bytes. */
const FIXED: Record<number, readonly [code: number, bytes: number]> = {
  31: [0x1f, 0],
  48: [0x26, 1],
  50: [0x68, 1],
  52: [0x26, 2],
  56: [0x26, 4],
  58: [0x6f, 4],
  59: [0x6d, 4],
  60: [0x6e, 8],
  61: [0x6f, 8],
  62: [0x6d, 8],
  122: [0x6e, 4],
  127: [0x26, 8],
};
/** Bytes of a time of each scale. */
const TIME_BYTES = [3, 3, 3, 4, 4, 5, 5, 5];
const DATE_BYTES = 3;
const OFFSET_BYTES = 2;

/**
 * The columns, read from behind the token's first byte. Throws {@link INCOMPLETE} where not all of them have arrived.
 * `end` is where they end.
 */
export function readColumns(bytes: Buffer, from: number, to: number): { columns: ColumnDefinition[]; end: number } {
  const cursor = new Cursor(bytes, from, to, () => {
    throw INCOMPLETE;
  });
  const count = cursor.u16();
  if (count === NO_COLUMNS) return { columns: [], end: cursor.at };
  if (count === 0 || count > COLUMNS_MAX) protocolViolation("a result has a number of columns that there can't be");
  const columns: ColumnDefinition[] = [];
  for (let i = 0; i < count; i++) columns.push(readColumn(cursor));
  return { columns, end: cursor.at };
}

function readColumn(cursor: Cursor): ColumnDefinition {
  const userType = cursor.u32();
  cursor.u16();
  const type = readType(cursor);
  if (type.framing === "pointer") for (let parts = cursor.u8(); parts > 0; parts--) cursor.text(cursor.u16());
  return { ...type, userType, name: cursor.text(cursor.u8()) };
}

function readType(cursor: Cursor): TypeInfo {
  const sent = cursor.u8();
  const [code, bytesMax] = FIXED[sent] ?? [sent];
  if (bytesMax !== undefined) return { code, framing: "fixed", bytesMax };
  switch (code) {
    case 0x24:
    case 0x26:
    case 0x68:
    case 0x6d:
    case 0x6e:
    case 0x6f:
      return { code, framing: "u8", bytesMax: cursor.u8() };
    case 0x6a:
    case 0x6c:
      return { code, framing: "u8", bytesMax: cursor.u8(), ...readPrecision(cursor) };
    case 0x28:
      return { code, framing: "u8", bytesMax: DATE_BYTES };
    case 0x29:
    case 0x2a:
    case 0x2b:
      return { code, framing: "u8", ...timeOfScale(code, cursor.u8()) };
    case 0xa5:
    case 0xad:
      return { code, ...readLengthMax(cursor) };
    case 0xa7:
    case 0xaf:
    case 0xe7:
    case 0xef:
      return { code, ...readLengthMax(cursor), codepage: readCodepage(cursor) };
    case 0x22:
      return { code, framing: "pointer", bytesMax: cursor.u32() };
    case 0x23:
    case 0x63:
      return { code, framing: "pointer", bytesMax: cursor.u32(), codepage: readCodepage(cursor) };
    case 0x62:
      return { code, framing: "u32", bytesMax: cursor.u32() };
    case 0xf1:
      if (cursor.u8() === 1) for (const units of ["u8", "u8", "u16"] as const) cursor.text(cursor[units]());
      return { code, framing: "chunks", bytesMax: Infinity };
    case 0xf0: {
      cursor.u16();
      cursor.text(cursor.u8());
      cursor.text(cursor.u8());
      const typeName = cursor.text(cursor.u8());
      cursor.text(cursor.u16());
      return { code, framing: "chunks", bytesMax: Infinity, typeName };
    }
    default:
      return protocolViolation(`a column is of an unknown type (0x${code.toString(16)})`);
  }
}

function readLengthMax(cursor: Cursor): Pick<TypeInfo, "framing" | "bytesMax"> {
  const bytesMax = cursor.u16();
  return bytesMax === MAX ? { framing: "chunks", bytesMax: Infinity } : { framing: "u16", bytesMax };
}

export function readPrecision(cursor: Cursor): { precision: number; scale: number } {
  const precision = cursor.u8();
  const scale = cursor.u8();
  if (precision < 1 || precision > 38 || scale > precision) protocolViolation("a number's digits are more than 38");
  return { precision, scale };
}

/** A type of a fixed length, of which a variant is. */
export const fixedType = (code: number): TypeInfo => ({
  code: FIXED[code]?.[0] ?? code,
  framing: "fixed",
  bytesMax: code === 0x28 ? DATE_BYTES : Infinity,
});

/** The size of `time`, `datetime2` and `datetimeoffset`. */
export function timeOfScale(code: number, scale: number): { bytesMax: number; scale: number } {
  const time = TIME_BYTES[scale] ?? protocolViolation("a time has more than seven digits of a second");
  return { bytesMax: time + (code > 0x29 ? DATE_BYTES : 0) + (code === 0x2b ? OFFSET_BYTES : 0), scale };
}

export function readCodepage(cursor: Cursor): string | undefined {
  const start = cursor.take(COLLATION_BYTES);
  return Collation.fromBuffer(cursor.bytes, start).codepage;
}
