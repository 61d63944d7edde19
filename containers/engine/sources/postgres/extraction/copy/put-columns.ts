// A column's cells of a batch of rows are put by one loop, chosen by the kind of cell. A loop puts the usual values; a
// NULL and any other value go to `putRare`, which takes every value that has the form of its type, and refuses others.
// The loops are written out, alike as they are: one loop for all would call a function of the kind for each cell.

import { ODD_FLOAT } from "../../../../extract/chunk-builder.ts";
import { CELL, DAYS, EXACT_HIGH, MICROSECONDS_TO_2000, MINUS_ZERO, type Cell, type CellKind } from "./cell-kinds.ts";
import { createNumericColumn } from "./numeric-column.ts";
import type { PutColumn } from "./row-batch.ts";

export const putColumnOf = ({ kind, column: { reading, width } }: Cell): PutColumn =>
  kind === CELL.decimal && reading.as === "decimal"
    ? createNumericColumn(width, reading.precision, reading.scale)
    : PUT_COLUMNS[kind];

const putEach: PutColumn = ({ view, starts, rows }, place, _, row, putRare) => {
  for (let i = 0; i < rows; i++) {
    const at = starts[place + i]!;
    putRare(row + i, at, view.getInt32(at - 4));
  }
  return 0;
};

const putBooleans: PutColumn = ({ view, starts, rows }, place, { u8 }, row, putRare) => {
  for (let i = 0; i < rows; i++) {
    const at = starts[place + i]!;
    const length = view.getInt32(at - 4);
    const value = length === 1 ? view.getUint8(at) : -1;
    if (value === 0 || value === 1) u8[row + i] = value;
    else putRare(row + i, at, length);
  }
  return 0;
};

const putInt16s: PutColumn = ({ view, starts, rows }, place, { i16 }, row, putRare) => {
  for (let i = 0; i < rows; i++) {
    const at = starts[place + i]!;
    const length = view.getInt32(at - 4);
    if (length === 2) i16[row + i] = view.getInt16(at);
    else putRare(row + i, at, length);
  }
  return 0;
};

const putInt32s: PutColumn = ({ view, starts, rows }, place, { i32 }, row, putRare) => {
  for (let i = 0; i < rows; i++) {
    const at = starts[place + i]!;
    const length = view.getInt32(at - 4);
    if (length === 4) i32[row + i] = view.getInt32(at);
    else putRare(row + i, at, length);
  }
  return 0;
};

const putInt64s: PutColumn = ({ view, starts, rows }, place, { i32 }, row, putRare) => {
  for (let i = 0, entry = row * 2; i < rows; i++, entry += 2) {
    const at = starts[place + i]!;
    const length = view.getInt32(at - 4);
    if (length === 8) {
      i32[entry] = view.getInt32(at + 4);
      i32[entry + 1] = view.getInt32(at);
    } else putRare(row + i, at, length);
  }
  return 0;
};

const putFloat32s: PutColumn = ({ view, starts, rows }, place, { i32 }, row, putRare) => {
  let odd = 0;
  for (let i = 0; i < rows; i++) {
    const at = starts[place + i]!;
    const length = view.getInt32(at - 4);
    if (length === 4) {
      const bits = view.getInt32(at);
      i32[row + i] = bits;
      if ((bits & 0x7f80_0000) === 0x7f80_0000) odd |= ODD_FLOAT.nan;
      else if (bits === MINUS_ZERO) odd |= ODD_FLOAT.negativeZero;
    } else putRare(row + i, at, length);
  }
  return odd;
};

const putFloat64s: PutColumn = ({ view, starts, rows }, place, { i32 }, row, putRare) => {
  let odd = 0;
  for (let i = 0, entry = row * 2; i < rows; i++, entry += 2) {
    const at = starts[place + i]!;
    const length = view.getInt32(at - 4);
    if (length === 8) {
      const high = view.getInt32(at);
      const low = view.getInt32(at + 4);
      i32[entry] = low;
      i32[entry + 1] = high;
      if ((high & 0x7ff0_0000) === 0x7ff0_0000) odd |= ODD_FLOAT.nan;
      else if (high === MINUS_ZERO && low === 0) odd |= ODD_FLOAT.negativeZero;
    } else putRare(row + i, at, length);
  }
  return odd;
};

const putDates: PutColumn = ({ view, starts, rows }, place, { i32 }, row, putRare) => {
  for (let i = 0; i < rows; i++) {
    const at = starts[place + i]!;
    const length = view.getInt32(at - 4);
    const days = length === 4 ? view.getInt32(at) : DAYS.min - 1;
    if (days >= DAYS.min && days <= DAYS.max) i32[row + i] = days + DAYS.to2000;
    else putRare(row + i, at, length);
  }
  return 0;
};

const TO_2000 = {
  low: MICROSECONDS_TO_2000 % 4_294_967_296,
  high: Math.floor(MICROSECONDS_TO_2000 / 4_294_967_296),
} as const;

const putTimestamps: PutColumn = ({ view, starts, rows }, place, { i32 }, row, putRare) => {
  for (let i = 0, entry = row * 2; i < rows; i++, entry += 2) {
    const at = starts[place + i]!;
    const length = view.getInt32(at - 4);
    const high = length === 8 ? view.getInt32(at) : EXACT_HIGH.below;
    if (high > EXACT_HIGH.above && high < EXACT_HIGH.below) {
      const low = view.getUint32(at + 4) + TO_2000.low;
      i32[entry] = low;
      i32[entry + 1] = high + TO_2000.high + (low >= 4_294_967_296 ? 1 : 0);
    } else putRare(row + i, at, length);
  }
  return 0;
};

/** A time of day whose upper half is less is before 23:51:39. */
const DAY_HIGH = 20;

const putTimes: PutColumn = ({ view, starts, rows }, place, { i32 }, row, putRare) => {
  for (let i = 0, entry = row * 2; i < rows; i++, entry += 2) {
    const at = starts[place + i]!;
    const length = view.getInt32(at - 4);
    const high = length === 8 ? view.getInt32(at) : -1;
    if (high >= 0 && high < DAY_HIGH) {
      i32[entry] = view.getInt32(at + 4);
      i32[entry + 1] = high;
    } else putRare(row + i, at, length);
  }
  return 0;
};

const putUuids: PutColumn = ({ view, starts, rows }, place, { i32 }, row, putRare) => {
  for (let i = 0, entry = row * 4; i < rows; i++, entry += 4) {
    const at = starts[place + i]!;
    const length = view.getInt32(at - 4);
    if (length === 16) {
      i32[entry] = view.getInt32(at + 12);
      i32[entry + 1] = view.getInt32(at + 8);
      i32[entry + 2] = view.getInt32(at + 4);
      // DuckDB keeps it as a signed number that sorts as the uuid does.
      i32[entry + 3] = view.getInt32(at) ^ 0x8000_0000;
    } else putRare(row + i, at, length);
  }
  return 0;
};

const putTexts: PutColumn = ({ memory, view, starts, rows }, place, to, row, putRare) => {
  for (let i = 0; i < rows; i++) {
    const at = starts[place + i]!;
    const length = view.getInt32(at - 4);
    if (length >= 0) to.putBytes(row + i, memory, at, length, view);
    else putRare(row + i, at, length);
  }
  return 0;
};

/** A value of jsonb is its version, 1, and then text. */
const putJsonbs: PutColumn = ({ memory, view, starts, rows }, place, to, row, putRare) => {
  for (let i = 0; i < rows; i++) {
    const at = starts[place + i]!;
    const length = view.getInt32(at - 4);
    if (length >= 1 && view.getUint8(at) === 1) to.putBytes(row + i, memory, at + 1, length - 1, view);
    else putRare(row + i, at, length);
  }
  return 0;
};

const PUT_COLUMNS: Readonly<Record<CellKind, PutColumn>> = {
  [CELL.byte]: putBooleans,
  [CELL.int16]: putInt16s,
  [CELL.int32]: putInt32s,
  [CELL.int64]: putInt64s,
  [CELL.float32]: putFloat32s,
  [CELL.float64]: putFloat64s,
  [CELL.decimal]: putEach,
  [CELL.date]: putDates,
  [CELL.timestamp]: putTimestamps,
  [CELL.time]: putTimes,
  [CELL.uuid]: putUuids,
  [CELL.bytes]: putTexts,
  [CELL.jsonb]: putJsonbs,
  [CELL.list]: putEach,
};
