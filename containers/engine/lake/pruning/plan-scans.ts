// Reads a plan that DuckDB has written down: which columns of which tables it scans, and what it keeps of them. Pure.

import { allOf, holdsForEveryRow, type RowPredicate } from "../../../../kernel/lake/row-predicates.ts";
import {
  expressionPredicate,
  filterPredicate,
  skippingPredicate,
  type Condition,
  type PlanNode,
  type Comparison,
} from "./plan-filters.ts";

/** One scan of a table. Its predicate may let more rows through than the scan does. */
export type Scan = {
  catalog: string;
  schema: string;
  table: string;
  /** Indexes of the columns in the table, those of the predicate included. */
  columns: number[];
  /** The predicates that rows must satisfy to matter. */
  predicate: RowPredicate<Condition>;
  /** The part of the predicate by which DuckDB passes over row groups. */
  skipping: Array<{ column: number; anyOf: RowPredicate<Comparison> }>;
  /** The number of rows that matter, counted from the first; null: all. */
  rowsMax: number | null;
};

/** DuckDB numbers what is no column of the table, as row ids, from here. */
const VIRTUAL = 2 ** 62;
const DEPTH_MAX = 1_000;

/** The nodes above a node: expressions that must be true, and how many rows are taken. */
type Above = { filters: PlanNode[]; rowsMax: number | null };
const ELSE: Above = { filters: [], rowsMax: null };

/** Every scan of a table; undefined where one is not as expected. */
export function scansIn(plan: unknown): Scan[] | undefined {
  const scans: Scan[] = [];
  const visit = (node: unknown, depth: number, above: Above): boolean => {
    if (typeof node !== "object" || node === null) return true;
    if (depth > DEPTH_MAX) return false;
    if (Array.isArray(node)) return node.every((child) => visit(child, depth + 1, above));
    const known = node as PlanNode;
    if (known.type === "LOGICAL_GET" && known.name === "seq_scan") {
      const scan = scanOf(known, above);
      if (!scan) return false;
      scans.push(scan);
    }
    return Object.entries(known).every(([key, child]) =>
      visit(child, depth + 1, key === "children" ? below(known, above) : ELSE),
    );
  };
  return visit(plan, 0, ELSE) ? scans : undefined;
}

/** The conditions above a node's children. */
function below({ type, expressions, limit_val, offset_val }: PlanNode, { rowsMax }: Above): Above {
  if (type === "LOGICAL_PROJECTION") return { filters: [], rowsMax };
  if (type === "LOGICAL_FILTER") return { filters: expressions as PlanNode[], rowsMax: null };
  if (type !== "LOGICAL_LIMIT") return ELSE;
  const [limit, offset] = [rowsOf(limit_val as PlanNode | undefined), rowsOf(offset_val as PlanNode | undefined, 0)];
  const taken = limit === undefined ? rowsMax : Math.min(limit, rowsMax ?? Infinity);
  return {
    filters: [],
    rowsMax: taken === null || offset === undefined || !Number.isSafeInteger(taken + offset) ? null : taken + offset,
  };
}

/** The number of rows; undefined where it is not constant; `unset` where there is none. */
function rowsOf(value: PlanNode | undefined, unset?: number): number | undefined {
  if (value?.type === "UNSET") return unset;
  return value?.type === "CONSTANT_VALUE" && typeof value.constant_integer === "number"
    ? value.constant_integer
    : undefined;
}

function scanOf(get: PlanNode, above: Above): Scan | undefined {
  const source = get.function_data as PlanNode | undefined;
  const filters = (get.table_filters as PlanNode | undefined)?.filters as PlanNode[] | undefined;
  if (
    typeof source?.catalog !== "string" ||
    typeof source.schema !== "string" ||
    typeof source.table !== "string" ||
    !Array.isArray(get.column_indexes) ||
    !Array.isArray(filters)
  )
    return undefined;
  const indexes = (get.column_indexes as PlanNode[]).map(({ index }) => index);
  const columns = new Set<number>();
  for (const index of [...indexes, ...filters.map(({ key }) => key)]) {
    if (typeof index !== "number") return undefined;
    if (index < VIRTUAL) columns.add(index);
  }
  const shown =
    Array.isArray(get.projection_ids) && get.projection_ids.length > 0
      ? (get.projection_ids as number[]).map((at) => indexes[at])
      : indexes;
  const columnOf = (reference: number): number | undefined =>
    typeof shown[reference] === "number" && shown[reference] < VIRTUAL ? shown[reference] : undefined;
  const ofScan = filters.map(({ key, value }) =>
    filterPredicate(value as PlanNode).map((list) => list.map((test) => ({ column: key as number, ...test }))),
  );
  const predicate = allOf([...ofScan, ...above.filters.map((expression) => expressionPredicate(expression, columnOf))]);
  const skipping = filters
    .map(({ key, value }) => ({ column: key as number, anyOf: skippingPredicate(value as PlanNode) }))
    .filter(({ anyOf }) => !holdsForEveryRow(anyOf));
  return {
    catalog: source.catalog,
    schema: source.schema,
    table: source.table,
    columns: [...columns],
    predicate,
    skipping,
    rowsMax: filters.length === 0 && above.filters.length === 0 ? above.rowsMax : null,
  };
}
