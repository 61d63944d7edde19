// Reads a plan that DuckDB has written down: which columns of which tables it scans, and what it keeps of them. Pure.

import type { Predicate } from "../lake-protocol.ts";

/** A condition on a table's column, by its place; only rows for which it is true matter to the scan. */
export type Condition = Omit<Predicate, "columnId"> & { column: number };

/** One scan of a table. `columns` by their places in the table, those of conditions among them. Not every condition is told. */
export type Scan = { schema: string; table: string; columns: number[]; conditions: Condition[] };

type Node = { [key: string]: unknown };

/** DuckDB numbers what is no column of the table, as row ids, from here. */
const VIRTUAL = 2 ** 62;
const DEPTH_MAX = 1_000;
const VALUES_MAX = 1_000;
const TEXT_CHARACTERS_MAX = 1_000;

/** Every scan of a table; undefined where one is not as expected. */
export function scansIn(plan: unknown): Scan[] | undefined {
  const scans: Scan[] = [];
  const visit = (node: unknown, depth: number): boolean => {
    if (typeof node !== "object" || node === null) return true;
    if (depth > DEPTH_MAX) return false;
    if (Array.isArray(node)) return node.every((child) => visit(child, depth + 1));
    const known = node as Node;
    if (known.type === "LOGICAL_GET" && known.name === "seq_scan") {
      const scan = scanOf(known);
      if (!scan) return false;
      scans.push(scan);
    }
    return Object.values(known).every((child) => visit(child, depth + 1));
  };
  return visit(plan, 0) ? scans : undefined;
}

function scanOf(get: Node): Scan | undefined {
  const source = get.function_data as Node | undefined;
  const indexes = get.column_indexes;
  const filters = (get.table_filters as Node | undefined)?.filters;
  if (source?.catalog !== "LAKE" || typeof source.schema !== "string" || typeof source.table !== "string" || !Array.isArray(indexes) || !Array.isArray(filters)) return undefined;
  const columns = new Set<number>();
  for (const place of [...(indexes as Node[]).map(({ index }) => index), ...(filters as Node[]).map(({ key }) => key)]) {
    if (typeof place !== "number") return undefined;
    if (place < VIRTUAL) columns.add(place);
  }
  const conditions = (filters as Node[]).flatMap(({ key, value }) => conditionsIn(key as number, value as Node));
  return { schema: source.schema, table: source.table, columns: [...columns], conditions };
}

const COMPARISONS: Readonly<Record<string, Predicate["op"]>> = {
  COMPARE_EQUAL: "=",
  COMPARE_LESSTHAN: "<",
  COMPARE_LESSTHANOREQUALTO: "<=",
  COMPARE_GREATERTHAN: ">",
  COMPARE_GREATERTHANOREQUALTO: ">=",
};

/** What a filter demands for certain; nothing of a filter that is not known here. */
function conditionsIn(column: number, filter: Node): Condition[] {
  if (filter.filter_type === "CONJUNCTION_AND") return (filter.child_filters as Node[]).flatMap((child) => conditionsIn(column, child));
  // DuckDB may skip it, since something above demands the same.
  if (filter.filter_type === "OPTIONAL_FILTER") return conditionsIn(column, filter.child_filter as Node);
  if (filter.filter_type === "CONSTANT_COMPARISON") return compared(column, String(filter.comparison_type), [filter.constant as Node]);
  if (filter.filter_type === "IN_FILTER") return compared(column, "COMPARE_IN", filter.values as Node[]);
  if (filter.filter_type === "IS_NULL") return [{ column, op: "is_null", values: [] }];
  if (filter.filter_type === "IS_NOT_NULL") return [{ column, op: "is_not_null", values: [] }];
  return filter.filter_type === "EXPRESSION_FILTER" ? demanded(column, filter.expr as Node) : [];
}

/** An expression over the column itself. */
function demanded(column: number, expression: Node): Condition[] {
  const children = (expression.children ?? []) as Node[];
  if (expression.type === "CONJUNCTION_AND") return children.flatMap((child) => demanded(column, child));
  if (expression.expression_class !== "BOUND_OPERATOR" || children[0]?.expression_class !== "BOUND_REF") return [];
  if (expression.type === "OPERATOR_IS_NULL") return [{ column, op: "is_null", values: [] }];
  if (expression.type === "OPERATOR_IS_NOT_NULL") return [{ column, op: "is_not_null", values: [] }];
  const listed = children.slice(1);
  return listed.every(({ expression_class }) => expression_class === "BOUND_CONSTANT") ? compared(column, String(expression.type), listed.map(({ value }) => value as Node)) : [];
}

function compared(column: number, comparison: string, constants: readonly (Node | undefined)[]): Condition[] {
  const op = comparison === "COMPARE_IN" ? "in" : COMPARISONS[comparison];
  const values = constants.map((constant) => (constant ? textOf(constant) : undefined));
  if (!op || values.length === 0 || values.length > VALUES_MAX || !values.every((value) => value !== undefined)) return [];
  return [{ column, op, values }];
}

/** A constant as bounds are written; undefined where its type is none of those that are, or JSON's numbers can't hold it. */
function textOf({ type, is_null, value }: Node): string | undefined {
  const { id, type_info } = type as { id: string; type_info?: { width: number; scale: number } | null };
  if (is_null) return undefined;
  if (id === "VARCHAR") return typeof value === "string" && value.length <= TEXT_CHARACTERS_MAX ? value : undefined;
  if (id === "BOOLEAN") return typeof value === "boolean" ? String(value) : undefined;
  if (typeof value !== "number" || !Number.isSafeInteger(value)) return undefined;
  if (/^U?(TINY|SMALL|BIG)?INT(EGER)?$/.test(id)) return String(value);
  if (id === "DATE") return instantText(value * 86_400_000)?.slice(0, 10);
  if (id === "TIMESTAMP") return microsecondsText(value);
  if (id === "TIMESTAMP WITH TIME ZONE") return microsecondsText(value)?.concat("+00");
  return id === "DECIMAL" && type_info ? decimalText(value, type_info.scale) : undefined;
}

function microsecondsText(value: number): string | undefined {
  const fraction = ((value % 1_000_000) + 1_000_000) % 1_000_000;
  return instantText((value - fraction) / 1_000)?.concat(fraction === 0 ? "" : `.${String(fraction).padStart(6, "0")}`);
}

/** Of the years that are written with four digits. */
function instantText(ms: number): string | undefined {
  const text = Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : "";
  return /^\d{4}-/.test(text) && !text.startsWith("0000") ? `${text.slice(0, 10)} ${text.slice(11, 19)}` : undefined;
}

function decimalText(value: number, scale: number): string {
  const digits = String(Math.abs(value)).padStart(scale + 1, "0");
  return `${value < 0 ? "-" : ""}${digits.slice(0, digits.length - scale)}${scale > 0 ? `.${digits.slice(-scale)}` : ""}`;
}
