// Parts of an ECharts option that several kinds of chart have.

import type { ChartOption, ChartSize } from "./chart-context.ts";
import { formatNumber, type Format } from "../formats.ts";
import type { Theme } from "./themes.ts";

/** About as wide as a character of a legend, and as what stands beside its text. */
const CHARACTER_PIXELS = 7;
const ENTRY_PIXELS = 46;
const LEGEND_ROW_PIXELS = 22;
const LEGEND_ROWS_MAX = 3;

/** Room at the edges of the drawing; the caption stands below it. */
export const MARGIN = { side: 18, top: 16, bottom: 30 };

/** Where the axes are, with their labels within. */
export const gridPart = (legendHeight: number, right: number = MARGIN.side): ChartOption => ({
  left: MARGIN.side,
  right,
  top: MARGIN.top + legendHeight + 8,
  bottom: MARGIN.bottom,
  outerBoundsMode: "same",
  outerBoundsContain: "all",
});

/** Categories up to which each has its label, cut to its room. */
const LABELLED_MAX = 12;

/** The names of categories at an axis that lies or stands. */
export function categoryLabels(
  names: readonly string[],
  { theme, size, isUpright }: { theme: Theme; size: ChartSize; isUpright: boolean },
): ChartOption {
  const isFew = names.length <= LABELLED_MAX;
  const room = Math.floor((size.width - 6 * MARGIN.side) / Math.max(1, names.length)) - 8;
  return {
    ...labelLook(theme),
    hideOverlap: true,
    overflow: "truncate",
    width: !isUpright && isFew ? room : 130,
    ...(!isUpright && isFew && { interval: 0 }),
  };
}

/** A legend on top, and how high it is. One that would take more than a few rows has as many as fit. */
export function legendPart(
  names: readonly string[],
  { isShown, theme, size }: { isShown: boolean; theme: Theme; size: ChartSize },
): { legend: ChartOption; height: number } {
  if (!isShown) return { legend: { show: false }, height: 0 };
  const rows: string[][] = [[]];
  let left = size.width - 2 * MARGIN.side;
  for (const name of names) {
    const width = name.length * CHARACTER_PIXELS + ENTRY_PIXELS;
    if (width > left && rows.at(-1)!.length > 0) {
      rows.push([]);
      left = size.width - 2 * MARGIN.side;
    }
    rows.at(-1)!.push(name);
    left -= width;
  }
  const shown = rows.slice(0, LEGEND_ROWS_MAX);
  return {
    legend: {
      data: shown.flat(),
      top: 10,
      left: MARGIN.side - 4,
      right: MARGIN.side,
      itemWidth: 14,
      itemHeight: 10,
      itemGap: 14,
      textStyle: { color: theme.text, fontSize: 12 },
    },
    height: shown.length * LEGEND_ROW_PIXELS + 8,
  };
}

export const axisLook = (theme: Theme): ChartOption => ({
  axisLine: { lineStyle: { color: theme.line } },
  axisTick: { show: false },
  splitLine: { lineStyle: { color: theme.line } },
  nameTextStyle: { color: theme.muted, fontSize: 11 },
});

export const labelLook = (theme: Theme): ChartOption => ({ color: theme.muted, fontSize: 11 });

export const numberLabel =
  (format: Format | undefined) =>
  (value: number): string =>
    formatNumber(value, format, true);

/** Values as colours, in a bar at the right. */
export function visualMap(
  values: readonly number[],
  { isPiecewise, theme, format }: { isPiecewise: boolean; theme: Theme; format: Format | undefined },
): ChartOption {
  // Without a spread of calls: there may be thousands of values.
  const min = values.reduce((least, value) => Math.min(least, value), values[0] ?? 0);
  const max = values.reduce((most, value) => Math.max(most, value), values[0] ?? 1);
  return {
    type: isPiecewise ? "piecewise" : "continuous",
    min,
    max: max === min ? min + 1 : max,
    right: 10,
    top: "center",
    inRange: { color: [...theme.scale] },
    formatter: isPiecewise
      ? (from: number, to: number) => `${formatNumber(from, format, true)} – ${formatNumber(to, format, true)}`
      : numberLabel(format),
    ...(isPiecewise
      ? { splitNumber: 5 }
      : { text: [formatNumber(max, format, true), formatNumber(min, format, true)] }),
    itemHeight: isPiecewise ? 12 : 110,
    itemWidth: 12,
    textStyle: { color: theme.muted, fontSize: 11 },
  };
}
