// The types that a nested type is made of.

import {
  DuckDBArrayType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  DuckDBUnionType,
  type DuckDBType,
} from "@duckdb/node-api";

/** None of a type that does not nest. */
export function partsOf(type: DuckDBType): readonly DuckDBType[] {
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) return [type.valueType];
  if (type instanceof DuckDBMapType) return [type.keyType, type.valueType];
  if (type instanceof DuckDBStructType) return type.entryTypes;
  return type instanceof DuckDBUnionType ? type.memberTypes : [];
}
