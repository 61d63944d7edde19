// An Arrow stream as the kernel's drawing reads a result: numbers exact, times as ISO texts.

import { DataType, tableFromIPC, TimeUnit, type Field } from "apache-arrow";
import type { Cell, ColumnKind, ResultTable } from "../../../../kernel/docs/draw/result-table.ts";

export function readArrow(bytes: Uint8Array): ResultTable {
  const table = tableFromIPC(bytes);
  const { fields } = table.schema;
  const kinds = fields.map(kindOf);
  return {
    columns: fields.map(({ name }, at) => ({ name, kind: kinds[at]! })),
    rowCount: table.numRows,
    cell: (row, column) => cellOf(table.getChildAt(column)?.get(row), fields[column]!, kinds[column]!),
  };
}

const WIDE_BITS = 64;

function kindOf({ type }: Field): ColumnKind {
  if (DataType.isDictionary(type)) return kindOf({ type: type.dictionary } as Field);
  if (DataType.isBool(type)) return "boolean";
  if (DataType.isInt(type)) return type.bitWidth === WIDE_BITS ? "bigint" : "integer";
  if (DataType.isFloat(type)) return "float";
  if (DataType.isDecimal(type)) return "decimal";
  if (DataType.isDate(type)) return "date";
  if (DataType.isTime(type)) return "time";
  if (DataType.isTimestamp(type)) return type.timezone ? "timestamptz" : "timestamp";
  if (DataType.isBinary(type) || DataType.isLargeBinary(type) || DataType.isFixedSizeBinary(type)) return "binary";
  return DataType.isUtf8(type) || DataType.isLargeUtf8(type) ? "text" : "json";
}

function cellOf(value: unknown, { type }: Field, kind: ColumnKind): Cell {
  if (value === null || value === undefined) return null;
  if (kind === "decimal" && DataType.isDecimal(type)) return decimalText(String(value), type.scale);
  if (kind === "date") return new Date(Number(value)).toISOString().slice(0, 10);
  if (kind === "timestamp" || kind === "timestamptz")
    return `${new Date(Number(value))
      .toISOString()
      .replace(/\.000Z$/, "Z")
      .slice(0, -1)}${kind === "timestamptz" ? "Z" : ""}`;
  if (kind === "time" && DataType.isTime(type)) return timeText(BigInt(value as number | bigint), type.unit);
  if (typeof value === "object")
    return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? String(part) : part));
  return value as Cell;
}

/** Digits of a whole number with its point put in. */
export function decimalText(digits: string, scale: number): string {
  if (scale <= 0) return digits;
  const sign = digits.startsWith("-") ? "-" : "";
  const padded = digits.slice(sign.length).padStart(scale + 1, "0");
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

const PER_SECOND: Record<TimeUnit, bigint> = {
  [TimeUnit.SECOND]: 1n,
  [TimeUnit.MILLISECOND]: 1_000n,
  [TimeUnit.MICROSECOND]: 1_000_000n,
  [TimeUnit.NANOSECOND]: 1_000_000_000n,
};

function timeText(value: bigint, unit: TimeUnit): string {
  const seconds = Number(value / PER_SECOND[unit]);
  return new Date(seconds * 1_000).toISOString().slice(11, 19);
}
