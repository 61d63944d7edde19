// Values as TDS sends them, made of texts as T-SQL prints them: written apart from the engine's reader, to check it.

import { parseType, TIME_BYTES, UTF8_COLLATION, type FakeColumn } from "./column-types.ts";

/** Dates and decimals as texts; bytes as they are. */
export type FakeValue = string | number | bigint | boolean | Buffer | null;

export type EncodeValue = (value: FakeValue) => Buffer;

const NO_LENGTH = Buffer.from([0xff, 0xff]);
const NO_CHUNKS = Buffer.alloc(8, 0xff);
const NOTHING = Buffer.from([0]);
/** A text pointer of sixteen bytes, and a timestamp. */
const POINTER = Buffer.concat([Buffer.from([16]), Buffer.alloc(16 + 8, 0x64)]);

const counted = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([bytes.length]), bytes]);

function countedShort(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

const CHUNK_BYTES = 8_040;

/** In chunks as servers send them; its length beforehand where `isSaid`. */
export function chunked(bytes: Buffer, isSaid = true): Buffer {
  const parts = [u64(isSaid ? BigInt(bytes.length) : 0xffff_ffff_ffff_fffen)];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const chunk = bytes.subarray(at, at + CHUNK_BYTES);
    parts.push(u32(chunk.length), chunk);
  }
  return Buffer.concat([...parts, u32(0)]);
}

const DAYS_TO_1970 = 719_162;
const DAYS_TO_1900 = 693_595;

/** Days since year 1. */
const daysOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000 + DAYS_TO_1970;

/** `10:00:00.1234567` in units of 10 to the power of minus `scale`: digits behind them must be zeros. */
function unitsOf(time: string, scale: number): bigint {
  const [, h, m, s, fraction = ""] = /^(\d\d):(\d\d):(\d\d)(?:\.(\d+))?$/.exec(time) ?? [];
  const digits = fraction.padEnd(scale, "0");
  if (h === undefined || /[1-9]/.test(digits.slice(scale))) throw new Error(`${time} is no time of scale ${scale}`);
  return (
    BigInt(Number(h) * 3600 + Number(m) * 60 + Number(s)) * 10n ** BigInt(scale) + BigInt(digits.slice(0, scale) || 0)
  );
}

const littleEndian = (value: bigint, bytes: number): Buffer =>
  Buffer.from(Array.from({ length: bytes }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn)));

const day = (days: number): Buffer => littleEndian(BigInt(days), 3);

/** `2026-01-31T10:00:00.5`, with a space for the T too. */
function splitTime(text: string): [date: string, time: string] {
  const [date = "", time = "00:00:00"] = text.split(/[T ]/);
  return [date, time];
}

/** The digits of a decimal with `scale` of them behind the point. */
export function scaled(value: FakeValue, scale: number): bigint {
  const [, sign, whole = "", fraction = ""] = /^(-?)(\d*)(?:\.(\d+))?$/.exec(String(value)) ?? [];
  const digits = fraction.padEnd(scale, "0");
  if (sign === undefined || /[1-9]/.test(digits.slice(scale))) throw new Error(`${value} has not scale ${scale}`);
  const units = BigInt(`${whole}${digits.slice(0, scale)}` || 0);
  return sign === "-" ? -units : units;
}

const DECIMAL_BYTES: [digits: number, bytes: number][] = [
  [9, 4],
  [19, 8],
  [28, 12],
  [38, 16],
];

function decimal(value: FakeValue, precision: number, scale: number): Buffer {
  const units = scaled(value, scale);
  const bytes = DECIMAL_BYTES.find(([digits]) => precision <= digits)![1];
  const isNegative = units < 0n;
  return counted(Buffer.concat([Buffer.from([isNegative ? 0 : 1]), littleEndian(isNegative ? -units : units, bytes)]));
}

function money(value: FakeValue, bytes: 4 | 8): Buffer {
  const units = BigInt.asUintN(64, scaled(value, 4));
  if (bytes === 4) return counted(littleEndian(units, 4));
  return counted(Buffer.concat([littleEndian(units >> 32n, 4), littleEndian(units, 4)]));
}

function integer(value: FakeValue, bytes: number): Buffer {
  return counted(littleEndian(BigInt.asUintN(8 * bytes, BigInt(value as number)), bytes));
}

function float(value: FakeValue, bytes: 4 | 8): Buffer {
  const into = Buffer.alloc(bytes);
  if (bytes === 4) into.writeFloatLE(Number(value));
  else into.writeDoubleLE(Number(value));
  return counted(into);
}

function datetime(value: FakeValue): Buffer {
  const [date, time] = splitTime(String(value));
  const ms = Number(unitsOf(time, 3));
  const into = Buffer.alloc(8);
  into.writeInt32LE(daysOf(date) - DAYS_TO_1900);
  into.writeUInt32LE(Math.round((ms * 300) / 1000), 4);
  return counted(into);
}

function smallDatetime(value: FakeValue): Buffer {
  const [date, time] = splitTime(String(value));
  const into = Buffer.alloc(4);
  into.writeUInt16LE(daysOf(date) - DAYS_TO_1900);
  into.writeUInt16LE(Number(unitsOf(time, 0)) / 60, 2);
  return counted(into);
}

const timeBytes = (time: string, scale: number): Buffer => littleEndian(unitsOf(time, scale), TIME_BYTES[scale]!);

function datetime2(value: FakeValue, scale: number): Buffer {
  const [date, time] = splitTime(String(value));
  return counted(Buffer.concat([timeBytes(time, scale), day(daysOf(date))]));
}

/** `2026-01-31T10:00:00.5+02:00`: the wire has the time in UTC, and the minutes that were ahead of it. */
function datetimeoffset(value: FakeValue, scale: number): Buffer {
  const [, local = "", sign, h = "0", m = "0"] = /^(.*?)(?:Z|([+-])(\d\d)(?::?(\d\d))?)?$/.exec(String(value)) ?? [];
  const minutes = (sign === "-" ? -1 : 1) * (Number(h) * 60 + Number(m));
  const [date, time] = splitTime(local);
  const perDay = 86_400n * 10n ** BigInt(scale);
  const units = BigInt(daysOf(date)) * perDay + unitsOf(time, scale) - BigInt(minutes * 60) * 10n ** BigInt(scale);
  const offset = Buffer.alloc(2);
  offset.writeInt16LE(minutes);
  return counted(
    Buffer.concat([littleEndian(units % perDay, TIME_BYTES[scale]!), day(Number(units / perDay)), offset]),
  );
}

const GUID_ORDER = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];

function guid(value: FakeValue): Buffer {
  const bytes = Buffer.from(String(value).replaceAll("-", ""), "hex");
  return counted(Buffer.from(GUID_ORDER.map((i) => bytes[i]!)));
}

/** Texts in a code page of one byte are given as Buffers. */
const textBytes = (value: FakeValue, { collation = UTF8_COLLATION }: FakeColumn): Buffer => {
  if (Buffer.isBuffer(value)) return value;
  return Buffer.from(String(value), collation === UTF8_COLLATION ? "utf8" : "latin1");
};
const utf16 = (value: FakeValue): Buffer => (Buffer.isBuffer(value) ? value : Buffer.from(String(value), "utf16le"));
const bytesOf = (value: FakeValue): Buffer => (Buffer.isBuffer(value) ? value : Buffer.from(String(value)));

const nullable =
  (encode: EncodeValue, ofNull: Buffer): EncodeValue =>
  (value) =>
    value === null ? ofNull : encode(value);

/** The encoder of a column's values. */
export function encoderOf(column: FakeColumn): EncodeValue {
  const { name, length, precision, scale } = parseType(column.type);
  const sized = (bytes: (value: FakeValue) => Buffer): EncodeValue =>
    length === Infinity
      ? nullable((value) => chunked(bytes(value)), NO_CHUNKS)
      : nullable((value) => countedShort(bytes(value)), NO_LENGTH);
  const pointed = (bytes: (value: FakeValue) => Buffer): EncodeValue =>
    nullable((value) => Buffer.concat([POINTER, u32(bytes(value).length), bytes(value)]), NOTHING);
  const plain = (encode: EncodeValue): EncodeValue => nullable(encode, NOTHING);
  switch (name) {
    case "tinyint":
      return plain((value) => integer(value, 1));
    case "smallint":
      return plain((value) => integer(value, 2));
    case "int":
      return plain((value) => integer(value, 4));
    case "bigint":
      return plain((value) => integer(value, 8));
    case "bit":
      return plain((value) =>
        Buffer.from([1, value === true || value === 1 || value === "1" || value === "true" ? 1 : 0]),
      );
    case "real":
      return plain((value) => float(value, 4));
    case "float":
      return plain((value) => float(value, 8));
    case "money":
      return plain((value) => money(value, 8));
    case "smallmoney":
      return plain((value) => money(value, 4));
    case "decimal":
    case "numeric":
      return plain((value) => decimal(value, precision, scale));
    case "date":
      return plain((value) => counted(day(daysOf(String(value)))));
    case "time":
      return plain((value) => counted(timeBytes(String(value), scale)));
    case "datetime2":
      return plain((value) => datetime2(value, scale));
    case "datetimeoffset":
      return plain((value) => datetimeoffset(value, scale));
    case "datetime":
      return plain(datetime);
    case "smalldatetime":
      return plain(smallDatetime);
    case "uniqueidentifier":
      return plain(guid);
    case "varchar":
    case "char":
      return sized((value) => textBytes(value, column));
    case "nvarchar":
    case "nchar":
      return sized(utf16);
    case "varbinary":
    case "binary":
      return sized(bytesOf);
    case "rowversion":
      return nullable((value) => countedShort(bytesOf(value)), NO_LENGTH);
    case "text":
      return pointed((value) => textBytes(value, column));
    case "ntext":
      return pointed(utf16);
    case "image":
      return pointed(bytesOf);
    case "xml":
      return nullable((value) => chunked(utf16(value), false), NO_CHUNKS);
    case "sql_variant":
      // A whole variant, its type before it, is given as a Buffer.
      return nullable((value) => {
        const bytes = Buffer.isBuffer(value) ? value : nvarcharVariant(String(value));
        return Buffer.concat([u32(bytes.length), bytes]);
      }, u32(0));
    default:
      return nullable((value) => chunked(bytesOf(value)), NO_CHUNKS);
  }
}

function nvarcharVariant(text: string): Buffer {
  return Buffer.concat([
    Buffer.from([0xe7, 7]),
    UTF8_COLLATION,
    Buffer.from([0x40, 0x1f]),
    Buffer.from(text, "utf16le"),
  ]);
}

/** A row; with a bitmap of its NULLs where there are some and `withBitmap` asks for one. */
export function rowToken(encoders: readonly EncodeValue[], values: readonly FakeValue[], withBitmap: boolean): Buffer {
  if (!withBitmap || !values.includes(null))
    return Buffer.concat([Buffer.from([0xd1]), ...encoders.map((encode, i) => encode(values[i] ?? null))]);
  const bitmap = Buffer.alloc(Math.ceil(encoders.length / 8));
  values.forEach((value, i) => value === null && (bitmap[i >> 3]! |= 1 << (i & 7)));
  const given = encoders.flatMap((encode, i) => (values[i] === null ? [] : [encode(values[i]!)]));
  return Buffer.concat([Buffer.from([0xd2]), bitmap, ...given]);
}
