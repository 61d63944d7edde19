// Heatmaps: a measure by two columns, as colours.

import { DRAW_BOUNDS } from "../bounds.ts";
import { type Chart, type ChartContext, type ChartOption, measuresOf } from "./chart-context.ts";
import { formatNumber } from "../formats.ts";
import { groupRows } from "../group-rows.ts";
import { axisLook, categoryLabels, gridPart, visualMap } from "./parts.ts";

/** Cells up to which each shows its value. */
const SHOWN_VALUES_MAX = 120;

export function heatmapOption(
  viz: Extract<Chart, { type: "heatmap" }>,
  { table, theme, size, note }: ChartContext,
): ChartOption {
  const measures = measuresOf(viz);
  if (viz.color && measures.length > 1) note("A heatmap shows one measure, the first.");
  const limit = Math.min(viz.color?.limit ?? 30, DRAW_BOUNDS.chartSeriesMax);
  const columnsMax = Math.floor(DRAW_BOUNDS.heatmapCellsMax / limit);
  const { groups, series, notes } = groupRows(table, {
    x: viz.x && { ...viz.x, limit: Math.min(viz.x.limit ?? columnsMax, columnsMax) },
    color: viz.color && { ...viz.color, limit },
    measures: viz.color ? measures.slice(0, 1) : measures,
  });
  notes.forEach(note);
  const cells = series.flatMap(({ values }, y) => values.map((value, x) => [x, y, value] as const));
  const drawn = cells.filter(([, , value]) => value !== null);
  const format = measures[0]?.format;
  const category = (names: readonly string[], isUpright: boolean) => ({
    type: "category",
    data: names,
    ...axisLook(theme),
    splitLine: { show: false },
    axisLabel: categoryLabels(names, { theme, size, isUpright }),
  });
  return {
    grid: gridPart(0, 110),
    xAxis: category(
      groups.map(({ label }) => label),
      false,
    ),
    yAxis: {
      ...category(
        series.map(({ name }) => name),
        true,
      ),
      inverse: true,
    },
    visualMap: visualMap(
      drawn.map(([, , value]) => value!),
      { isPiecewise: viz.scale === "piecewise", theme, format },
    ),
    series: [
      {
        type: "heatmap",
        data: drawn,
        itemStyle: { borderColor: theme.background, borderWidth: 1 },
        label: {
          show: drawn.length <= SHOWN_VALUES_MAX,
          fontSize: 11,
          formatter: ({ value }: { value: [number, number, number] }) => formatNumber(value[2], format, true),
        },
      },
    ],
  };
}
