// A result's vectors are checked to be laid out as those of the types that were described.

import {
  DuckDBArrayType,
  DuckDBDecimalType,
  DuckDBEnumType,
  type DuckDBResult,
  type DuckDBType,
} from "@duckdb/node-api";
import { partsOf } from "../../../duckdb/type-parts.ts";

/**
 * Throws where the columns of `result` from `first` on are not of `types`: entries of another width would be read from
 * memory of others.
 */
export function checkEntries(result: DuckDBResult, first: number, types: readonly DuckDBType[]): void {
  types.forEach((type, i) => {
    const given = result.columnType(first + i);
    if (!hasSameEntries(given, type)) throw new Error(`A column came as ${given.toString()}, not ${type.toString()}.`);
  });
}

function hasSameEntries(given: DuckDBType, type: DuckDBType): boolean {
  if (given.typeId !== type.typeId) return false;
  if (given instanceof DuckDBDecimalType && type instanceof DuckDBDecimalType)
    return given.width === type.width && given.scale === type.scale;
  // The words of a dictionary are those that were described.
  if (given instanceof DuckDBEnumType && type instanceof DuckDBEnumType)
    return given.values.length === type.values.length && given.values.every((word, i) => word === type.values[i]);
  if (given instanceof DuckDBArrayType && type instanceof DuckDBArrayType && given.length !== type.length) return false;
  const [parts, expected] = [partsOf(given), partsOf(type)];
  return parts.length === expected.length && parts.every((part, i) => hasSameEntries(part, expected[i]!));
}
