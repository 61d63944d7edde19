// Charts as the library of the original has them: fields by their place in the result. They are read, and become a viz
// by names once the columns are known.

import { z } from "zod";
import { DOC_BOUNDS } from "./bounds.ts";
import { AGGREGATIONS, Color, type Axis, type Series, type Viz } from "./viz.ts";

export const CHART_TYPES = ["bar", "line", "pie", "scatter", "heatmap", "calendar", "kpi"] as const;
type ChartType = (typeof CHART_TYPES)[number];

const Index = z.number().int().min(0).max(10_000);

const Style = z.strictObject({
  showTitle: z.boolean().optional(),
  showToolbox: z.boolean().optional(),
  showLegend: z.boolean().optional(),
  barStyle: z.enum(["grouped", "stacked"]).optional(),
  orientation: z.enum(["vertical", "horizontal"]).optional(),
  lineStyle: z.enum(["point", "area"]).optional(),
  colorGrouping: z.enum(["continuous", "piecewise"]).optional(),
});
const Dimension = z.strictObject({ index: Index, dataType: z.enum(["category", "datetime"]).optional() });
const Metric = z.strictObject({
  index: Index,
  color: z.union([Color, z.array(Color).max(DOC_BOUNDS.colorsMax)]).optional(),
  aggregation: z.enum(AGGREGATIONS).optional(),
  axis: z.enum(["left", "right"]).optional(),
  dataType: z.enum(["value", "category"]).optional(),
  chartType: z.enum(CHART_TYPES).optional(),
  format: z.enum(["percent", "currency", "number"]).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
});
type Metric = z.infer<typeof Metric>;

/** Its first dimension groups, its second splits. */
export const ChartOptions = z.strictObject({
  chartType: z.enum(CHART_TYPES),
  style: Style.optional(),
  dimensions: z.array(Dimension).max(2).optional(),
  metrics: z.array(Metric).min(1).max(DOC_BOUNDS.seriesMax),
});
export type ChartOptions = z.infer<typeof ChartOptions>;

export const isByIndex = (viz: Viz | ChartOptions): viz is ChartOptions => "chartType" in viz;

/** The places that a chart names and its columns do not have, as steps into it. */
export function placesBeyond({ dimensions = [], metrics }: ChartOptions, columns: number): (string | number)[][] {
  const beyond = (key: string, list: readonly { index: number }[]) =>
    list.flatMap(({ index }, at) => (index < columns ? [] : [[key, at, "index"]]));
  return [...beyond("dimensions", dimensions), ...beyond("metrics", metrics)];
}

/** A chart by the names of its columns; undefined where it names a place that they do not have. */
export function vizOf(options: ChartOptions, columns: readonly string[]): Viz | undefined {
  if (placesBeyond(options, columns.length).length > 0) return undefined;
  const { chartType, style = {}, dimensions = [], metrics } = options;
  const [x, color] = dimensions.map(
    ({ index, dataType }): Axis => ({
      field: columns[index]!,
      ...(dataType && { type: dataType === "datetime" ? "time" : "category" }),
    }),
  );
  const y = metrics.map((metric) => seriesOf(metric, columns[metric.index]!));
  const group = { y, ...(x && { x }), ...(color && { color }) };
  const legend = style.showLegend === undefined ? {} : { legend: style.showLegend };
  const scale = style.colorGrouping === undefined ? {} : { scale: style.colorGrouping };
  const charts: Record<ChartType, () => Viz> = {
    kpi: () => ({ type: "kpi", y }),
    pie: () => ({ type: "pie", ...group, ...legend }),
    scatter: () => ({ type: "scatter", ...group, ...legend }),
    heatmap: () => ({ type: "heatmap", ...group, ...scale }),
    calendar: () => ({ type: "calendar", ...group, ...scale }),
    // An area there is one upon the other.
    line: () =>
      style.lineStyle === "area"
        ? { type: "area", ...group, ...legend, stack: "normal" }
        : { type: "line", ...group, ...legend },
    bar: () => ({
      type: "bar",
      ...group,
      ...legend,
      ...(style.orientation && { orientation: style.orientation }),
      ...(style.barStyle && { stack: style.barStyle === "stacked" ? "normal" : "none" }),
    }),
  };
  return charts[chartType]();
}

/** Forms that a series can have beside others; the others are their chart's. */
const FORMS = ["line", "bar", "scatter"] as const satisfies readonly ChartType[];

function seriesOf({ color, aggregation, axis, chartType, format, min, max }: Metric, field: string): Series {
  const first = typeof color === "string" ? color : color?.[0];
  const form = FORMS.find((one) => one === chartType);
  return {
    field,
    ...(format && { format }),
    ...(axis && { axis }),
    ...(form && { type: form }),
    ...(first !== undefined && { color: first }),
    ...(aggregation && { aggregation }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  };
}
