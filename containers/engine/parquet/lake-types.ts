// DuckLake's column types in DuckDB's words.

import { scalarType } from "../../../kernel/lake/lake-types.ts";
import type { LakeColumn } from "../../../kernel/lake/lake.ts";
import { quoteIdentifier } from "../duckdb/quoting.ts";

/** The DuckDB type of a lake column, nested ones spelled out. Throws on a type DuckLake 1.0 does not know. */
export function duckdbType(column: LakeColumn): string {
  const { type, children } = column;
  if (type === "list" && children.length === 1) return `${duckdbType(children[0]!)}[]`;
  if (type === "struct" && children.length > 0)
    return `STRUCT(${children.map((child) => `${quoteIdentifier(child.name)} ${duckdbType(child)}`).join(", ")})`;
  if (type === "map" && children.length === 2) return `MAP(${duckdbType(children[0]!)}, ${duckdbType(children[1]!)})`;
  const known = scalarType(type)?.duckdb;
  if (!known) throw new Error(`column ${column.name} has the type ${type}, which the lake does not know`);
  return known;
}
