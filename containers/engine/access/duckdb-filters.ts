// Row filters in DuckDB's SQL, over columns of lake tables.

import { quoteLiteral } from "../duckdb/quoting.ts";
import type { LakeColumn } from "../contract/lake.ts";
import { duckdbType } from "../parquet/lake-types.ts";
import type { FilterType } from "./filter-constants.ts";
import type { FilterColumn, FilterDialect, TextPlace } from "./row-filter-sql.ts";

/** `constantType`: the DuckDB type of what the column is compared with. */
export type DuckdbFilterColumn = FilterColumn & { constantType: string };

export const duckdbFilterColumn = (column: LakeColumn, sql: string): DuckdbFilterColumn => ({
  sql,
  type: filterTypeOf(column.type),
  // A constant would be rounded to the coarser types, and be equal to what it is not.
  constantType: /^timestamp_m?s$/.test(column.type) ? "TIMESTAMP" : duckdbType(column),
});

const HOLDS: Readonly<Record<TextPlace, string>> = { anywhere: "contains", start: "starts_with", end: "ends_with" };

export const DUCKDB_FILTERS: FilterDialect<DuckdbFilterColumn> = {
  constant: (column, constant) => {
    const written = column.constantType === "TIMESTAMP WITH TIME ZONE" ? `${constant}+00` : constant;
    return `CAST(${quoteLiteral(written)} AS ${column.constantType})`;
  },
  isOneOf: ({ sql }, constants) =>
    constants.length === 1 ? `(${sql} = ${constants[0]!})` : `(${sql} IN (${constants.join(", ")}))`,
  holdsText: ({ sql }, text, place) => `${HOLDS[place]}(lower(${sql}), lower(${quoteLiteral(text)}))`,
};

const INTEGER = /^(u?)int(8|16|32|64|128)$/;
const DECIMAL = /^decimal\((\d{1,2}),\s*(\d{1,2})\)$/;

function filterTypeOf(type: string): FilterType {
  const [, unsigned, bits] = INTEGER.exec(type) ?? [];
  if (bits !== undefined) {
    const values = 1n << BigInt(bits);
    return unsigned === "u"
      ? { kind: "number", scale: 0, min: 0n, max: values - 1n }
      : { kind: "number", scale: 0, min: -values / 2n, max: values / 2n - 1n };
  }
  const [, width, scale] = DECIMAL.exec(type) ?? [];
  if (width !== undefined) {
    const end = 10n ** BigInt(width);
    return { kind: "number", scale: Number(scale), min: 1n - end, max: end - 1n };
  }
  if (type === "float32") return { kind: "number", scale: "float" };
  if (type === "float64") return { kind: "number", scale: "double" };
  if (type === "varchar") return { kind: "text" };
  if (type === "boolean" || type === "uuid" || type === "date") return { kind: type };
  // Nanoseconds since 1970 in 64 bits.
  if (type === "timestamp_ns") return { kind: "instant", years: [1678, 2261] };
  return { kind: /^timestamp(tz|_s|_ms)?$/.test(type) ? "instant" : "other" };
}
