// The chart of a result is chosen by its columns' kinds, until somebody chooses another. Pure.

import type { Chart } from "../../../../kernel/docs/draw/charts/chart-context.ts";
import type { Format } from "../../../../kernel/docs/draw/formats.ts";
import { NUMBER_KINDS, type ColumnKind, type ResultColumn } from "../../../../kernel/docs/draw/result-table.ts";

export const CHART_TYPES = ["bar", "line", "area", "scatter", "pie"] as const satisfies readonly Chart["type"][];
export type ChartType = (typeof CHART_TYPES)[number];
/** `color` splits the one measure that it leaves room for. */
export type ChartChoice = { type: ChartType; x: string; y: readonly string[]; color?: string };
/** A column as people read it, where that is not its name. */
export type ColumnLabel = { title: string; format?: Format | undefined };
export type ColumnLabels = Readonly<Record<string, ColumnLabel>>;

const TIMES: ReadonlySet<ColumnKind> = new Set<ColumnKind>(["date", "timestamp", "timestamptz"]);

/** Undefined where nothing can be drawn. The first measure alone: those of other sizes would hide each other. */
export function likelyChart(columns: readonly ResultColumn[]): ChartChoice | undefined {
  const numbers = columns.filter(({ kind }) => NUMBER_KINDS.has(kind)).map(({ name }) => name);
  const [first, second] = numbers;
  if (first === undefined) return undefined;
  const time = columns.find(({ kind }) => TIMES.has(kind))?.name;
  const [category, another] = columns.filter(({ kind }) => !NUMBER_KINDS.has(kind) && !TIMES.has(kind));
  if (time !== undefined)
    return { type: "line", x: time, y: [first], ...(category && !another && { color: category.name }) };
  if (category) return { type: "bar", x: category.name, y: [first], ...(another && { color: another.name }) };
  return second === undefined ? { type: "bar", x: first, y: [first] } : { type: "scatter", x: first, y: [second] };
}

export function vizOf({ type, x, y, color }: ChartChoice, labels: ColumnLabels = {}): Chart {
  const named = (field: string) => {
    const { title: label, format } = labels[field] ?? {};
    return { field, ...(label !== undefined && { label }), ...(format !== undefined && { format }) };
  };
  return { type, x: named(x), y: y.map(named), ...(color !== undefined && { color: named(color) }) };
}
