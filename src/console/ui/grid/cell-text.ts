// The text of one value of an Arrow column: exact, with ISO times. It reads the buffers themselves, because Arrow's own
// accessors round microseconds to milliseconds. Pure.

import { type Data, DataType, type DateDay, TimeUnit, type Vector } from "apache-arrow";
import { toBase64 } from "../../api/base64.ts";

const utf8 = new TextDecoder();
const DAY_MS = 86_400_000;

/** Null where the value is NULL. */
export function cellText(data: Data, at: number): string | null {
  if (!data.getValid(at)) return null;
  const { type, values } = data;
  if (DataType.isUtf8(type)) return utf8.decode(bytesAt(data, at));
  if (DataType.isBool(type)) return bitAt(data, at) ? "true" : "false";
  if (DataType.isInt(type) || DataType.isFloat(type)) return String(values[at]);
  if (DataType.isDecimal(type))
    return decimalText(values as Uint32Array, at, { scale: type.scale, words: type.bitWidth / 32 });
  if (DataType.isDate(type)) return dateText(data as Data<DateDay>, at);
  if (DataType.isTimestamp(type)) return instantText(toMicros(values[at], type.unit), type.timezone ? "Z" : "");
  if (DataType.isTime(type)) return timeOfDay(toMicros(values[at], type.unit));
  if (DataType.isBinary(type)) return toBase64(bytesAt(data, at));
  if (DataType.isDictionary(type)) return vectorText(data.dictionary as Vector, Number(values[at]));
  if (DataType.isNull(type)) return null;
  return JSON.stringify(nested(data, at));
}

/** The text of a value of a vector, whose values lie in chunks. */
export function vectorText(vector: Vector, at: number): string | null {
  let rest = at;
  for (const data of vector.data) {
    if (rest < data.length) return cellText(data, rest);
    rest -= data.length;
  }
  return null;
}

function bytesAt({ valueOffsets, values }: Data, at: number): Uint8Array {
  return (values as Uint8Array).subarray(Number(valueOffsets[at]), Number(valueOffsets[at + 1]));
}

function bitAt({ values, offset }: Data, at: number): boolean {
  const bit = offset + at;
  return ((values as Uint8Array)[bit >> 3]! & (1 << (bit & 7))) !== 0;
}

/** Little-endian words of 32 bits, the last of which carries the sign. */
export function decimalText(
  values: Uint32Array,
  at: number,
  { scale, words }: { scale: number; words: number },
): string {
  let value = 0n;
  for (let word = words - 1; word >= 0; word--) value = (value << 32n) | BigInt(values[at * words + word]!);
  const isNegative = (values[at * words + words - 1]! & 0x8000_0000) !== 0;
  if (isNegative) value = (1n << BigInt(words * 32)) - value;
  const digits = value.toString().padStart(scale + 1, "0");
  const whole = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return isNegative ? `-${whole}` : whole;
}

function dateText({ values, type }: Data<DateDay>, at: number): string {
  const ms = type.unit === 0 ? Number(values[at]) * DAY_MS : Number(values[at]);
  return isoDate(ms);
}

function isoDate(ms: number): string {
  const date = new Date(ms);
  // Dates that JavaScript has no place for are told by their days since 1970.
  return Number.isNaN(date.getTime()) ? `${ms / DAY_MS} days` : date.toISOString().split("T")[0]!;
}

const MICROS: Record<TimeUnit, (value: bigint) => bigint> = {
  [TimeUnit.SECOND]: (value) => value * 1_000_000n,
  [TimeUnit.MILLISECOND]: (value) => value * 1_000n,
  [TimeUnit.MICROSECOND]: (value) => value,
  [TimeUnit.NANOSECOND]: (value) => value / 1_000n,
};
const toMicros = (value: number | bigint, unit: TimeUnit): bigint => MICROS[unit](BigInt(value));

const DAY_MICROS = 86_400_000_000n;

function instantText(micros: bigint, zone: string): string {
  const inDay = ((micros % DAY_MICROS) + DAY_MICROS) % DAY_MICROS;
  const day = (micros - inDay) / DAY_MICROS;
  return `${isoDate(Number(day) * DAY_MS)}T${timeOfDay(inDay)}${zone}`;
}

function timeOfDay(micros: bigint): string {
  const seconds = Number(micros / 1_000_000n);
  const fraction = micros % 1_000_000n;
  const two = (value: number) => String(value).padStart(2, "0");
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return fraction === 0n ? clock : `${clock}.${String(fraction).padStart(6, "0").replace(/0+$/, "")}`;
}

/** Lists, structs and maps as JSON; numbers that JSON would round stay texts. */
function nested(data: Data, at: number): unknown {
  if (!data.getValid(at)) return null;
  const { type, children, valueOffsets } = data;
  if (DataType.isStruct(type))
    return Object.fromEntries(type.children.map(({ name }, i) => [name, nested(children[i]!, at)]));
  if (DataType.isFixedSizeList(type)) return range(at * type.listSize, (at + 1) * type.listSize, children[0]!);
  if (DataType.isList(type) || DataType.isMap(type)) {
    const items = range(Number(valueOffsets[at]), Number(valueOffsets[at + 1]), children[0]!);
    return DataType.isMap(type) ? items.map((entry) => Object.values(entry as object)) : items;
  }
  const text = cellText(data, at);
  if (DataType.isBool(type)) return text === "true";
  const number = Number(text);
  return (DataType.isInt(type) || DataType.isFloat(type)) && String(number) === text && Number.isFinite(number)
    ? number
    : text;
}

const range = (from: number, to: number, child: Data): unknown[] =>
  Array.from({ length: to - from }, (_, i) => nested(child, from + i));
