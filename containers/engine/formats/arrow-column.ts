// One column of an Arrow batch in the making.

import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Float64,
  Int32,
  Int64,
  makeData,
  TimeMicrosecond,
  TimestampMicrosecond,
  Uint32,
  Uint64,
  Utf8,
  type Data,
} from "apache-arrow";
import { isUtf8 } from "node:buffer";
import { Failure } from "../core/failure.ts";
import { isNumberText, putScaled, putTimestamp, readDays, readDouble, readTime } from "./arrow-values.ts";
import { Output } from "./output.ts";
import type { Column } from "./result.ts";

/** What holds a column's values: the type, how a cell gets in, what comes out. */
type Store = {
  type: DataType;
  /** Stores a cell of the batch's row. False: the type can't hold it. */
  put(row: number, from: Buffer, start: number, end: number): boolean;
  /** Called for a NULL cell instead. */
  skip(row: number): void;
  /** Bytes of variable width held. */
  size(): number;
  /** The buffers of the first `rows` rows. They are written over after `clear`. */
  buffers(rows: number): { data: unknown; valueOffsets?: Int32Array };
  clear(): void;
};

export type ArrowColumn = {
  type: DataType;
  put(row: number, from: Buffer, start: number, end: number): boolean;
  putNull(row: number): void;
  size(): number;
  data(rows: number): Data;
  clear(): void;
};

/** A column of up to `rowsMax` rows, used again for every batch. */
export function createArrowColumn(column: Column, rowsMax: number): ArrowColumn {
  const store = createStore(column, rowsMax);
  const validity = new Uint8Array((rowsMax + 7) >> 3);
  let nullCount = 0;
  return {
    type: store.type,
    put(row, from, start, end) {
      validity[row >> 3]! |= 1 << (row & 7);
      return store.put(row, from, start, end);
    },
    putNull(row) {
      nullCount++;
      store.skip(row);
    },
    size: () => store.size(),
    data: (rows) =>
      makeData({
        type: store.type,
        length: rows,
        nullCount,
        nullBitmap: nullCount > 0 ? validity : null,
        ...store.buffers(rows),
      } as Parameters<typeof makeData>[0]),
    clear() {
      nullCount = 0;
      validity.fill(0);
      store.clear();
    },
  };
}

/** Types that hold no negative numbers, in the sources' own words. */
const UNSIGNED = /unsigned|^u|^bit|^oid|^xid|^cid/i;

function createStore({ name, kind, type, precision, scale }: Column, rowsMax: number): Store {
  switch (kind) {
    case "boolean":
      return bits(rowsMax);
    case "integer": {
      const unsigned = UNSIGNED.test(type);
      const [min, max] = unsigned ? [0, 4_294_967_295] : [-2_147_483_648, 2_147_483_647];
      return fixed(
        unsigned ? new Uint32() : new Int32(),
        unsigned ? new Uint32Array(rowsMax) : new Int32Array(rowsMax),
        (values, row, from, start, end) => {
          const value = readDouble(from, start, end);
          if (end === start || !Number.isInteger(value) || value < min || value > max) return false;
          values[row] = value;
          return true;
        },
      );
    }
    case "bigint":
      // What a database calls huge has 128 bits, whose 39th digit Arrow's widest common type lacks.
      if (/huge/i.test(type))
        return scaled(new Decimal(0, 38), rowsMax, { words: 4, signed: true, digitsMax: 38, scale: 0 });
      return UNSIGNED.test(type)
        ? scaled(new Uint64(), rowsMax, { words: 2, signed: false, digitsMax: 20, scale: 0 })
        : scaled(new Int64(), rowsMax, { words: 2, signed: true, digitsMax: 19, scale: 0 });
    case "decimal":
      if (precision === undefined || scale === undefined || precision > 38 || scale < 0 || scale > precision)
        return texts(name, rowsMax);
      return scaled(new Decimal(scale, precision), rowsMax, { words: 4, signed: true, digitsMax: precision, scale });
    case "float":
      return fixed(new Float64(), new Float64Array(rowsMax), (values, row, from, start, end) => {
        values[row] = readDouble(from, start, end);
        return isNumberText(from, start, end);
      });
    case "date":
      return fixed(new DateDay(), new Int32Array(rowsMax), (values, row, from, start, end) => {
        const days = readDays(from, start, end);
        values[row] = days;
        return !Number.isNaN(days);
      });
    case "time":
      return fixed(new TimeMicrosecond(), new BigInt64Array(rowsMax), (values, row, from, start, end) => {
        const micros = readTime(from, start, end);
        if (Number.isNaN(micros)) return false;
        values[row] = BigInt(micros);
        return true;
      });
    case "timestamp":
    case "timestamptz": {
      const zoned = kind === "timestamptz";
      return fixed(
        new TimestampMicrosecond(zoned ? "UTC" : null),
        new BigInt64Array(rowsMax),
        (values, row, from, start, end) => putTimestamp(values, row, zoned, from, start, end),
      );
    }
    case "binary":
      return bytes(new Binary(), rowsMax, putBase64);
    case "json":
    case "text":
      return texts(name, rowsMax);
  }
}

type Numbers = Int32Array | Uint32Array | Float64Array | BigInt64Array;

function fixed<Values extends Numbers>(
  type: DataType,
  values: Values,
  put: (values: Values, row: number, from: Buffer, start: number, end: number) => boolean,
): Store {
  return {
    type,
    put: (row, from, start, end) => put(values, row, from, start, end),
    skip: () => undefined,
    size: () => 0,
    buffers: () => ({ data: values }),
    // The cell of a NULL must not keep what an earlier batch left there.
    clear: () => void new Uint8Array(values.buffer).fill(0),
  };
}

/** Integers of so many 32-bit words, which hold a decimal's digits without its point. */
type Scaled = { words: 2 | 4; signed: boolean; digitsMax: number; scale: number };

function scaled(type: DataType, rowsMax: number, { words, signed, digitsMax, scale }: Scaled): Store {
  const values = new Uint32Array(rowsMax * words);
  const data = words === 4 ? values : signed ? new BigInt64Array(values.buffer) : new BigUint64Array(values.buffer);
  return {
    ...fixed(type, values, () => false),
    put: (row, from, start, end) => putScaled(values, row, words, signed, digitsMax, scale, from, start, end),
    buffers: () => ({ data }),
  };
}

function bits(rowsMax: number): Store {
  const values = new Uint8Array((rowsMax + 7) >> 3);
  return {
    type: new Bool(),
    put(row, from, start, end) {
      const isTrue = end - start === 4 && from.toString("latin1", start, end) === "true";
      if (isTrue) values[row >> 3]! |= 1 << (row & 7);
      return isTrue || from.toString("latin1", start, end) === "false";
    },
    skip: () => undefined,
    size: () => 0,
    buffers: () => ({ data: values }),
    clear: () => void values.fill(0),
  };
}

type PutBytes = (values: Output, from: Buffer, start: number, end: number) => void;
const putBytes: PutBytes = (values, from, start, end) => values.copy(from, start, end);
const putBase64: PutBytes = (values, from, start, end) => {
  values.reserve(end - start);
  values.length += values.bytes.write(from.toString("latin1", start, end), values.length, "base64");
};

/** What is sent as UTF-8 is: all of a batch at once, and each value from where a character begins. */
function texts(name: string, rowsMax: number): Store {
  const store = bytes(new Utf8(), rowsMax, putBytes);
  return {
    ...store,
    buffers(rows) {
      const { data, valueOffsets } = store.buffers(rows) as { data: Buffer; valueOffsets: Int32Array };
      let isText = isUtf8(data);
      for (let row = 1; isText && row < rows; row++) isText = (data[valueOffsets[row]!]! & 0xc0) !== 0x80;
      if (!isText)
        throw new Failure(
          "sql_error",
          `Column "${name}" holds text that is not UTF-8. ` +
            "Correct it at the source, or cast it to bytes in the statement.",
        );
      return { data, valueOffsets };
    },
  };
}

function bytes(type: DataType, rowsMax: number, put: PutBytes): Store {
  const values = new Output();
  const valueOffsets = new Int32Array(rowsMax + 1);
  return {
    type,
    put(row, from, start, end) {
      put(values, from, start, end);
      valueOffsets[row + 1] = values.length;
      return true;
    },
    skip: (row) => void (valueOffsets[row + 1] = values.length),
    size: () => values.length,
    buffers: (rows) => ({
      data: values.bytes.subarray(0, values.length),
      valueOffsets: valueOffsets.subarray(0, rows + 1),
    }),
    clear: () => void values.take(),
  };
}
