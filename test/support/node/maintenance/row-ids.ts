// The ids of a lake table's rows, as its catalog and its files say: by DuckLake 1.0's rules, read here on their own.

import { join } from "node:path";
import type { CatalogPlatform } from "../lake/catalog-platform.ts";
import type { MaintenancePlatform } from "./maintenance-platform.ts";

/** What DuckDB reserves for `_row_id`, and DuckLake for the ids of rows whose file carries them. */
export const ROW_ID_FIELD = 2_147_483_540;

/** The id of every row that is left, with its value of the column `key`, which all files call by that name. */
export async function readRowIds(
  { duckdb, bucket }: CatalogPlatform,
  maintenance: MaintenancePlatform,
  table: string,
  key = "id",
): Promise<Array<[rowId: number, key: string]>> {
  const found: Array<[number, string]> = [];
  for (const { path, rowIdStart, deletes } of maintenance.groupOf(table).files) {
    const file = join(bucket, path);
    const schema = await duckdb.runAndReadAll(`FROM (DESCRIBE FROM read_parquet('${file}'))`);
    const names = schema.getRows().map(([name]) => String(name));
    const fields = await duckdb.runAndReadAll(
      `SELECT name FROM parquet_schema('${file}') WHERE field_id = ${ROW_ID_FIELD}`,
    );
    const [carried] = fields.getRows()[0] ?? [];
    if (carried === undefined && rowIdStart === null) throw new Error(`The row ids of ${path} are lost.`);
    // Under other names, for a user's may be those of what DuckDB adds.
    const at = (name: string) => `c${names.indexOf(name)}`;
    const rowId = carried === undefined ? `${rowIdStart} + file_row_number` : at(String(carried));
    const left = deletes
      ? ` WHERE file_row_number NOT IN (SELECT pos FROM read_parquet('${join(bucket, deletes.path)}'))`
      : "";
    const rows = await duckdb.runAndReadAll(
      `SELECT (${rowId})::DOUBLE, ${at(key)}::VARCHAR
       FROM read_parquet('${file}') AS f(${names.map((_, i) => `c${i}`).join(", ")})${left}`,
    );
    found.push(...(rows.getRows() as Array<[number, string]>));
  }
  return found.sort(([left], [right]) => left - right);
}

/** Says of each of a table's files whether it carries its rows' ids. */
export async function carriesRowIds(
  { duckdb, bucket }: CatalogPlatform,
  maintenance: MaintenancePlatform,
  table: string,
): Promise<boolean[]> {
  const found: boolean[] = [];
  for (const path of maintenance.pathsOf(table)) {
    const fields = await duckdb.runAndReadAll(
      `SELECT 1 FROM parquet_schema('${join(bucket, path)}') WHERE field_id = ${ROW_ID_FIELD}`,
    );
    found.push(fields.getRows().length > 0);
  }
  return found;
}
