// The columns of a dataset's rows become those of the table that it builds. Pure.

import type { LakeColumn, LakeTable } from "../../../../kernel/lake/lake.ts";
import { canPromote } from "../../../../kernel/lake/lake-types.ts";
import type { StagedTable, TableTarget } from "../../../../kernel/wire/builds.ts";
import { sameName } from "../../duckdb/names.ts";
import { numberColumns } from "../../extract/plan-columns.ts";
import { duckdbType } from "../../parquet/lake-types.ts";
import type { QueryColumn } from "../process/write-work.ts";
import { needLake, refuseTwice, shifted } from "../write/changes/change-definitions.ts";
import { cast } from "../write/compose/compose-cells.ts";
import { spelled, sqlError } from "../write/table-names.ts";

/** `cells`: the value of each column, in the order of `columns`, over rows whose columns are called v0, v1 … */
export type Fit = Pick<StagedTable, "columns" | "addedIds" | "widened"> & { cells: string[] };

/** `columnIdLast`: the greatest field id the table has ever had. Throws `sql_error` where the rows do not fit it. */
export function fitColumns(
  shape: readonly QueryColumn[],
  target: TableTarget,
  { table, columnIdLast }: { table: LakeTable | undefined; columnIdLast: number },
): Fit {
  refuseTwice(shape.map(({ name }) => name));
  const fresh = numberColumns(shape.map(needLake));
  if (target.mode !== "replace" && table) return fitTable(fresh, target, { table, columnIdLast });
  const columns = table && isShapedAs(table.columns, fresh) ? table.columns : fresh;
  const cells = columns.map((column, i) => cast(column, `v${i}`, target));
  return { columns, addedIds: [], widened: [], cells };
}

/** Rows for a table that stays: its columns keep their order and ids, others come behind them. */
function fitTable(
  fresh: readonly LakeColumn[],
  target: TableTarget,
  { table, columnIdLast }: { table: LakeTable; columnIdLast: number },
): Fit {
  const widened: Fit["widened"] = [];
  const own = table.columns.map((column): { column: LakeColumn; cell: string } => {
    const i = fresh.findIndex(({ name }) => sameName(name, column.name));
    if (i < 0 && target.mode === "merge")
      throw sqlError(`The rows lack the column ${column.name}, which the table ${spelled(table)} has.`);
    if (i < 0) return { column, cell: cast(column, "NULL", table) };
    const wider = widerType(column, fresh[i]!, table);
    if (wider !== undefined) widened.push({ id: column.id, type: wider });
    const as = wider === undefined ? column : { ...column, type: wider };
    return { column: as, cell: cast(as, `v${i}`, table) };
  });
  const added = fresh.flatMap((column, i) =>
    table.columns.some(({ name }) => sameName(name, column.name)) ? [] : [{ column, cell: `v${i}` }],
  );
  const numbered = numberColumns(added.map(({ column }) => column)).map((column) => shifted(column, columnIdLast));
  return {
    columns: [...own.map(({ column }) => column), ...numbered],
    addedIds: numbered.map(({ id }) => id),
    widened,
    cells: [
      ...own.map(({ cell }) => cell),
      ...added.map(({ cell }, i) => `CAST(${cell} AS ${duckdbType(numbered[i]!)})`),
    ],
  };
}

/**
 * The wider type that the table's column takes for these values; undefined where it holds them as it is. Throws where
 * values could be lost.
 */
function widerType(column: LakeColumn, coming: LakeColumn, table: LakeTable): string | undefined {
  if (isAlike(column, coming) || canPromote(coming.type, column.type)) return undefined;
  if (canPromote(column.type, coming.type)) return coming.type;
  throw sqlError(
    `The column ${column.name} of ${spelled(table)} is of the type ${duckdbType(column)}, and the rows have ` +
      `${duckdbType(coming)}: cast it in the dataset, or build the table with mode replace.`,
  );
}

const isShapedAs = (columns: readonly LakeColumn[], fresh: readonly LakeColumn[]): boolean =>
  columns.length === fresh.length &&
  columns.every((column, i) => column.name === fresh[i]!.name && isAlike(column, fresh[i]!));

/** Whether two columns are of one type, down to the names of inner fields. */
const isAlike = (left: LakeColumn, right: LakeColumn): boolean =>
  left.type.replaceAll(" ", "") === right.type.replaceAll(" ", "") &&
  left.children.length === right.children.length &&
  left.children.every((child, i) => child.name === right.children[i]!.name && isAlike(child, right.children[i]!));
