// The Arrow types of a result's columns, and what a cell says that its type can't hold.

import {
  Binary,
  Bool,
  DataType,
  DateDay,
  Decimal,
  Field,
  Float64,
  Int32,
  Int64,
  Schema,
  TimeMicrosecond,
  TimestampMicrosecond,
  Uint32,
  Uint64,
  Utf8,
} from "apache-arrow";
import { Failure } from "../../core/failure.ts";
import type { Column } from "../result.ts";
import { DECIMAL_DIGITS_MAX } from "../../../../kernel/lake/lake-types.ts";

/** Types that hold no negative numbers, in the sources' own words. */
const UNSIGNED = /unsigned|^u|^bit|^oid|^xid|^cid/i;
/** The types that a database calls huge have 128 bits, whose 39th digit Arrow's widest common type lacks. */
const HUGE = /huge/i;
/** A type for any number of digits. */
const UNBOUNDED = /^bignum$/i;
/** Arrow's times of day have no offset. */
const ZONED_TIME = /tz$|with time zone/i;

/**
 * The values that the types hold, bounds included. Days and timestamps begin with the year 1: earlier ones have no
 * single text.
 */
export const HELD = {
  huge: { min: 1n - 10n ** 38n, max: 10n ** 38n - 1n },
  /** Days since 1970, up to the year 999,999. */
  days: { min: -719_162, max: 364_522_971 },
  /** Microseconds since midnight. */
  timeMicros: { min: 0n, max: 86_400_000_000n - 1n },
  /** Microseconds since 1970. */
  timestampMicros: { min: -719_162n * 86_400_000_000n, max: 106_751_991n * 86_400_000_000n - 1n },
};

/**
 * | kind | Arrow |
 * |---|---|
 * | boolean | Bool |
 * | integer | Int32, or Uint32 where the source's type is unsigned |
 * | bigint | Int64, or Uint64; Decimal128(38, 0) for 128-bit integers; Utf8 for those of any length |
 * | decimal | Decimal128(p, s) where both are known and p ≤ 38, else Utf8 |
 * | float | Float64 |
 * | date, time | Date32, Time64 (µs); Utf8 for a time with an offset |
 * | timestamp, timestamptz | Timestamp (µs), the latter in UTC |
 * | binary | Binary |
 * | json, text | Utf8 |
 */
export function arrowTypeOf({ kind, type, precision, scale }: Column): DataType {
  switch (kind) {
    case "boolean":
      return new Bool();
    case "integer":
      return UNSIGNED.test(type) ? new Uint32() : new Int32();
    case "bigint":
      if (UNBOUNDED.test(type)) return new Utf8();
      if (HUGE.test(type)) return new Decimal(0, DECIMAL_DIGITS_MAX);
      return UNSIGNED.test(type) ? new Uint64() : new Int64();
    case "decimal": {
      const isKnown = precision !== undefined && scale !== undefined;
      return isKnown && precision <= DECIMAL_DIGITS_MAX && scale >= 0 && scale <= precision
        ? new Decimal(scale, precision)
        : new Utf8();
    }
    case "float":
      return new Float64();
    case "date":
      return new DateDay();
    case "time":
      return ZONED_TIME.test(type) ? new Utf8() : new TimeMicrosecond();
    case "timestamp":
      return new TimestampMicrosecond(null);
    case "timestamptz":
      return new TimestampMicrosecond("UTC");
    case "binary":
      return new Binary();
    case "json":
    case "text":
      return new Utf8();
  }
}

export const schemaOf = (columns: readonly Column[]): Schema =>
  new Schema(columns.map((column) => fieldOf(column, arrowTypeOf(column))));

/** The field's metadata holds the source's `type` and the `kind`. */
export function fieldOf({ name, type, kind }: Column, arrowType: DataType, nullable = true): Field {
  const metadata = new Map([
    ["type", type],
    ["kind", kind],
  ]);
  return new Field(name, arrowType, nullable, metadata);
}

/** The failure of a cell (`infinity`, a zero date, NaN in a decimal) that its type can't hold; none becomes NULL. */
export function cannotHold(name: string, type: DataType): Failure {
  const typeName = DataType.isDecimal(type) ? `Decimal(${type.precision}, ${type.scale})` : String(type);
  return new Failure(
    "sql_error",
    `Column "${name}" has a value that Arrow's type ${typeName} can't hold. ` +
      "Cast the column to text in the statement, or ask for another format.",
  );
}
