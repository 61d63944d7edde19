// One column of an Arrow batch in the making, its cells given as canonical text.

import { type Data, DataType, makeData } from "apache-arrow";
import { Output } from "../output.ts";
import { checkText } from "./stream.ts";
import { isNumberText, putScaled, putTimestamp, readDays, readDouble, readTime, type Scaled } from "./text-values.ts";

/** The store of a column's values: how a cell gets in, and the data that comes out. */
type Store = {
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

export type TextColumn = {
  type: DataType;
  put(row: number, from: Buffer, start: number, end: number): boolean;
  putNull(row: number): void;
  size(): number;
  data(rows: number): Data;
  clear(): void;
};

/** A column of up to `rowsMax` rows, used again for every batch. */
export function createTextColumn(name: string, type: DataType, rowsMax: number): TextColumn {
  const store = createStore(name, type, rowsMax);
  const validity = new Uint8Array((rowsMax + 7) >> 3);
  let nullCount = 0;
  return {
    type,
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
        type,
        length: rows,
        nullCount,
        nullBitmap: nullCount > 0 ? validity.subarray(0, (rows + 7) >> 3) : null,
        ...store.buffers(rows),
      } as Parameters<typeof makeData>[0]),
    clear() {
      nullCount = 0;
      validity.fill(0);
      store.clear();
    },
  };
}

function createStore(name: string, type: DataType, rowsMax: number): Store {
  if (DataType.isBool(type)) return bits(rowsMax);
  if (DataType.isUtf8(type)) return texts(name, rowsMax);
  if (DataType.isBinary(type)) return bytes(rowsMax, putBase64);
  if (DataType.isDecimal(type))
    return scaled(rowsMax, { words: 4, signed: true, precision: type.precision, scale: type.scale });
  if (DataType.isInt(type) && type.bitWidth === 64)
    return scaled(rowsMax, { words: 2, signed: type.isSigned, precision: type.isSigned ? 19 : 20, scale: 0 });
  if (DataType.isInt(type)) return integers(type.isSigned, rowsMax);
  if (DataType.isFloat(type))
    return fixed(new Float64Array(rowsMax), (values, row, from, start, end) => {
      values[row] = readDouble(from, start, end);
      return isNumberText(from, start, end);
    });
  if (DataType.isDate(type))
    return fixed(new Int32Array(rowsMax), (values, row, from, start, end) => {
      const days = readDays(from, start, end);
      values[row] = days;
      return !Number.isNaN(days);
    });
  if (DataType.isTime(type))
    return fixed(new BigInt64Array(rowsMax), (values, row, from, start, end) => {
      const micros = readTime(from, start, end);
      if (Number.isNaN(micros)) return false;
      values[row] = BigInt(micros);
      return true;
    });
  if (!DataType.isTimestamp(type)) throw new Error(`No column of a result has Arrow's type ${String(type)}.`);
  const zoned = type.timezone !== null && type.timezone !== undefined;
  return fixed(new BigInt64Array(rowsMax), (values, row, from, start, end) =>
    putTimestamp(values, row, zoned, from, start, end),
  );
}

function integers(signed: boolean, rowsMax: number): Store {
  const [min, max] = signed ? [-2_147_483_648, 2_147_483_647] : [0, 4_294_967_295];
  return fixed(signed ? new Int32Array(rowsMax) : new Uint32Array(rowsMax), (values, row, from, start, end) => {
    const value = readDouble(from, start, end);
    if (end === start || !Number.isInteger(value) || value < min || value > max) return false;
    values[row] = value;
    return true;
  });
}

type Numbers = Int32Array | Uint32Array | Float64Array | BigInt64Array;

function fixed<Values extends Numbers>(
  values: Values,
  put: (values: Values, row: number, from: Buffer, start: number, end: number) => boolean,
): Store {
  return {
    put: (row, from, start, end) => put(values, row, from, start, end),
    skip: () => undefined,
    size: () => 0,
    buffers: () => ({ data: values }),
    // The cell of a NULL must not keep what an earlier batch left there.
    clear: () => void new Uint8Array(values.buffer).fill(0),
  };
}

function scaled(rowsMax: number, to: Scaled): Store {
  const { words, signed } = to;
  const values = new Uint32Array(rowsMax * words);
  const data = words === 4 ? values : signed ? new BigInt64Array(values.buffer) : new BigUint64Array(values.buffer);
  return {
    ...fixed(values, () => false),
    put: (row, from, start, end) => putScaled(values, row, to, from, start, end),
    buffers: () => ({ data }),
  };
}

function bits(rowsMax: number): Store {
  const values = new Uint8Array((rowsMax + 7) >> 3);
  return {
    put(row, from, start, end) {
      const isTrue = end - start === 4 && from.toString("latin1", start, end) === "true";
      if (isTrue) values[row >> 3]! |= 1 << (row & 7);
      return isTrue || from.toString("latin1", start, end) === "false";
    },
    skip: () => undefined,
    size: () => 0,
    buffers: (rows) => ({ data: values.subarray(0, (rows + 7) >> 3) }),
    clear: () => void values.fill(0),
  };
}

type PutBytes = (values: Output, from: Buffer, start: number, end: number) => void;
const putBytes: PutBytes = (values, from, start, end) => values.copy(from, start, end);
const putBase64: PutBytes = (values, from, start, end) => {
  values.reserve(end - start);
  values.length += values.bytes.write(from.toString("latin1", start, end), values.length, "base64");
};

function texts(name: string, rowsMax: number): Store {
  const store = bytes(rowsMax, putBytes);
  return {
    ...store,
    buffers(rows) {
      const { data, valueOffsets } = store.buffers(rows) as { data: Buffer; valueOffsets: Int32Array };
      checkText(name, data, valueOffsets, rows);
      return { data, valueOffsets };
    },
  };
}

function bytes(rowsMax: number, put: PutBytes): Store {
  const values = new Output();
  const valueOffsets = new Int32Array(rowsMax + 1);
  return {
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
