// A chart of a result shows columns by their kinds, and rows up to a bound. Pure.

import type { ArrowSource } from "../../../ui/grid/arrow-source.ts";
import { NUMERIC } from "../text/wrapped.ts";

export const CHART_TYPES = ["bar", "line", "area", "scatter", "pie"] as const;
export type ChartType = (typeof CHART_TYPES)[number];
export type ChartChoice = { type: ChartType; x: string; y: readonly string[] };

const TIMES = new Set(["date", "timestamp", "timestamptz"]);
/** More points are not told apart in a picture. */
export const POINTS_MAX = 5_000;
/** Measures of different sizes hide each other: further ones are added by hand. */
const FIRST_MEASURES = 1;

/** The chart that the columns ask for; undefined where nothing can be drawn. */
export function likelyChart({ columns, kinds }: ArrowSource): ChartChoice | undefined {
  const numbers = columns.filter((_, at) => NUMERIC.has(kinds[at]!)).map(({ name }) => name);
  const time = columns.find((_, at) => TIMES.has(kinds[at]!))?.name;
  const category = columns.find((_, at) => !NUMERIC.has(kinds[at]!) && !TIMES.has(kinds[at]!))?.name;
  if (numbers.length === 0) return undefined;
  if (time) return { type: "line", x: time, y: numbers.slice(0, FIRST_MEASURES) };
  if (category) return { type: "bar", x: category, y: numbers.slice(0, FIRST_MEASURES) };
  if (numbers.length === 1) return { type: "bar", x: numbers[0]!, y: [numbers[0]!] };
  return { type: "scatter", x: numbers[0]!, y: [numbers[1]!] };
}

/** An option of ECharts; `colors` are those of the theme. */
export function chartOption(
  source: ArrowSource,
  { type, x, y }: ChartChoice,
  { text, line, series: colors }: { text: string; line: string; series: string[] },
): Record<string, unknown> {
  const at = (name: string) => source.columns.findIndex((column) => column.name === name);
  const rows = Math.min(source.rowCount, POINTS_MAX);
  const values = (column: number) => Array.from({ length: rows }, (_, row) => source.text(row, column));
  const labels = values(at(x));
  const number = (value: string | null) => (value === null ? null : Number(value));
  const xKind = source.kinds[at(x)]!;
  const xType = TIMES.has(xKind) ? "time" : NUMERIC.has(xKind) && type === "scatter" ? "value" : "category";
  const common = {
    animation: false,
    useUTC: true,
    color: colors,
    textStyle: { color: text },
    tooltip: { trigger: type === "pie" || type === "scatter" ? "item" : "axis", confine: true },
  };
  if (type === "pie")
    return {
      ...common,
      series: [
        {
          type: "pie",
          radius: ["45%", "72%"],
          label: { color: text },
          data: values(at(y[0]!)).map((value, row) => ({ name: labels[row] ?? "NULL", value: number(value) })),
        },
      ],
    };
  const axis = {
    axisLine: { lineStyle: { color: line } },
    axisLabel: { color: text },
    splitLine: { lineStyle: { color: line } },
  };
  return {
    ...common,
    legend: { show: y.length > 1, top: 4, textStyle: { color: text } },
    grid: { left: 12, right: 20, top: y.length > 1 ? 36 : 16, bottom: 12, containLabel: true },
    xAxis: {
      type: xType,
      scale: true,
      ...axis,
      splitLine: { show: false },
      ...(xType === "category" && { data: labels.map((label) => label ?? "NULL") }),
    },
    yAxis: { type: "value", ...axis },
    series: y.map((name) => {
      const points = values(at(name)).map(number);
      return {
        name,
        type: type === "area" ? "line" : type,
        ...(type === "area" && { areaStyle: { opacity: 0.2 } }),
        showSymbol: type === "scatter" || rows <= 40,
        barMaxWidth: 44,
        data:
          xType === "category"
            ? points
            : points.map((value, row) => [xType === "value" ? number(labels[row]!) : labels[row], value]),
      };
    }),
  };
}
