// Scatters: one point a row.

import { DRAW_BOUNDS } from "../bounds.ts";
import { type Chart, type ChartContext, type ChartOption, measuresOf } from "./chart-context.ts";
import { numberOf } from "../formats.ts";
import { cellAt, colorOf, columnAt, groupRows, keyOf, shortened } from "../group-rows.ts";
import { axisLook, gridPart, labelLook, legendPart, numberLabel } from "./parts.ts";
import { referenceLines } from "./references.ts";

const SIZE_PIXELS = { least: 6, most: 30 };

type Scatter = Extract<Chart, { type: "scatter" }>;
type Points = Map<string, { color: string | undefined; points: [number | string, number, number][] }>;

export function scatterOption(viz: Scatter, context: ChartContext): ChartOption {
  const { table, theme, size, note } = context;
  const measures = measuresOf(viz);
  if (viz.compare) note("The comparison is not drawn.");
  const xKind = table.columns[columnAt(table, viz.x?.field ?? "")]?.kind;
  const isNumber = xKind === "integer" || xKind === "bigint" || xKind === "decimal" || xKind === "float";
  const x = viz.x && { ...viz.x, type: viz.x.type ?? (isNumber ? ("number" as const) : undefined) };
  // The grouping decides on the axis alone; each row stays a point.
  const axisX = x && { field: x.field, ...(x.type && { type: x.type }) };
  const { axisType, groups, notes } = groupRows(table, { x: axisX, color: undefined, measures: measures.slice(0, 1) });
  const { series, left } = pointsOf(viz, context, axisType);
  if (left > 0) note(`${left.toLocaleString("en-US")} more points are left out.`);
  else notes.forEach(note);
  const names = [...series.keys()];
  const legend = legendPart(names, { isShown: viz.legend ?? names.length > 1, theme, size });
  const sizes = [...series.values()].flatMap(({ points }) => points.map(([, , value]) => value));
  const largest = sizes.reduce((most, value) => Math.max(most, value), 0);
  const diameter = ([, , value]: [unknown, unknown, number]): number =>
    viz.size && largest > 0
      ? SIZE_PIXELS.least + Math.sqrt(Math.max(0, value) / largest) * (SIZE_PIXELS.most - SIZE_PIXELS.least)
      : 8;
  const look = {
    ...axisLook(theme),
    ...(viz.x?.label && { name: shortened(viz.x.label), nameLocation: "middle", nameGap: 28 }),
  };
  const axisLabel = { ...labelLook(theme), hideOverlap: true };
  const xAxis: Record<typeof axisType, ChartOption> = {
    category: { type: "category", data: groups.map(({ label }) => label), ...look, axisLabel },
    time: { type: "time", ...look, axisLabel },
    number: { type: "value", scale: true, ...look, axisLabel: { ...axisLabel, formatter: numberLabel(viz.x?.format) } },
  };
  return {
    legend: legend.legend,
    grid: gridPart(legend.height),
    xAxis: xAxis[axisType],
    yAxis: {
      type: "value",
      scale: true,
      ...axisLook(theme),
      axisLine: { show: false },
      axisLabel: { ...labelLook(theme), formatter: numberLabel(measures[0]?.format) },
      ...(measures[0]?.min !== undefined && { min: measures[0].min }),
      ...(measures[0]?.max !== undefined && { max: measures[0].max }),
    },
    series: [...series].map(([name, { color, points }], i) => ({
      name,
      type: "scatter",
      data: points,
      symbolSize: diameter,
      itemStyle: { opacity: 0.7 },
      ...(color && { color }),
      ...(i === 0 && viz.reference && referenceLines(viz.reference, { theme, isHorizontal: false })),
    })),
  };
}

function pointsOf(
  viz: Scatter,
  { table }: ChartContext,
  axisType: "category" | "time" | "number",
): { series: Points; left: number } {
  const measures = measuresOf(viz).map((measure) => ({ measure, at: columnAt(table, measure.field) }));
  const xAt = columnAt(table, viz.x?.field ?? "");
  const colorAt = columnAt(table, viz.color?.field ?? "");
  const sizeAt = columnAt(table, viz.size?.field ?? "");
  const series: Points = new Map();
  const seriesMax = Math.min(viz.color?.limit ?? DRAW_BOUNDS.chartSeriesMax, DRAW_BOUNDS.chartSeriesMax);
  let [count, left] = [0, 0];
  for (let row = 0; row < table.rowCount; row++) {
    const cell = cellAt(table, row, xAt);
    const text = keyOf(cell);
    const zoned = /T.*[^Z]$/.test(text) ? `${text}Z` : text;
    const x =
      axisType === "category" ? shortened(text) : axisType === "time" ? Date.parse(zoned) : (numberOf(cell) ?? NaN);
    const size = numberOf(cellAt(table, row, sizeAt)) ?? 0;
    for (const { measure, at } of measures) {
      const y = numberOf(cellAt(table, row, at));
      if (y === undefined || Number.isNaN(x)) continue;
      const split = colorAt < 0 ? undefined : keyOf(cellAt(table, row, colorAt));
      const label = measure.label ?? measure.field;
      const name = shortened(split === undefined ? label : measures.length === 1 ? split : `${split} · ${label}`);
      const isNew = !series.has(name);
      if (count >= DRAW_BOUNDS.chartPointsMax || (isNew && series.size >= seriesMax)) {
        left++;
        continue;
      }
      if (isNew) series.set(name, { color: measure.color ?? colorOf(viz.colors, name), points: [] });
      series.get(name)!.points.push([x, y, size]);
      count++;
    }
  }
  return { series, left };
}
