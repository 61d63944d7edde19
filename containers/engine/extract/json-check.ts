// JSON columns are checked on their way into the lake: sources take for JSON what DuckDB would refuse to read back, and
// the whole file with it.

import { quoteIdentifier } from "../duckdb/quoting.ts";
import type { SourceColumn } from "./source-table.ts";
import { TypeMismatch } from "./type-mismatch.ts";

/** DuckDB's error of a value that is not JSON begins with this; the column's index follows. */
const NOT_JSON = "not JSON in column";

/** `rows`, a FROM clause or a SELECT of it, with a check of each column that is JSON. */
export function withJsonCheck(columns: readonly SourceColumn[], rows: string): string {
  const checks = columns.flatMap(({ lake }, i) => {
    if (lake.type !== "json") return [];
    const value = quoteIdentifier(lake.name);
    const refusal = `CAST(error('${NOT_JSON} ${i};') AS JSON)`;
    return `CASE WHEN json_valid(${value}) OR ${value} IS NULL THEN ${value} ELSE ${refusal} END AS ${value}`;
  });
  return checks.length === 0 ? rows : `SELECT * REPLACE (${checks.join(", ")}) ${rows}`;
}

/** The mismatch that an error of the check stands for; other errors as they are. */
export function toTypeMismatch(error: unknown, columns: readonly SourceColumn[]): unknown {
  const index = new RegExp(`${NOT_JSON} (\\d+);`).exec((error as Error).message)?.[1];
  if (index === undefined) return error;
  const { name } = columns[Number(index)]!;
  return new TypeMismatch(name, "JSON that is not whole, such as half of a surrogate pair", "json", "varchar");
}
