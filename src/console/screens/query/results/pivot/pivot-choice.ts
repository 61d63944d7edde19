// A pivot of a result is made of columns whose values make rows, one whose values become columns, and a value that
// is summed up. Pure.

import { NUMBER_KINDS, type ColumnKind, type ResultColumn } from "../../../../../../kernel/docs/draw/result-table.ts";
import { isComparable } from "../../text/wrapped.ts";

export const AGGREGATES = ["count", "sum", "avg", "min", "max", "distinct"] as const;
export type Aggregate = (typeof AGGREGATES)[number];

export const AGGREGATE_TITLES: Record<Aggregate, string> = {
  count: "Count",
  sum: "Sum",
  avg: "Average",
  min: "Minimum",
  max: "Maximum",
  distinct: "Distinct values",
};

/** Columns by their names. Without `value` rows are counted. */
export type PivotChoice = {
  rows: readonly string[];
  spread: string | null;
  value: string | null;
  aggregate: Aggregate;
};

const isNumber = (kind: ColumnKind): boolean => NUMBER_KINDS.has(kind);

/** The aggregates that databases have for values of a kind; undefined stands for the rows themselves. */
export function aggregatesOf(kind: ColumnKind | undefined): Aggregate[] {
  if (kind === undefined || !isComparable(kind)) return ["count"];
  if (kind === "boolean") return ["count", "distinct"];
  return isNumber(kind) ? [...AGGREGATES] : ["count", "min", "max", "distinct"];
}

/** Columns by whose values rows are grouped. */
export const groupable = (columns: readonly ResultColumn[]): ResultColumn[] =>
  columns.filter(({ kind }) => isComparable(kind));

export const kindOf = (columns: readonly ResultColumn[], name: string | null): ColumnKind | undefined =>
  columns.find((column) => column.name === name)?.kind;

/** The choice that was kept, as far as the result still has its columns; else the first column that is no number. */
export function choiceFor(columns: readonly ResultColumn[], kept: Partial<PivotChoice> | undefined): PivotChoice {
  const names = new Set(groupable(columns).map(({ name }) => name));
  const first = groupable(columns).find(({ kind }) => !isNumber(kind)) ?? groupable(columns)[0];
  const named = Array.isArray(kept?.rows) ? kept.rows.filter((name) => names.has(name)) : undefined;
  const rows = named ?? (first ? [first.name] : []);
  const spread = kept?.spread ?? null;
  const value = kindOf(columns, kept?.value ?? null) === undefined ? null : kept!.value!;
  const aggregates = aggregatesOf(kindOf(columns, value));
  return {
    rows,
    spread: spread !== null && names.has(spread) && !rows.includes(spread) ? spread : null,
    value,
    aggregate:
      aggregates.find((one) => one === kept?.aggregate) ??
      aggregates[value !== null && aggregates[1] === "sum" ? 1 : 0]!,
  };
}

/** Whether there is anything to ask for. */
export const isAskable = ({ rows, spread }: PivotChoice): boolean => rows.length > 0 || spread !== null;
