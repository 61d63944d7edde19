// Row filters in DuckDB's SQL, over columns of lake tables.

import { quoteLiteral } from "../duckdb/quoting.ts";
import type { LakeColumn } from "../../../kernel/lake/lake.ts";
import { duckdbType } from "../parquet/lake-types.ts";
import { filterType } from "../../../kernel/lake/lake-types.ts";
import type { TextPlace } from "../../../kernel/access/filter-grammar.ts";
import type { FilterColumn, FilterDialect } from "./row-filter-sql.ts";

/** `constantType`: the DuckDB type of what the column is compared with. */
export type DuckdbFilterColumn = FilterColumn & { constantType: string };

export const duckdbFilterColumn = (column: LakeColumn, sql: string): DuckdbFilterColumn => ({
  sql,
  type: filterType(column.type),
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
