// Some columns of a result get from DuckDB into Arrow as they are, and others as texts that DuckDB makes of them.

import { DuckDBDecimalType, DuckDBTypeId as Id, VARCHAR, type DuckDBType } from "@duckdb/node-api";
import { partsOf } from "../../../../duckdb/type-parts.ts";
import { textOf } from "../../canonical-text.ts";
import { CONVERSIONS, type Conversion } from "./numbers.ts";

type Names = keyof typeof CONVERSIONS;

/** Types whose vectors are read as they are. */
const NUMBERS: Partial<Record<Id, Names>> = {
  [Id.TINYINT]: "int8",
  [Id.SMALLINT]: "int16",
  [Id.INTEGER]: "word32",
  [Id.BIGINT]: "word64",
  [Id.HUGEINT]: "int128",
  [Id.UTINYINT]: "uint8",
  [Id.USMALLINT]: "uint16",
  [Id.UINTEGER]: "word32",
  [Id.UBIGINT]: "word64",
  [Id.UHUGEINT]: "uint128",
  [Id.FLOAT]: "word32",
  [Id.DOUBLE]: "word64",
  [Id.DATE]: "date",
  [Id.TIME]: "time",
  [Id.TIME_NS]: "timeNanos",
  [Id.TIMESTAMP]: "timestampMicros",
  [Id.TIMESTAMP_TZ]: "timestampMicros",
  [Id.TIMESTAMP_S]: "timestampSeconds",
  [Id.TIMESTAMP_MS]: "timestampMillis",
  [Id.TIMESTAMP_NS]: "timestampNanos",
};

/** Other types whose vectors are read. */
const READ = new Set([
  Id.BOOLEAN,
  Id.VARCHAR,
  Id.BLOB,
  Id.UUID,
  Id.INTERVAL,
  Id.ENUM,
  Id.LIST,
  Id.ARRAY,
  Id.STRUCT,
  Id.MAP,
]);

/** The conversion of a type that is a number of fixed width in both DuckDB and Arrow. */
export function conversionOf(type: DuckDBType): Conversion | undefined {
  if (type instanceof DuckDBDecimalType) {
    const { width } = type;
    return CONVERSIONS[width <= 4 ? "decimal16" : width <= 9 ? "decimal32" : width <= 18 ? "decimal64" : "decimal128"];
  }
  const name = NUMBERS[type.typeId];
  return name && CONVERSIONS[name];
}

/** Arrow's C++ library, and so Python's, reads no more than 64 levels, of which a map takes two. */
const DEPTH_MAX = 32;

/** Whether the type's vector is read. A type with a part that is not read is written as one text. */
export function isRead(type: DuckDBType, levels = DEPTH_MAX): boolean {
  const isKnown = READ.has(type.typeId) || conversionOf(type) !== undefined;
  return isKnown && levels > 0 && partsOf(type).every((part) => isRead(part, levels - 1));
}

/** Columns of Arrow's that a type takes, its own and those of its parts. */
export const countColumns = (type: DuckDBType): number =>
  isRead(type) ? partsOf(type).reduce((sum, part) => sum + countColumns(part), 1) : 1;

/** Whether the column is selected unchanged. Top-level JSON is made valid when it is selected. */
const isAsItIs = (type: DuckDBType): boolean => isRead(type) && type.alias !== "JSON";

/** The SQL that is selected for `ref`, a plain name. */
export const selectOf = (type: DuckDBType, ref: string): string => (isAsItIs(type) ? ref : textOf(type, ref));

/** The type of the selected SQL. */
export const selectedType = (type: DuckDBType): DuckDBType => (isAsItIs(type) ? type : VARCHAR);
