// The column in which a data file carries its rows' ids, where they are not those that follow from the file's first:
// DuckLake's name for it, and the field id by which readers find it. No column of the table, so no query sees it.

import type { LakeColumn } from "../../../kernel/lake/lake.ts";
import { sameName } from "../duckdb/names.ts";
import type { FileField } from "./footers.ts";

const NAME = "_ducklake_internal_row_id";
/** The field id that DuckDB reserves for row ids, as the Iceberg specification does for `_row_id`. */
const FIELD_ID = 2_147_483_540;

/** The column of the ids, beside a table's `columns`. Where one of them has its name, it takes another. */
export function rowIdColumn(columns: readonly LakeColumn[]): LakeColumn {
  let name = NAME;
  while (columns.some((column) => sameName(column.name, name))) name += "_";
  return { id: FIELD_ID, name, type: "int64", nullable: false, children: [] };
}

/** Whether a file carries its rows' ids. */
export const hasRowIds = (shape: readonly FileField[]): boolean => shape.some(({ id }) => id === FIELD_ID);
