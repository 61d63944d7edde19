// Pies: the shares of one measure.

import { DRAW_BOUNDS } from "../bounds.ts";
import { type Chart, type ChartContext, type ChartOption, measuresOf } from "./chart-context.ts";
import { formatNumber } from "../formats.ts";
import { colorOf, groupRows } from "../group-rows.ts";
import { legendPart, MARGIN } from "./parts.ts";

/** In less than this, labels need the room that the ring would have. */
const NARROW_PX = 420;

export function pieOption(
  viz: Extract<Chart, { type: "pie" }>,
  { table, theme, size, note }: ChartContext,
): ChartOption {
  const by = viz.x ?? viz.color;
  const measures = measuresOf(viz);
  const slicesMax = Math.min(by?.limit ?? DRAW_BOUNDS.pieSlicesMax, DRAW_BOUNDS.pieSlicesMax);
  const x = by && { ...by, type: "category" as const, limit: slicesMax };
  const { groups, series, notes } = groupRows(table, {
    x,
    color: undefined,
    measures: x ? measures.slice(0, 1) : measures,
  });
  notes.forEach(note);
  if (x && measures.length > 1) note("A pie shows one measure, the first.");
  const slices = x
    ? groups.map(({ label }, at) => ({ name: label, value: series[0]?.values[at] ?? null, measure: measures[0] }))
    : series.map(({ name, values, measure }) => ({ name, value: values[0] ?? null, measure }));
  // A share of less than nothing can't be drawn.
  const drawn = slices.filter(({ value }) => value !== null && value > 0);
  if (drawn.length < slices.length) note("Values that are missing or not above zero are left out.");
  const total = drawn.reduce((sum, { value }) => sum + value!, 0);
  const legend = legendPart(
    drawn.map(({ name }) => name),
    { isShown: viz.legend ?? false, theme, size },
  );
  return {
    legend: legend.legend,
    series: [
      {
        type: "pie",
        radius: size.width < NARROW_PX ? ["26%", "44%"] : ["42%", "70%"],
        top: legend.height,
        bottom: MARGIN.bottom - 16,
        itemStyle: { borderColor: theme.background, borderWidth: 2 },
        label: {
          color: theme.text,
          fontSize: 12,
          lineHeight: 15,
          overflow: "truncate",
          width: Math.floor(size.width / 4),
        },
        labelLine: { lineStyle: { color: theme.muted } },
        data: drawn.map(({ name, value, measure }, at) => ({
          name,
          value,
          itemStyle: { color: colorOf(viz.colors, name) ?? theme.series[at % theme.series.length] },
          label: {
            formatter: () =>
              `${name}\n${formatNumber(value!, measure?.format, true)} · ${formatNumber(value! / total, "percent")}`,
          },
        })),
      },
    ],
  };
}
