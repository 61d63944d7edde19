// The types that the columns of a lake may have, and what every program knows of them. A type is added here; the
// compiler then asks for all that must be said of it. Pure.

import type { FilterType } from "../access/filter-constants.ts";

/** How two bounds of a type, which are texts in DuckLake's encoding, compare. `none`: no comparison is certain. */
export type BoundOrder = "truth" | "whole" | "decimal" | "float" | "text" | "hex" | "instant" | "none";

/**
 * The axis of a type's values: counted in units of BIGINT, days, microseconds or doubles. Times of day have quantiles
 * and no buckets.
 */
export type Axis = "bigint" | "double" | "day" | "microsecond" | "timeOfDay" | "none";

export type ScalarType = {
  /** The name of the type in DuckDB's SQL. */
  duckdb: string;
  /** The bytes of a value in a DuckDB vector. */
  vectorBytes: 1 | 2 | 4 | 8 | 16;
  order: BoundOrder;
  /** Whether a plan leaves files out by bounds of the type. In doubt a file stays. */
  prunes: boolean;
  /** The type of the constants that a row filter compares a column of the type with. */
  filter: FilterType;
  axis: Axis;
  /**
   * The types that a column of the type may become without its files being written anew: DuckLake's type promotions.
   */
  promotesTo: readonly string[];
  /** Whether a Parquet file that DuckDB writes gives every value back as it was. */
  isExactInParquet: boolean;
};

const OTHER: FilterType = { kind: "other" };

const wholeNumber = (duckdb: string, bits: 8 | 16 | 32 | 64 | 128, promotesTo: readonly string[] = []): ScalarType => {
  const [isUnsigned, values] = [duckdb.startsWith("U"), 1n << BigInt(bits)];
  const [min, max] = isUnsigned ? [0n, values - 1n] : [-values / 2n, values / 2n - 1n];
  return {
    duckdb,
    vectorBytes: (bits / 8) as ScalarType["vectorBytes"],
    order: "whole",
    prunes: true,
    filter: { kind: "number", scale: 0, min, max },
    axis: bits < 64 || (bits === 64 && !isUnsigned) ? "bigint" : "double",
    promotesTo,
    // Parquet has no whole number of 128 bits: DuckDB writes a double.
    isExactInParquet: bits < 128,
  };
};

const floating = (duckdb: string, scale: "float" | "double", promotesTo: readonly string[] = []): ScalarType => ({
  duckdb,
  vectorBytes: scale === "float" ? 4 : 8,
  order: "float",
  prunes: true,
  filter: { kind: "number", scale },
  axis: "double",
  promotesTo,
  isExactInParquet: true,
});

const timestamp = (duckdb: string, filter: FilterType = { kind: "instant" }): ScalarType => ({
  duckdb,
  vectorBytes: 8,
  order: "instant",
  prunes: true,
  filter,
  axis: "microsecond",
  promotesTo: [],
  isExactInParquet: true,
});

/** A type that has no relatives: its files hold it exactly, and it is promoted to no other. */
const single = (
  facts: Pick<ScalarType, "duckdb" | "vectorBytes" | "order" | "prunes"> & Partial<ScalarType>,
): ScalarType => ({ filter: OTHER, axis: "none", promotesTo: [], isExactInParquet: true, ...facts });

/** The types of one word. Decimals have parameters and nested types children: {@link scalarType} reads the former. */
export const SCALAR_TYPES = {
  boolean: single({ duckdb: "BOOLEAN", vectorBytes: 1, order: "truth", prunes: true, filter: { kind: "boolean" } }),
  int8: wholeNumber("TINYINT", 8, ["int16", "int32", "int64"]),
  int16: wholeNumber("SMALLINT", 16, ["int32", "int64"]),
  int32: wholeNumber("INTEGER", 32, ["int64"]),
  int64: wholeNumber("BIGINT", 64),
  int128: wholeNumber("HUGEINT", 128),
  uint8: wholeNumber("UTINYINT", 8, ["uint16", "uint32", "uint64"]),
  uint16: wholeNumber("USMALLINT", 16, ["uint32", "uint64"]),
  uint32: wholeNumber("UINTEGER", 32, ["uint64"]),
  uint64: wholeNumber("UBIGINT", 64),
  uint128: wholeNumber("UHUGEINT", 128),
  float32: floating("FLOAT", "float", ["float64"]),
  float64: floating("DOUBLE", "double"),
  date: single({
    duckdb: "DATE",
    vectorBytes: 4,
    order: "instant",
    prunes: true,
    filter: { kind: "date" },
    axis: "day",
  }),
  time: single({ duckdb: "TIME", vectorBytes: 8, order: "instant", prunes: true, axis: "timeOfDay" }),
  timetz: single({
    duckdb: "TIME WITH TIME ZONE",
    vectorBytes: 8,
    order: "instant",
    prunes: false,
    // A Parquet file can't hold the time's offset.
    isExactInParquet: false,
  }),
  timestamp: timestamp("TIMESTAMP"),
  timestamp_s: timestamp("TIMESTAMP_S"),
  timestamp_ms: timestamp("TIMESTAMP_MS"),
  // Nanoseconds since 1970 in 64 bits.
  timestamp_ns: timestamp("TIMESTAMP_NS", { kind: "instant", years: [1678, 2261] }),
  timestamptz: timestamp("TIMESTAMP WITH TIME ZONE"),
  // Parquet's interval counts milliseconds.
  interval: single({ duckdb: "INTERVAL", vectorBytes: 16, order: "none", prunes: false, isExactInParquet: false }),
  varchar: single({ duckdb: "VARCHAR", vectorBytes: 16, order: "text", prunes: true, filter: { kind: "text" } }),
  json: single({ duckdb: "JSON", vectorBytes: 16, order: "text", prunes: true }),
  blob: single({ duckdb: "BLOB", vectorBytes: 16, order: "hex", prunes: false }),
  uuid: single({ duckdb: "UUID", vectorBytes: 16, order: "hex", prunes: true, filter: { kind: "uuid" } }),
} satisfies Record<string, ScalarType>;

export type ScalarName = keyof typeof SCALAR_TYPES;

export const isScalarName = (type: string): type is ScalarName => Object.hasOwn(SCALAR_TYPES, type);

const DECIMAL = /^decimal\((\d{1,2}), ?(\d{1,2})\)$/;
export const DECIMAL_DIGITS_MAX = 38;

/** The digits of a decimal, and how many of them stand behind its point; undefined where `type` is no decimal. */
export function decimalDigits(type: string): { precision: number; scale: number } | undefined {
  const [, precision, scale] = DECIMAL.exec(type) ?? [];
  return precision === undefined ? undefined : { precision: Number(precision), scale: Number(scale) };
}

/** The decimal types built so far: plans ask for one type once a file. */
const decimals = new Map<string, ScalarType>();

function decimalType(type: string): ScalarType | undefined {
  const known = decimals.get(type);
  const digits = known ? undefined : decimalDigits(type);
  if (!digits) return known;
  const { precision, scale } = digits;
  if (precision < 1 || precision > DECIMAL_DIGITS_MAX || scale > precision) return undefined;
  const end = 10n ** BigInt(precision);
  const made: ScalarType = {
    duckdb: type.toUpperCase(),
    vectorBytes: precision <= 4 ? 2 : precision <= 9 ? 4 : precision <= 18 ? 8 : 16,
    order: "decimal",
    prunes: true,
    filter: { kind: "number", scale, min: 1n - end, max: end - 1n },
    axis: "double",
    promotesTo: [],
    isExactInParquet: true,
  };
  decimals.set(type, made);
  return made;
}

/** The facts of a type that has no children; undefined where the lake has no such type. */
export const scalarType = (type: string): ScalarType | undefined =>
  isScalarName(type) ? SCALAR_TYPES[type] : decimalType(type);

/** A row filter's view of a column: a nested one can only be tested for having a value. */
export const filterType = (type: string): FilterType => scalarType(type)?.filter ?? OTHER;

export const isFloat = (type: string): boolean => scalarType(type)?.order === "float";

/** Whether the engine may plan, and the catalog takes, a column's change from one type to the other. */
export const canPromote = (from: string, to: string): boolean => scalarType(from)?.promotesTo.includes(to) ?? false;
