// How a column of a result gets from DuckDB into Arrow: what is selected, and who reads the vector.

import { DuckDBDecimalType, DuckDBTypeId as Id, type DuckDBType } from "@duckdb/node-api";
import { DataType, type Field } from "apache-arrow";
import { textOf } from "../../canonical-text.ts";
import { CONVERSIONS, numbers, type Conversion } from "./numbers.ts";
import { blobs, booleans, spelled, texts } from "./stores.ts";
import type { VectorStore } from "./vector-column.ts";

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
  [Id.DOUBLE]: "word64",
  [Id.DATE]: "date",
  [Id.TIME]: "time",
  [Id.TIMESTAMP]: "timestampMicros",
  [Id.TIMESTAMP_TZ]: "timestampMicros",
  [Id.TIMESTAMP_S]: "timestampSeconds",
  [Id.TIMESTAMP_MS]: "timestampMillis",
  [Id.TIMESTAMP_NS]: "timestampNanos",
};

function conversionOf(type: DuckDBType): Conversion | undefined {
  if (type instanceof DuckDBDecimalType) {
    const { width } = type;
    return CONVERSIONS[width <= 4 ? "decimal16" : width <= 9 ? "decimal32" : width <= 18 ? "decimal64" : "decimal128"];
  }
  // As the double that its text is: 0.1, and not 0.10000000149011612.
  if (type.typeId === Id.FLOAT) return CONVERSIONS.word64;
  const name = NUMBERS[type.typeId];
  return name && CONVERSIONS[name];
}

/** What of `ref`, a plain name, is selected. */
export function selectOf(type: DuckDBType, ref: string): string {
  if (type.typeId === Id.FLOAT) return `CAST(CAST(${ref} AS VARCHAR) AS DOUBLE)`;
  const isRead = conversionOf(type) !== undefined || type.typeId === Id.BOOLEAN || type.typeId === Id.BLOB;
  return isRead ? ref : textOf(type, ref);
}

/** `rowsMax`, `keptBytes`: of a batch, and what of a column's memory may be kept from batch to batch. */
export type StoreBounds = { rowsMax: number; keptBytes: number };

/** Holds what `selectOf` selects as `field` has it. */
export function storeOf(type: DuckDBType, field: Field, { rowsMax, keptBytes }: StoreBounds): VectorStore {
  const conversion = conversionOf(type);
  if (conversion) return numbers(field.type as DataType, conversion, rowsMax);
  if (type.typeId === Id.BOOLEAN) return booleans(rowsMax);
  if (type.typeId === Id.BLOB) return blobs(rowsMax, keptBytes);
  return DataType.isUtf8(field.type)
    ? texts(field.name, rowsMax, keptBytes)
    : spelled(field.name, field.type as DataType, rowsMax);
}
