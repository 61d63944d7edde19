// Parts of the SELECTs that say which rows change and to what.

import { quoteIdentifier, quoteLiteral } from "../../../duckdb/quoting.ts";
import type { LakeColumn, LakeTable, LakeTableName } from "../../../../../kernel/lake/lake.ts";
import { duckdbType } from "../../../parquet/lake-types.ts";
import { ROW_POSITION } from "../../sql/relations.ts";
import type { Piece } from "../parse/token-cursor.ts";
import type { RowStatement } from "../parse/statement.ts";
import { spelled } from "../table-names.ts";
import { CHANGE } from "../../process/write-work.ts";

/** The catalog in which the table's rows have their positions as columns. */
export const POSITIONS_CATALOG = "LAKE rows";

/** The target as it stands in FROM, and the name its columns go by. */
export function targetOf(
  { alias }: Pick<RowStatement, "alias">,
  { schema, name }: LakeTable,
): { target: string; ref: string } {
  const target = [POSITIONS_CATALOG, schema, name].map(quoteIdentifier).join(".");
  return alias === undefined
    ? { target, ref: quoteIdentifier(name) }
    : { target: `${target} AS ${quoteIdentifier(alias)}`, ref: quoteIdentifier(alias) };
}

export const positionsOf = (ref: string): string[] => [
  `${ref}.${ROW_POSITION.file} AS ${CHANGE.file}`,
  `${ref}.${ROW_POSITION.position} AS ${CHANGE.position}`,
];

export const prefixOf = (ctes: Piece | undefined): string => ctes?.text ?? "";

export const keep = (column: LakeColumn, ref: string): string => `${ref}.${quoteIdentifier(column.name)}`;

/** The assigned value; DEFAULT is NULL. */
export const assigned = (column: LakeColumn, value: Piece | undefined, table: LakeTable): string =>
  cast(column, value ? `(\n${value.text}\n)` : "NULL", table);

/** `value` cast to the column's type, as DuckDB's own insert would do. */
export function cast(column: LakeColumn, value: string, table: LakeTableName): string {
  const typed = `CAST(${value} AS ${duckdbType(column)})`;
  return column.nullable
    ? typed
    : `coalesce(${typed}, error(${quoteLiteral(`NOT NULL constraint failed: ${spelled(table)}.${column.name}`)}))`;
}
