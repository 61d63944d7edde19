// Floats that are -0, which DuckDB's Parquet dictionaries do not distinguish from 0: where there are any, and how to
// write without dictionaries.

import { isFloat } from "../../../kernel/lake/lake-types.ts";
import type { LakeColumn } from "../../../kernel/lake/lake.ts";
import { duckdbType } from "./lake-types.ts";
import { quoteLiteral } from "../duckdb/quoting.ts";

/** Options of COPY. It takes them for a whole file only. */
export const NO_DICTIONARY = ["DICTIONARY_SIZE_LIMIT 0"];

/** Whether any of `columns` is a float, or holds some. */
export const hasFloats = (columns: readonly LakeColumn[]): boolean =>
  columns.some((column) => isFloat(column.type) || hasFloats(column.children));

const MET = "fjord: negative zero";

/** `value`, or the error that {@link isNegativeZeroMet} knows where it is -0 or holds one. `value` may be repeated. */
export function refuseNegativeZero(column: LakeColumn, value: string): string {
  if (!hasFloats([column])) return value;
  const refusal = `CAST(error(${quoteLiteral(MET)}) AS ${duckdbType(column)})`;
  return `CASE WHEN ${holdsNegativeZero(column, value, 0)} THEN ${refusal} ELSE ${value} END`;
}

export const isNegativeZeroMet = (error: unknown): boolean => error instanceof Error && error.message.includes(MET);

/** True or false, NULL for NULL. */
function holdsNegativeZero(column: LakeColumn, value: string, depth: number): string {
  const { type, children } = column;
  if (isFloat(type)) return `(${value} = 0 AND signbit(${value}))`;
  const item = `i${depth}`;
  const any = (list: string, child: LakeColumn): string => {
    const isMet = `coalesce(${holdsNegativeZero(child, item, depth + 1)}, false)`;
    return `list_contains(list_transform(${list}, lambda ${item}: ${isMet}), true)`;
  };
  const parts = children
    .map((child, i) => ({ child, i }))
    .filter(({ child }) => hasFloats([child]))
    .map(({ child, i }) => {
      if (type === "list") return any(value, child);
      if (type === "map") return any(`${i === 0 ? "map_keys" : "map_values"}(${value})`, child);
      const field = `struct_extract(${value}, ${quoteLiteral(child.name)})`;
      return `coalesce(${holdsNegativeZero(child, field, depth)}, false)`;
    });
  return `(${parts.join(" OR ")})`;
}
