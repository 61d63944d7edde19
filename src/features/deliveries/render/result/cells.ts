// One value of a chunk: as a cell, and as JSON where it is part of a nested value.

import type { Cell } from "../../../../../kernel/docs/draw/result-table.ts";
import { RENDER_BOUNDS } from "../bounds.ts";
import type { ArrowType } from "./arrow-schema.ts";
import type { Chunk } from "./chunks.ts";
import { dateText, intervalText, timestampText, timeText } from "./times.ts";
import { damaged, UnreadableResult } from "./unreadable.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** Bytes that are made a string of at a time. */
const PIECE_BYTES = 0x8000;

export function readCell(chunk: Chunk, row: number): Cell {
  if (!isThere(chunk, row)) return null;
  if (!chunk.dictionary) return valueOf(chunk, row);
  const [words, index] = wordAt(chunk, row);
  return readCell(words, index);
}

const isThere = ({ validity, field, dictionary }: Chunk, row: number): boolean =>
  !(field.type.id === "null" && !dictionary) &&
  (validity === undefined || ((validity[row >> 3]! >> (row & 7)) & 1) === 1);

/** Where in its dictionary the word of a row stands. */
function wordAt({ field, values, dictionary }: Chunk, row: number): [Chunk, number] {
  let index = Number(integerAt(values, row, field.dictionary!.indices as ArrowType & { id: "int" }));
  for (const part of dictionary!) {
    if (index >= 0 && index < part.length) return [part, index];
    index -= part.length;
  }
  throw damaged(`a word of "${field.name}" is missing`);
}

function integerAt(values: DataView, row: number, { bits, isSigned }: ArrowType & { id: "int" }): number | bigint {
  switch (bits) {
    case 8:
      return isSigned ? values.getInt8(row) : values.getUint8(row);
    case 16:
      return isSigned ? values.getInt16(row * 2, true) : values.getUint16(row * 2, true);
    case 32:
      return isSigned ? values.getInt32(row * 4, true) : values.getUint32(row * 4, true);
    case 64:
      return isSigned ? values.getBigInt64(row * 8, true) : values.getBigUint64(row * 8, true);
  }
}

function valueOf(chunk: Chunk, row: number): Cell {
  const { values, field } = chunk;
  const { type } = field;
  switch (type.id) {
    case "null":
      return null;
    case "boolean":
      return ((values.getUint8(row >> 3) >> (row & 7)) & 1) === 1;
    case "int":
      return integerAt(values, row, type);
    case "float":
      return floatAt(values, row, type.bits);
    case "text":
      return UTF8.decode(bytesAt(chunk, row));
    case "binary":
      return base64Of(bytesAt(chunk, row));
    case "fixedBinary":
      return fixedText(chunk, row, type.bytes);
    case "decimal":
      return decimalText(unscaledAt(values, row, type.bits), type.scale);
    case "date":
      return dateText(
        type.isMillis ? Number(values.getBigInt64(row * 8, true) / 86_400_000n) : values.getInt32(row * 4, true),
      );
    case "time":
      return timeText(
        type.bits === 64 ? values.getBigInt64(row * 8, true) : BigInt(values.getInt32(row * 4, true)),
        type.digits,
      );
    case "timestamp":
      return timestampText(values.getBigInt64(row * 8, true), type.digits) + (type.isZoned ? "Z" : "");
    case "duration":
      return durationText(values.getBigInt64(row * 8, true), type.digits);
    case "interval":
      return intervalAt(values, row, type.unit);
    case "list":
    case "map":
    case "fixedList":
    case "struct":
      return jsonOf(chunk, row, { charactersLeft: RENDER_BOUNDS.cellCharactersMax });
  }
}

/** A `FLOAT` is the shortest number that reads back as the same 32 bits: 0.1, not 0.10000000149011612. */
function floatAt(values: DataView, row: number, bits: 16 | 32 | 64): number {
  if (bits === 64) return values.getFloat64(row * 8, true);
  if (bits === 16) return halfOf(values.getUint16(row * 2, true));
  const value = values.getFloat32(row * 4, true);
  for (let digits = 1; digits < 9; digits++) {
    const shorter = Number(value.toPrecision(digits));
    if (Math.fround(shorter) === value) return shorter;
  }
  return Number.isFinite(value) ? Number(value.toPrecision(9)) : value;
}

function halfOf(word: number): number {
  const sign = word >> 15 === 1 ? -1 : 1;
  const exponent = (word >> 10) & 31;
  const fraction = word & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

/** Where the entries of a list, or the bytes of a text, begin and end. */
function spanAt({ field, offsets }: Chunk, row: number, size: number): [number, number] {
  const isLarge = "isLarge" in field.type && field.type.isLarge;
  const at = (index: number): number =>
    isLarge ? Number(offsets!.getBigInt64(index * 8, true)) : offsets!.getInt32(index * 4, true);
  const [start, end] = [at(row), at(row + 1)];
  if (start < 0 || end < start || end > size) throw damaged(`a value of "${field.name}" lies outside its bytes`);
  return [start, end];
}

function bytesAt(chunk: Chunk, row: number): Uint8Array {
  const { values } = chunk;
  const [start, end] = spanAt(chunk, row, values.byteLength);
  return new Uint8Array(values.buffer, values.byteOffset + start, end - start);
}

function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE_BYTES));
  return btoa(text);
}

/** Bytes of a fixed number: a UUID where the field says so. */
function fixedText({ values, field }: Chunk, row: number, size: number): string {
  const bytes = new Uint8Array(values.buffer, values.byteOffset + row * size, size);
  if (!isUuid(field.type, field.metadata)) return base64Of(bytes);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

export const isUuid = (type: ArrowType, metadata: ReadonlyMap<string, string>): boolean =>
  type.id === "fixedBinary" && type.bytes === 16 && metadata.get("ARROW:extension:name") === "arrow.uuid";

function unscaledAt(values: DataView, row: number, bits: number): bigint {
  if (bits === 32) return BigInt(values.getInt32(row * 4, true));
  let unscaled = values.getBigInt64(((row + 1) * bits) / 8 - 8, true);
  for (let at = ((row + 1) * bits) / 8 - 16; at >= (row * bits) / 8; at -= 8)
    unscaled = (unscaled << 64n) | values.getBigUint64(at, true);
  return unscaled;
}

function decimalText(unscaled: bigint, scale: number): string {
  if (scale === 0) return String(unscaled);
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  return `${unscaled < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function durationText(units: bigint, digits: number): string {
  const perDay = 86_400n * 10n ** BigInt(digits);
  return intervalText({ months: 0, days: Number(units / perDay), units: units % perDay }, digits);
}

function intervalAt(values: DataView, row: number, unit: (ArrowType & { id: "interval" })["unit"]): string {
  if (unit === "months") return intervalText({ months: values.getInt32(row * 4, true), days: 0, units: 0n }, 0);
  if (unit === "dayMillis") {
    const [days, millis] = [values.getInt32(row * 8, true), values.getInt32(row * 8 + 4, true)];
    return intervalText({ months: 0, days, units: BigInt(millis) }, 3);
  }
  const [months, days] = [values.getInt32(row * 16, true), values.getInt32(row * 16 + 4, true)];
  return intervalText({ months, days, units: values.getBigInt64(row * 16 + 8, true) }, 9);
}

/** What is left of one cell's text: dictionaries of nested values make much of few bytes. */
type Budget = { charactersLeft: number };

function jsonOf(chunk: Chunk, row: number, budget: Budget): string {
  const text = jsonText(chunk, row, budget);
  budget.charactersLeft -= text.length;
  if (budget.charactersLeft < 0)
    throw new UnreadableResult("too_large", `A value of "${chunk.field.name}" is too long to be delivered.`);
  return text;
}

function jsonText(chunk: Chunk, row: number, budget: Budget): string {
  if (!isThere(chunk, row)) return "null";
  if (chunk.dictionary) {
    const [words, index] = wordAt(chunk, row);
    return jsonOf(words, index, budget);
  }
  const { type, children } = chunk.field;
  const child = chunk.children[0];
  const list = (from: number, to: number): string => {
    const items: string[] = [];
    for (let i = from; i < to; i++) items.push(jsonOf(child!, i, budget));
    return `[${items.join(",")}]`;
  };
  switch (type.id) {
    case "list":
      return list(...spanAt(chunk, row, child!.length));
    case "fixedList":
      return list(row * type.size, (row + 1) * type.size);
    case "map":
      return mapText(chunk, row, budget);
    case "struct":
      return `{${children.map(({ name }, i) => `${JSON.stringify(name)}:${jsonOf(chunk.children[i]!, row, budget)}`).join(",")}}`;
    case "boolean":
    case "int":
    case "decimal":
      return String(valueOf(chunk, row));
    case "float": {
      const value = valueOf(chunk, row) as number;
      return Number.isFinite(value) ? String(value) : `"${value}"`;
    }
    case "text": {
      const text = valueOf(chunk, row) as string;
      return chunk.field.metadata.get("kind") === "json" ? text : JSON.stringify(text);
    }
    default:
      return JSON.stringify(valueOf(chunk, row));
  }
}

/** An object whose names are the keys as text. */
function mapText(chunk: Chunk, row: number, budget: Budget): string {
  const entries = chunk.children[0]!;
  const [keys, values] = entries.children;
  if (!keys || !values) throw damaged(`"${chunk.field.name}" has no keys`);
  const [from, to] = spanAt(chunk, row, entries.length);
  const members: string[] = [];
  for (let i = from; i < to; i++) {
    const key = jsonOf(keys, i, budget);
    members.push(`${key.startsWith('"') ? key : JSON.stringify(key)}:${jsonOf(values, i, budget)}`);
  }
  return `{${members.join(",")}}`;
}
