// The ways in which a cell of binary COPY becomes a cell of a chunk, and the bounds of PostgreSQL's times.

import type { Reading, SourceColumn } from "../../../../extract/source-table.ts";
import { createNumericReader, type PutNumeric } from "./numeric.ts";

export const CELL = {
  byte: 0,
  int16: 1,
  int32: 2,
  int64: 3,
  float32: 4,
  float64: 5,
  decimal: 6,
  date: 7,
  timestamp: 8,
  uuid: 9,
  bytes: 10,
  jsonb: 11,
  list: 12,
  time: 13,
} as const;

export type CellKind = (typeof CELL)[keyof typeof CELL];

export type Cell = { kind: CellKind; column: SourceColumn; numeric: PutNumeric | undefined; element: Cell | undefined };

/**
 * Days from 2000 to the years that PostgreSQL's dates end with, 4714 BC and 5874897, and from 1970 to 2000.
 */
export const DAYS = { min: -2_451_545, max: 2_145_031_948, to2000: 10_957 } as const;
/** Microseconds from 1970 to 2000, from which PostgreSQL counts. */
export const MICROSECONDS_TO_2000 = 946_684_800_000_000;
/** The bits of -0, or their upper half. */
export const MINUS_ZERO = -0x8000_0000;
/**
 * 285 years around 2000: microseconds whose upper halves lie between these are exact in a double, also counted from
 * 1970.
 */
export const EXACT_HIGH = { above: -0x20_0000 + 0x3_6000, below: 0x1f_ffff - 0x3_6000 } as const;

export function cellOf(reading: Reading, width: number, column: SourceColumn): Cell {
  const element = reading.as === "list" ? cellOf(reading.element, reading.element.width, column) : undefined;
  const numeric = reading.as === "decimal" ? createNumericReader(width, reading.precision, reading.scale) : undefined;
  return { kind: kindOf(reading, width), column, numeric, element };
}

function kindOf(reading: Reading, width: number): CellKind {
  switch (reading.as) {
    case "boolean":
      return CELL.byte;
    case "integer":
      return width === 2 ? CELL.int16 : width === 4 ? CELL.int32 : CELL.int64;
    case "float":
      return width === 4 ? CELL.float32 : CELL.float64;
    case "decimal":
      return CELL.decimal;
    case "time":
      return CELL.time;
    case "date":
      return CELL.date;
    case "timestamp":
    case "timestamptz":
      return CELL.timestamp;
    case "uuid":
      return CELL.uuid;
    case "jsonb":
      return CELL.jsonb;
    case "list":
      return CELL.list;
    case "text":
    case "blob":
      return CELL.bytes;
    case "bits":
      throw new Error("nothing of PostgreSQL's is read as bits");
  }
}
