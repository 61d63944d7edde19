// A result's column gets the Parquet type that holds each of its values exactly. A column that no type holds is text.

import type { SchemaElement } from "hyparquet-writer";
import { fromBase64 } from "../../../../core/encoding.ts";
import type { Cell } from "../../../../../kernel/docs/draw/result-table.ts";
import type { ColumnKind, ResultTable } from "../../../../../kernel/docs/draw/result-table.ts";

type Value = Exclude<Cell, null>;

/** `toValue`: a cell as the writer takes it; undefined where the type does not hold it. */
type Candidate = { element: Omit<SchemaElement, "name">; toValue(cell: Value): unknown };

export type ParquetColumn = { at: number; element: SchemaElement; toValue(cell: Value): unknown };

/** Column `at` in the narrowest type that holds each of its values. */
export function parquetColumnOf(table: ResultTable, at: number, name: string): ParquetColumn {
  const { kind } = table.columns[at]!;
  const found = CANDIDATES[kind](table, at).find(({ toValue }) => holdsAll(table, at, toValue)) ?? TEXT;
  return { at, element: { name, repetition_type: "OPTIONAL", ...found.element }, toValue: found.toValue };
}

function holdsAll(table: ResultTable, at: number, toValue: Candidate["toValue"]): boolean {
  for (let row = 0; row < table.rowCount; row++) {
    const cell = table.cell(row, at);
    if (cell !== null && toValue(cell) === undefined) return false;
  }
  return true;
}

const TEXT: Candidate = { element: { type: "BYTE_ARRAY", converted_type: "UTF8" }, toValue: String };

const BINARY: Candidate = { element: { type: "BYTE_ARRAY" }, toValue: (cell) => fromBase64(String(cell)) };

const whole = (min: bigint, max: bigint, element: Candidate["element"], isWide: boolean): Candidate => ({
  element,
  toValue(cell) {
    if (typeof cell !== "number" && typeof cell !== "bigint") return undefined;
    if (cell < min || cell > max) return undefined;
    return isWide ? BigInt(cell) : Number(cell);
  },
});
const INT32 = whole(-(2n ** 31n), 2n ** 31n - 1n, { type: "INT32" }, false);
const INT64 = whole(-(2n ** 63n), 2n ** 63n - 1n, { type: "INT64" }, true);
const UINT64 = whole(0n, 2n ** 64n - 1n, { type: "INT64", converted_type: "UINT_64" }, true);

const DECIMAL_DIGITS_MAX = 38;
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** The decimal type has as many digits behind the point as the column's cells have. */
function decimals(table: ResultTable, at: number): Candidate {
  let scale = 0;
  for (let row = 0; row < table.rowCount; row++)
    scale = Math.max(scale, DECIMAL.exec(String(table.cell(row, at)))?.[3]?.length ?? 0);
  return {
    element: {
      type: "FIXED_LEN_BYTE_ARRAY",
      type_length: 16,
      converted_type: "DECIMAL",
      precision: DECIMAL_DIGITS_MAX,
      scale,
    },
    toValue(cell) {
      const [, sign, whole, fraction = ""] = DECIMAL.exec(String(cell)) ?? [];
      if (whole === undefined || scale > DECIMAL_DIGITS_MAX) return undefined;
      const digits = (whole + fraction.padEnd(scale, "0")).replace(/^0+(?=\d)/, "");
      return digits.length > DECIMAL_DIGITS_MAX ? undefined : BigInt(sign + digits);
    },
  };
}

const DATE = /^(\d{4,6})-(\d\d)-(\d\d)$/;
const CLOCK = /^(\d\d):(\d\d):(\d\d)(?:\.(\d+))?$/;

/** Days since 1970; undefined for a day before Christ, or one that JavaScript does not know. */
function daysOf(text: string): number | undefined {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (day === undefined) return undefined;
  const millis = new Date(0).setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return Number.isNaN(millis) ? undefined : millis / 86_400_000;
}

/** A time of day in units of `10 ** -digits` seconds; undefined where it is finer. */
function clockOf(text: string, digits: number): bigint | undefined {
  const [, hours, minutes, seconds, fraction = ""] = CLOCK.exec(text) ?? [];
  if (seconds === undefined || fraction.length > digits) return undefined;
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return BigInt(whole) * 10n ** BigInt(digits) + BigInt(fraction.padEnd(digits, "0") || "0");
}

const INT64_MAX = 2n ** 63n - 1n;

function instants(unit: "MICROS" | "NANOS", isAdjustedToUTC: boolean): Candidate {
  const digits = unit === "MICROS" ? 6 : 9;
  const perDay = 86_400n * 10n ** BigInt(digits);
  return {
    element: { type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC, unit } },
    toValue(cell) {
      const [date = "", clock = ""] = String(cell).replace(/Z$/, "").split("T");
      const days = daysOf(date);
      const ofDay = clockOf(clock, digits);
      if (days === undefined || ofDay === undefined) return undefined;
      const units = BigInt(days) * perDay + ofDay;
      return units > INT64_MAX || units < -INT64_MAX ? undefined : units;
    },
  };
}

/** The types that may hold a column of a kind, the first choice first. */
const CANDIDATES: Record<ColumnKind, (table: ResultTable, at: number) => Candidate[]> = {
  boolean: () => [{ element: { type: "BOOLEAN" }, toValue: (cell) => (typeof cell === "boolean" ? cell : undefined) }],
  integer: () => [INT32, INT64],
  bigint: (table, at) => [INT64, UINT64, decimals(table, at)],
  decimal: (table, at) => [decimals(table, at)],
  float: () => [{ element: { type: "DOUBLE" }, toValue: (cell) => (typeof cell === "number" ? cell : undefined) }],
  date: () => [{ element: { type: "INT32", converted_type: "DATE" }, toValue: (cell) => daysOf(String(cell)) }],
  time: () => [
    {
      element: { type: "INT64", logical_type: { type: "TIME", isAdjustedToUTC: false, unit: "MICROS" } },
      toValue: (cell) => clockOf(String(cell), 6),
    },
  ],
  timestamp: () => [instants("MICROS", false), instants("NANOS", false)],
  timestamptz: () => [instants("MICROS", true), instants("NANOS", true)],
  binary: () => [BINARY],
  // Made JSON, the library would parse a value and write it anew, which changes its numbers.
  json: () => [TEXT],
  text: () => [TEXT],
};
