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

const KINDS: Readonly<Record<Exclude<Reading["as"], "bits">, CellKind>> = {
  boolean: CELL.byte,
  integer: CELL.int64,
  float: CELL.float64,
  decimal: CELL.decimal,
  time: CELL.time,
  date: CELL.date,
  timestamp: CELL.timestamp,
  timestamptz: CELL.timestamp,
  uuid: CELL.uuid,
  jsonb: CELL.jsonb,
  list: CELL.list,
  text: CELL.bytes,
  blob: CELL.bytes,
};

function kindOf({ as }: Reading, width: number): CellKind {
  if (as === "bits") throw new Error("nothing of PostgreSQL's is read as bits");
  if (as === "integer" && width <= 4) return width === 2 ? CELL.int16 : CELL.int32;
  return as === "float" && width === 4 ? CELL.float32 : KINDS[as];
}
