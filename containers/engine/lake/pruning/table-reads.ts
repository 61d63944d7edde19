// The scans in a statement's plan show what the statement reads of a table. Pure.

import type { LakeTable, PlannedFile, Predicate } from "../../../../kernel/lake/lake.ts";
import { anyOf, EVERY_ROW, type RowPredicate } from "../../../../kernel/lake/row-predicates.ts";
import { leafCount, type FileField } from "../../parquet/footers.ts";
import { duckdbType } from "../../parquet/lake-types.ts";
import type { Condition, Comparison } from "./plan-filters.ts";
import type { Scan } from "./plan-scans.ts";
import { isAlike, scannedName, type LocalFiles, type OpenPlan } from "../sql/relations.ts";
import { isFenced, readColumns, relationOf } from "../sql/restricted-table.ts";
import type { RowGroupQuestion } from "./row-groups.ts";

export type TableRead = {
  /** The reads of each scan; undefined where everything is read. */
  scans: ScanRead[] | undefined;
  /** The predicates that rows must satisfy to matter. */
  anyOf: RowPredicate<Predicate>;
  /** The number of rows that matter, counted from the first. */
  rowsMax: number;
  /** Whether no column is read, only the number of rows. */
  isCounted: boolean;
};

/** `skipping`: the conditions by which DuckDB passes over row groups. */
export type ScanRead = {
  columns: ReadonlySet<number>;
  skipping: Array<{ columnId: number; anyOf: RowPredicate<Comparison> }>;
};

export const READ_ALL: TableRead = { scans: undefined, anyOf: EVERY_ROW, rowsMax: Infinity, isCounted: false };
/** A plan is made from the footers alone. */
export const READ_FOOTERS: TableRead = { ...READ_ALL, scans: [] };

/** An id that no column of a table has. */
const NO_COLUMN_ID = -1;
const PARTS_MAX = 8;
/** Above this number of rows, footers count rows faster than DuckDB makes them. */
const COUNTED_ROWS_MAX = 1_000_000_000;

/**
 * A file or row that is not there can't say otherwise: what was true when the statement was planned must be true when
 * it runs, so of a statement that is not `isSteady` only columns and row groups are left out, which are missed when
 * they are read.
 */
export function tableReadOf(table: LakeTable, scans: readonly Scan[], isSteady: boolean): TableRead {
  const scanned = scannedName(relationOf(table));
  const known = readColumns(table);
  // How many rows there are, and which are the first, is to be seen behind the view alone; and the catalog leaves no
  // file out for who does not see all rows, since it can't know whose condition it is.
  const goesByPlan = isSteady && !isFenced(table);
  const own = scans.filter(({ schema, table: name }) => schema === scanned.schema && name === scanned.name);
  // Beside the table's columns a scan may read a row's position, which is no column.
  const idOf = (index: number): number => known[index]?.id ?? NO_COLUMN_ID;
  const parts = own.map(
    ({ columns, skipping }): ScanRead => ({
      columns: new Set(columns.map(idOf)),
      skipping: skipping.map(({ column, anyOf }) => ({ columnId: idOf(column), anyOf })),
    }),
  );
  const ofColumns = ({ column, ...test }: Condition): Predicate[] =>
    idOf(column) === NO_COLUMN_ID ? [] : [{ columnId: idOf(column), ...test }];
  const predicates = own.map(({ predicate }) => predicate.map((list) => list.flatMap(ofColumns)));
  const rowsMax = goesByPlan ? Math.max(0, ...own.map(({ rowsMax }) => rowsMax ?? Infinity)) : Infinity;
  const readsAll =
    rowsMax === Infinity &&
    parts.some(({ columns, skipping }) => columns.size === known.length && skipping.length === 0);
  return {
    scans: readsAll
      ? undefined
      : parts.length <= PARTS_MAX
        ? parts
        : [{ columns: new Set(parts.flatMap(({ columns }) => [...columns])), skipping: [] }],
    anyOf: goesByPlan && own.length > 0 ? anyOf(predicates) : EVERY_ROW,
    rowsMax,
    isCounted: goesByPlan && parts.every(({ columns }) => columns.size === 0),
  };
}

/** A plan without the rows that don't matter, as far as the plan itself shows which. */
export function narrowPlan(plan: OpenPlan, { isCounted, rowsMax }: TableRead): OpenPlan {
  const rowsOf = ({ rows, deletes }: OpenPlan["files"][number]): number => rows - (deletes?.rows ?? 0);
  const rows = plan.files.reduce((sum, file) => sum + rowsOf(file), 0);
  if (isCounted && rows <= COUNTED_ROWS_MAX) return { ...plan, files: [], rows };
  if (rowsMax >= rows) return plan;
  const files: OpenPlan["files"] = [];
  let left = rowsMax;
  for (const file of plan.files) {
    if (left <= 0) break;
    // Deleted rows have positions too, and may be the first.
    files.push(rowsOf(file) <= left ? file : { ...file, before: left + (file.deletes?.rows ?? 0) });
    left -= rowsOf(file);
  }
  return { ...plan, files };
}

/** The indexes of the file's fields that are among `columns`. */
export function fieldsOf({ columns }: ScanRead, shape: readonly FileField[]): Set<number> {
  return new Set(shape.flatMap(({ id }, index) => (id !== null && columns.has(id) ? [index] : [])));
}

/**
 * The predicates to ask about files whose columns have the table's types. DuckDB may not use the statistics of other
 * files.
 */
export function questionsOf(
  table: LakeTable,
  files: readonly PlannedFile[],
  { skipping }: ScanRead,
  { paths, shapes }: LocalFiles,
): Array<{ ids: number[]; question: RowGroupQuestion }> {
  const questions: Array<{ ids: number[]; question: RowGroupQuestion }> = [];
  for (const [shape, alike] of Map.groupBy(files, ({ id }) => shapes.get(paths.get(id)!)!)) {
    const conditions = skipping.flatMap(({ columnId, anyOf }) => {
      const column = readColumns(table).find(({ id }) => id === columnId)!;
      const index = shape.findIndex(({ id }) => id === columnId);
      if (index < 0 || column.children.length > 0 || !isAlike(column, shape[index]!)) return [];
      return [
        {
          leaf: shape.slice(0, index).reduce((sum, field) => sum + leafCount(field), 0),
          type: duckdbType(column),
          anyOf,
        },
      ];
    });
    if (conditions.length > 0)
      questions.push({
        ids: alike.map(({ id }) => id),
        question: { paths: alike.map(({ id }) => paths.get(id)!), conditions },
      });
  }
  return questions;
}
