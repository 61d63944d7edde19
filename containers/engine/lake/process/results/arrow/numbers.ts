// Numbers of fixed width: from DuckDB's layout into Arrow's, none of them through a text.

import type { DataType } from "apache-arrow";
import { readEntries, release } from "../../../../duckdb/vectors/entries.ts";
import { HELD } from "../../../../formats/arrow/schema.ts";
import { Memory } from "./memory.ts";
import type { VectorStore } from "./vector-column.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type Numbers = { readonly BYTES_PER_ELEMENT: number; new (buffer: ArrayBuffer, at: number, count: number): unknown };

/** `width` and `widthOut`: bytes of a number before and after. `put` answers whether Arrow's type holds all of them. */
export type Conversion = { width: number; widthOut: number; put(from: Bytes, into: Bytes): boolean };

/** `type`: that of the column, or of a dictionary's indices. */
export function numbers(type: DataType, { width, widthOut, put }: Conversion, keptBytes: number): VectorStore {
  const NumbersOut = type.ArrayType as Numbers;
  const values = new Memory(keptBytes);
  let read: Bytes;
  return {
    read: (vector, rows, validity) => void (read = readEntries(vector, rows, width, validity)),
    release: () => release(read),
    size: (from, to) => (to - from) * widthOut,
    put(from, to, at) {
      const end = (at + to - from) * widthOut;
      values.reserve(end);
      return put(read.subarray(from * width, to * width), values.bytes.subarray(at * widthOut, end));
    },
    buffers: (rows) => ({
      data: new NumbersOut(values.bytes.buffer, 0, (rows * widthOut) / NumbersOut.BYTES_PER_ELEMENT),
    }),
    clear: () => values.reset(),
  };
}

const int16s = (bytes: Bytes) => new Int16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 1);
const uint16s = (bytes: Bytes) => new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 1);
const int32s = (bytes: Bytes) => new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
const uint32s = (bytes: Bytes) => new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
const int64s = (bytes: Bytes) => new BigInt64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 3);

/** Copies numbers unchanged. A value that does not pass `holds` is reported by false. */
function same(width: number, holds: (numbers: Bytes) => boolean = () => true): Conversion {
  return {
    width,
    widthOut: width,
    put(from, into) {
      into.set(from);
      return holds(from);
    },
  };
}

function widened(width: number, widen: (from: Bytes, into: Bytes) => void): Conversion {
  return {
    width,
    widthOut: 4,
    put(from, into) {
      widen(from, into);
      return true;
    },
  };
}

/** The digits of a decimal in 128 bits. */
function decimals(width: number, words: (from: Bytes) => Int16Array | Int32Array): Conversion {
  const step = width === 8 ? 2 : 1;
  return {
    width,
    widthOut: 16,
    put(from, into) {
      const source = words(from);
      const target = int32s(into);
      for (let i = 0, at = 0; i < source.length; i += step, at += 4) {
        const low = source[i]!;
        const high = step === 2 ? source[i + 1]! : low >> 31;
        const sign = high >> 31;
        target[at] = low;
        target[at + 1] = high;
        target[at + 2] = sign;
        target[at + 3] = sign;
      }
      return true;
    },
  };
}

/** Times of another unit. `toMicros`: undefined where there are none that say the same. */
function inMicros({ min, max }: Range<bigint>, toMicros: (units: bigint) => bigint | undefined): Conversion {
  return {
    width: 8,
    widthOut: 8,
    put(from, into) {
      const target = int64s(into);
      let at = 0;
      for (const units of int64s(from)) {
        const micros = toMicros(units);
        if (micros === undefined || micros < min || micros > max) return false;
        target[at++] = micros;
      }
      return true;
    },
  };
}

type Range<Value> = { min: Value; max: Value };

const within32 =
  ({ min, max }: Range<number>) =>
  (numbers: Bytes): boolean => {
    const values = int32s(numbers);
    for (let i = 0; i < values.length; i++) if (values[i]! < min || values[i]! > max) return false;
    return true;
  };

/** Compares whole numbers by their upper half first: reading each as a bigint costs ten times as much. */
const within64 = ({ min, max }: Range<bigint>): ((numbers: Bytes) => boolean) => {
  const [low, high] = [Number(min >> 32n), Number(max >> 32n)];
  return (numbers) => {
    const halves = int32s(numbers);
    let whole: BigInt64Array | undefined;
    for (let i = 1; i < halves.length; i += 2) {
      const upper = halves[i]!;
      if (upper > low && upper < high) continue;
      if (upper < low || upper > high) return false;
      const value = (whole ??= int64s(numbers))[i >> 1]!;
      if (value < min || value > max) return false;
    }
    return true;
  };
};

/** 128 bits hold somewhat more than 38 digits. `signed`: those of HUGEINT, not of UHUGEINT. */
const within38Digits =
  (signed: boolean) =>
  (numbers: Bytes): boolean => {
    const words = signed ? int32s(numbers) : uint32s(numbers);
    const halves = int64s(numbers);
    const top = Number(HELD.huge.max >> 96n);
    for (let i = 3; i < words.length; i += 4) {
      const upper = words[i]!;
      if (upper > -top && upper < top) continue;
      const high = halves[i >> 1]!;
      const value = ((signed ? high : BigInt.asUintN(64, high)) << 64n) | BigInt.asUintN(64, halves[(i >> 1) - 1]!);
      if (value < HELD.huge.min || value > HELD.huge.max) return false;
    }
    return true;
  };

const wholeMicros = (nanos: bigint): bigint | undefined => (nanos % 1_000n === 0n ? nanos / 1_000n : undefined);

export const CONVERSIONS = {
  byte: same(1),
  word16: same(2),
  int8: widened(1, (from, into) => int32s(into).set(new Int8Array(from.buffer, from.byteOffset, from.byteLength))),
  int16: widened(2, (from, into) => int32s(into).set(int16s(from))),
  uint8: widened(1, (from, into) => uint32s(into).set(from)),
  uint16: widened(2, (from, into) => uint32s(into).set(uint16s(from))),
  word32: same(4),
  word64: same(8),
  int128: same(16, within38Digits(true)),
  uint128: same(16, within38Digits(false)),
  decimal16: decimals(2, int16s),
  decimal32: decimals(4, int32s),
  decimal64: decimals(8, int32s),
  decimal128: same(16),
  date: same(4, within32(HELD.days)),
  time: same(8, within64(HELD.timeMicros)),
  timestampMicros: same(8, within64(HELD.timestampMicros)),
  timeNanos: inMicros(HELD.timeMicros, wholeMicros),
  timestampSeconds: inMicros(HELD.timestampMicros, (seconds) => seconds * 1_000_000n),
  timestampMillis: inMicros(HELD.timestampMicros, (millis) => millis * 1_000n),
  timestampNanos: inMicros(HELD.timestampMicros, wholeMicros),
} satisfies Record<string, Conversion>;
