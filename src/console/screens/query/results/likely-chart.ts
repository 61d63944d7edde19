// The chart of a result is chosen by its columns' kinds, until somebody chooses another. Pure.

import type { Chart } from "../../../../../kernel/docs/draw/charts/chart-context.ts";
import { NUMBER_KINDS, type ColumnKind, type ResultColumn } from "../../../../../kernel/docs/draw/result-table.ts";

export const CHART_TYPES = ["bar", "line", "area", "scatter", "pie"] as const satisfies readonly Chart["type"][];
export type ChartType = (typeof CHART_TYPES)[number];
export type ChartChoice = { type: ChartType; x: string; y: readonly string[] };

const TIMES: ReadonlySet<ColumnKind> = new Set<ColumnKind>(["date", "timestamp", "timestamptz"]);

/** Undefined where nothing can be drawn. The first measure alone: those of other sizes would hide each other. */
export function likelyChart(columns: readonly ResultColumn[]): ChartChoice | undefined {
  const numbers = columns.filter(({ kind }) => NUMBER_KINDS.has(kind)).map(({ name }) => name);
  const [first, second] = numbers;
  if (first === undefined) return undefined;
  const time = columns.find(({ kind }) => TIMES.has(kind))?.name;
  if (time !== undefined) return { type: "line", x: time, y: [first] };
  const category = columns.find(({ kind }) => !NUMBER_KINDS.has(kind))?.name;
  if (category !== undefined) return { type: "bar", x: category, y: [first] };
  return second === undefined ? { type: "bar", x: first, y: [first] } : { type: "scatter", x: first, y: [second] };
}

export const vizOf = ({ type, x, y }: ChartChoice): Chart => ({
  type,
  x: { field: x },
  y: y.map((field) => ({ field })),
});
