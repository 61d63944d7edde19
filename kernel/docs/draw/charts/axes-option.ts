// Lines, areas and bars.

import type { Series } from "../../viz.ts";
import { type Chart, type ChartContext, type ChartOption, measuresOf } from "./chart-context.ts";
import { type ChartSeries, colorOf, groupRows, type GroupedRows, OTHER, shortened } from "../group-rows.ts";
import { axisLook, categoryLabels, gridPart, labelLook, legendPart, numberLabel } from "./parts.ts";
import { referenceLines } from "./references.ts";

type Plotted = Extract<Chart, { type: "line" | "area" | "bar" }>;
type Form = NonNullable<Series["type"]>;

/** Points of a line up to which each is marked. */
const MARKED_POINTS_MAX = 40;
/** The colour of what is left over lies between those of the themes in light and in dark. */
const OTHER_COLOR = "#94a3b8";

export function axesOption(viz: Plotted, context: ChartContext): ChartOption {
  const { table, theme, size, note } = context;
  const compared = typeof viz.compare === "object" ? viz.compare : undefined;
  if (typeof viz.compare === "string") note("The comparison with an earlier period is not drawn.");
  const measures = [
    ...measuresOf(viz),
    ...(compared ? [{ field: compared.field, ...(compared.label && { label: compared.label }) }] : []),
  ];
  const rows = groupRows(table, { x: viz.x, color: viz.color, measures });
  rows.notes.forEach(note);
  const stack = viz.stack ?? "none";
  const series = stack === "percent" ? shares(rows) : rows.series;
  const isHorizontal = viz.type === "bar" && viz.orientation === "horizontal";
  const legend = legendPart(
    series.map(({ name }) => name),
    { isShown: viz.legend ?? series.length > 1, theme, size },
  );
  const hasBars = series.some(({ measure }) => formOf(measure, viz.type) === "bar");
  const group = groupAxis(viz, rows, context, { isBesideEachOther: hasBars || isHorizontal, isUpright: isHorizontal });
  const values = valueAxes(viz, measures, context, stack === "percent");
  return {
    legend: legend.legend,
    grid: gridPart(legend.height),
    xAxis: isHorizontal ? values : group.axis,
    yAxis: isHorizontal ? { ...group.axis, inverse: true } : values,
    series: series.map((one, i) => ({
      ...seriesOption(one, viz, stack),
      ...(compared && one.measure.field === compared.field && { lineStyle: { type: "dashed" } }),
      data: group.isPlaced ? one.values.map((value, at) => [rows.groups[at]!.position, value]) : one.values,
      ...(i === 0 && viz.reference && referenceLines(viz.reference, { theme, isHorizontal })),
    })),
  };
}

const formOf = (measure: Series, type: Plotted["type"]): Form => measure.type ?? type;

function seriesOption({ name, measure, values }: ChartSeries, viz: Plotted, stack: string): ChartOption {
  const form = formOf(measure, viz.type);
  const color =
    measure.color ??
    colorOf(viz.colors, name) ??
    colorOf(viz.colors, measure.field) ??
    (name === OTHER ? OTHER_COLOR : undefined);
  const points = values.filter((value) => value !== null).length;
  return {
    name,
    type: form === "area" ? "line" : form,
    ...(stack !== "none" && form !== "scatter" && { stack: measure.axis ?? "left" }),
    ...(measure.axis === "right" && hasRightAxis(viz) && { yAxisIndex: 1 }),
    ...(form === "area" && { areaStyle: { opacity: stack === "none" ? 0.18 : 0.65 } }),
    // One value after a gap would not be seen without its mark.
    showSymbol: points <= MARKED_POINTS_MAX,
    symbolSize: form === "scatter" ? 8 : 5,
    symbol: "circle",
    lineStyle: { width: 2 },
    barMaxWidth: 48,
    ...(form === "bar" && stack === "none" && { itemStyle: { borderRadius: 2 } }),
    ...(color && { color }),
  };
}

/** Each value as its share of what all series have in its group. */
function shares({ series, groups }: GroupedRows): ChartSeries[] {
  const totals = groups.map((_, at) => series.reduce((sum, { values }) => sum + Math.abs(values[at] ?? 0), 0));
  return series.map((one) => ({
    ...one,
    values: one.values.map((value, at) => (value === null || totals[at] === 0 ? null : Math.abs(value) / totals[at]!)),
  }));
}

/** `isPlaced`: groups stand where their values are, not one beside the other. */
function groupAxis(
  { x }: Plotted,
  { axisType, groups }: GroupedRows,
  { theme, size }: ChartContext,
  { isBesideEachOther, isUpright }: { isBesideEachOther: boolean; isUpright: boolean },
): { axis: ChartOption; isPlaced: boolean } {
  const look = {
    ...axisLook(theme),
    splitLine: { show: false },
    ...(x?.label && { name: shortened(x.label), nameLocation: "middle", nameGap: 28 }),
  };
  if (axisType === "category" || isBesideEachOther) {
    const names = groups.map(({ label }) => label);
    const axisLabel = categoryLabels(names, { theme, size, isUpright });
    return { axis: { type: "category", data: names, ...look, axisLabel }, isPlaced: false };
  }
  const axisLabel = { ...labelLook(theme), hideOverlap: true };
  if (axisType === "time") return { axis: { type: "time", ...look, axisLabel }, isPlaced: true };
  return {
    axis: { type: "value", scale: true, ...look, axisLabel: { ...axisLabel, formatter: numberLabel(x?.format) } },
    isPlaced: true,
  };
}

/** Bars that lie have one axis of values: they are read from left to right. */
const hasRightAxis = (viz: Plotted): boolean =>
  measuresOf(viz).some(({ axis }) => axis === "right") && !(viz.type === "bar" && viz.orientation === "horizontal");

function valueAxes(
  viz: Plotted,
  measures: readonly Series[],
  { theme }: ChartContext,
  isShare: boolean,
): ChartOption[] {
  const sides = hasRightAxis(viz) ? (["left", "right"] as const) : (["left"] as const);
  return sides.map((side) => {
    const own = measures.filter(({ axis = "left" }) => sides.length === 1 || axis === side);
    const bounds = (pick: (measure: Series) => number | undefined) =>
      own.map(pick).filter((bound) => bound !== undefined);
    const [mins, maxs] = [bounds(({ min }) => min), bounds(({ max }) => max)];
    return {
      type: "value",
      position: sides.length === 1 ? undefined : side,
      ...axisLook(theme),
      axisLine: { show: false },
      ...(side === "right" && { splitLine: { show: false } }),
      axisLabel: {
        ...labelLook(theme),
        formatter: numberLabel(isShare ? "percent" : own[0]?.format),
        hideOverlap: true,
      },
      ...(isShare && { max: 1 }),
      ...(mins.length > 0 && { min: Math.min(...mins) }),
      ...(maxs.length > 0 && { max: Math.max(...maxs) }),
    };
  });
}
