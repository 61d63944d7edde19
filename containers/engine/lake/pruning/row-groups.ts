// The statistics in the footers of files show which row groups hold no row that matters. DuckDB compares, in its own
// order.

import type { DuckDBConnection } from "@duckdb/node-api";
import type { RowPredicate } from "../../../../kernel/lake/row-predicates.ts";
import { quoteLiteral } from "../../duckdb/quoting.ts";
import type { Comparison } from "./plan-filters.ts";

/**
 * Conditions, which must all hold, on Parquet columns of files. `leaf`: the column's index among them. `type`:
 * DuckDB's.
 */
export type RowGroupQuestion = {
  paths: string[];
  conditions: Array<{ leaf: number; type: string; anyOf: RowPredicate<Comparison> }>;
};

/** Row groups of each file, in the order of the question's paths. */
export type RowGroups = number[][];

/** The row groups of each question's files of which none can hold a row for which all its conditions are true. */
export async function findRowGroups(
  connection: DuckDBConnection,
  questions: readonly RowGroupQuestion[],
): Promise<RowGroups[]> {
  const found: RowGroups[] = [];
  for (const { paths, conditions } of questions) {
    const ruledOut = conditions.map(
      ({ leaf, type, anyOf }) =>
        `(column_id = ${leaf} AND NOT ` +
        `coalesce(${anyOf.map((all) => `(${all.map((test) => mayHold(type, test)).join(" AND ")})`).join(" OR ")}, ` +
        "true))",
    );
    const reader = await connection.runAndReadAll(
      `SELECT DISTINCT file_name, CAST(row_group_id AS DOUBLE)
        FROM parquet_metadata([${paths.map(quoteLiteral).join(", ")}]) WHERE ${ruledOut.join(" OR ")}`,
    );
    const groups = new Map<string, number[]>(paths.map((path) => [path, []]));
    for (const [path, rowGroup] of reader.getRows() as Array<[string, number]>) groups.get(path)!.push(rowGroup);
    found.push(paths.map((path) => groups.get(path)!));
  }
  return found;
}

/** The condition on a row group's statistics; NULL where the statistics do not decide, or DuckDB does not use them. */
function mayHold(type: string, { op, values }: Comparison): string {
  if (op === "is_null") return "stats_null_count > 0";
  if (op === "is_not_null") return "stats_null_count < num_values";
  if (type === "BOOLEAN") return "NULL";
  const isText = type === "VARCHAR" || type === "JSON";
  if (isText && !values.every((value) => PLAIN.test(value))) return "NULL";
  const [min, max] = [`TRY_CAST(stats_min_value AS ${type})`, `TRY_CAST(stats_max_value AS ${type})`];
  const tests = values.map((value) => {
    const constant = `CAST(${quoteLiteral(value)} AS ${type})`;
    if (op === "<" || op === "<=") return `${min} ${op} ${constant}`;
    if (op === ">" || op === ">=") return `${max} ${op} ${constant}`;
    return `${constant} BETWEEN ${min} AND ${max}`;
  });
  const known = [min, max].map((bound) =>
    isText ? `regexp_full_match(${bound}, '${PLAIN.source}')` : `${bound} IS NOT NULL`,
  );
  return `CASE WHEN ${known.join(" AND ")} THEN ${tests.join(" OR ")} END`;
}

/** Text whose order DuckDB trusts: not empty, and ASCII. */
const PLAIN = /^[ -~]+$/;
