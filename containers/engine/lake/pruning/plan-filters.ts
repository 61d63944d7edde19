// Reads the filters of a plan that DuckDB has written down: what a row must satisfy to pass them. Pure.

import type { Predicate } from "../../../../kernel/lake/lake.ts";
import { allOf, anyOf, EVERY_ROW, type RowPredicate } from "../../../../kernel/lake/row-predicates.ts";

export type PlanNode = { [key: string]: unknown };

/** A condition on one column. */
export type Comparison = Omit<Predicate, "columnId">;
/** A condition on a table's column, by its index in the table. */
export type Condition = Comparison & { column: number };

const VALUES_MAX = 1_000;
const TEXT_CHARACTERS_MAX = 1_000;

/** The predicates of a filter that DuckDB gives to the scan of a column: a row must satisfy them to pass. */
export function filterPredicate(filter: PlanNode): RowPredicate<Comparison> {
  return predicateOf(filter, (expression) =>
    expressionPredicate(expression, () => true).map((list) => list.map(({ column: _, ...test }) => test)),
  );
}

/**
 * The part of {@link filterPredicate} by which DuckDB passes over row groups: not what it evaluates row by row, which
 * are expressions other than these.
 */
export function skippingPredicate(filter: PlanNode): RowPredicate<Comparison> {
  return predicateOf(filter, plainPredicate);
}

function predicateOf(
  filter: PlanNode,
  ofExpression: (expression: PlanNode) => RowPredicate<Comparison>,
): RowPredicate<Comparison> {
  const children = (): RowPredicate<Comparison>[] =>
    (filter.child_filters as PlanNode[]).map((child) => predicateOf(child, ofExpression));
  if (filter.filter_type === "CONJUNCTION_AND") return allOf(children());
  if (filter.filter_type === "CONJUNCTION_OR") return anyOf(children());
  // DuckDB may skip this filter, since a node above applies the same.
  if (filter.filter_type === "OPTIONAL_FILTER") return predicateOf(filter.child_filter as PlanNode, ofExpression);
  if (filter.filter_type === "CONSTANT_COMPARISON")
    return compared(String(filter.comparison_type), [filter.constant as PlanNode]);
  if (filter.filter_type === "IN_FILTER") return compared("COMPARE_IN", filter.values as PlanNode[]);
  if (filter.filter_type === "IS_NULL") return IS_NULL;
  if (filter.filter_type === "IS_NOT_NULL") return IS_NOT_NULL;
  return filter.filter_type === "EXPRESSION_FILTER" ? ofExpression(filter.expr as PlanNode) : EVERY_ROW;
}

const IS_NULL: RowPredicate<Comparison> = [[{ op: "is_null", values: [] }]];
const IS_NOT_NULL: RowPredicate<Comparison> = [[{ op: "is_not_null", values: [] }]];

function plainPredicate(expression: PlanNode): RowPredicate<Comparison> {
  if (expression.type === "CONJUNCTION_AND") return allOf((expression.children as PlanNode[]).map(plainPredicate));
  return expression.expression_class === "BOUND_OPERATOR" ? operatorPredicate(expression) : EVERY_ROW;
}

/** `IS NULL`, `IS NOT NULL` and `IN` over a column. */
function operatorPredicate({ type, children }: PlanNode): RowPredicate<Comparison> {
  const [column, ...listed] = (children ?? []) as PlanNode[];
  if (column?.expression_class !== "BOUND_REF") return EVERY_ROW;
  if (type === "OPERATOR_IS_NULL") return IS_NULL;
  if (type === "OPERATOR_IS_NOT_NULL") return IS_NOT_NULL;
  return type === "COMPARE_IN" && listed.every(isConstant)
    ? compared(
        type,
        listed.map(({ value }) => value as PlanNode),
      )
    : EVERY_ROW;
}

/**
 * The predicates that a row must satisfy for an expression to be true. `columnOf` answers the column that a reference,
 * by its number, is to.
 */
export function expressionPredicate<Column>(
  expression: PlanNode,
  columnOf: (reference: number) => Column | undefined,
): RowPredicate<Comparison & { column: Column }> {
  const inner = (child: PlanNode): RowPredicate<Comparison & { column: Column }> =>
    expressionPredicate(child, columnOf);
  const on = (
    reference: PlanNode,
    predicate: RowPredicate<Comparison>,
  ): RowPredicate<Comparison & { column: Column }> => {
    const column = columnOf(Number(reference.index));
    return column === undefined ? EVERY_ROW : predicate.map((list) => list.map((test) => ({ column, ...test })));
  };
  const { expression_class: kind, type } = expression;
  if (kind === "BOUND_CONJUNCTION")
    return (type === "CONJUNCTION_AND" ? allOf : anyOf)((expression.children as PlanNode[]).map(inner));
  if (kind === "BOUND_OPERATOR")
    return on(((expression.children ?? []) as PlanNode[])[0] ?? {}, operatorPredicate(expression));
  if (kind !== "BOUND_COMPARISON") return EVERY_ROW;
  const [left, right] = [expression.left as PlanNode, expression.right as PlanNode];
  const [value, constant, comparison] = isConstant(right)
    ? [left, right, String(type)]
    : [right, left, MIRRORED[String(type)] ?? String(type)];
  if (!isConstant(constant)) return EVERY_ROW;
  if (value.expression_class === "BOUND_REF") return on(value, compared(comparison, [constant.value as PlanNode]));
  const day = value.expression_class === "BOUND_CAST" ? (value.child as PlanNode) : {};
  return isInstant(day) && typeIs(value, "DATE")
    ? on(day, daysCompared(comparison, constant.value as PlanNode, String((day.return_type as PlanNode).id)))
    : EVERY_ROW;
}

const isConstant = (node: PlanNode): boolean => node.expression_class === "BOUND_CONSTANT";
const typeIs = ({ return_type }: PlanNode, id: string): boolean => (return_type as PlanNode | undefined)?.id === id;
const isInstant = (node: PlanNode): boolean =>
  node.expression_class === "BOUND_REF" && (typeIs(node, "TIMESTAMP") || typeIs(node, "TIMESTAMP WITH TIME ZONE"));

const COMPARISONS: Readonly<Record<string, Predicate["op"]>> = {
  COMPARE_EQUAL: "=",
  COMPARE_LESSTHAN: "<",
  COMPARE_LESSTHANOREQUALTO: "<=",
  COMPARE_GREATERTHAN: ">",
  COMPARE_GREATERTHANOREQUALTO: ">=",
  COMPARE_IN: "in",
};
const MIRRORED: Readonly<Record<string, string>> = {
  COMPARE_LESSTHAN: "COMPARE_GREATERTHAN",
  COMPARE_LESSTHANOREQUALTO: "COMPARE_GREATERTHANOREQUALTO",
  COMPARE_GREATERTHAN: "COMPARE_LESSTHAN",
  COMPARE_GREATERTHANOREQUALTO: "COMPARE_LESSTHANOREQUALTO",
};

function compared(comparison: string, constants: readonly (PlanNode | undefined)[]): RowPredicate<Comparison> {
  const op = COMPARISONS[comparison];
  const values = constants.map((constant) => (constant ? textOf(constant) : undefined));
  if (!op || values.length === 0 || values.length > VALUES_MAX || !values.every((value) => value !== undefined))
    return EVERY_ROW;
  return [[{ op, values }]];
}

const DAY_MICROSECONDS = 86_400_000_000;

/** Instants, whose days in UTC are compared with a day. */
function daysCompared(comparison: string, { is_null, value: day }: PlanNode, type: string): RowPredicate<Comparison> {
  const op = COMPARISONS[comparison];
  if (is_null || typeof day !== "number" || !op || op === "in") return EVERY_ROW;
  const at = (op: Comparison["op"], days: number): RowPredicate<Comparison> => {
    const text = textOf({ type: { id: type }, is_null: false, value: days * DAY_MICROSECONDS });
    return text === undefined ? EVERY_ROW : [[{ op, values: [text] }]];
  };
  if (op === "<") return at("<", day);
  if (op === "<=") return at("<", day + 1);
  if (op === ">=") return at(">=", day);
  if (op === ">") return at(">=", day + 1);
  return allOf([at(">=", day), at("<", day + 1)]);
}

/**
 * A constant as bounds are written; undefined where its type is none of those that are, or JSON's numbers can't hold
 * it.
 */
function textOf({ type, is_null, value }: PlanNode): string | undefined {
  const { id, type_info } = type as { id: string; type_info?: { width: number; scale: number } | null };
  if (is_null) return undefined;
  if (id === "VARCHAR") return typeof value === "string" && value.length <= TEXT_CHARACTERS_MAX ? value : undefined;
  if (id === "BOOLEAN") return typeof value === "boolean" ? String(value) : undefined;
  if (typeof value !== "number") return undefined;
  if (id === "FLOAT" || id === "DOUBLE") return Number.isFinite(value) ? String(value) : undefined;
  if (!Number.isSafeInteger(value)) return undefined;
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

/** The text of an instant; undefined outside the years that are written with four digits. */
function instantText(ms: number): string | undefined {
  const text = Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : "";
  return /^\d{4}-/.test(text) && !text.startsWith("0000") ? `${text.slice(0, 10)} ${text.slice(11, 19)}` : undefined;
}

function decimalText(value: number, scale: number): string {
  const digits = String(Math.abs(value)).padStart(scale + 1, "0");
  const fraction = scale > 0 ? `.${digits.slice(-scale)}` : "";
  return `${value < 0 ? "-" : ""}${digits.slice(0, digits.length - scale)}${fraction}`;
}
