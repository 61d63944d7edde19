// Calendars: a measure by the day, a row of weeks for each year.

import { type Chart, type ChartContext, type ChartOption, measuresOf } from "./chart-context.ts";
import { DRAW_BOUNDS } from "../bounds.ts";
import { groupRows } from "../group-rows.ts";
import { labelLook, visualMap } from "./parts.ts";

/** Years that a picture has room for: the last ones. */
const YEARS_MAX = 3;

export function calendarOption(
  viz: Extract<Chart, { type: "calendar" }>,
  { table, theme, size, note }: ChartContext,
): ChartOption {
  const measures = measuresOf(viz).slice(0, 1);
  // All days, in their order: those of a year that is shown are not left out for how little they weigh.
  const x = viz.x && { field: viz.x.field, type: "time" as const, limit: DRAW_BOUNDS.chartPointsMax };
  if (viz.color || measuresOf(viz).length > 1) note("A calendar shows one measure, not split.");
  const { groups, series, notes } = groupRows(daysOf(table, viz.x?.field), { x, color: undefined, measures });
  const days = groups.flatMap(({ label }, at) => {
    const value = series[0]?.values[at] ?? null;
    return value !== null && /^\d{4}-\d\d-\d\d$/.test(label) ? [[label, value] as const] : [];
  });
  const years = [...new Set(days.map(([day]) => day.slice(0, 4)))].sort();
  const shown = years.slice(-YEARS_MAX);
  if (shown.length < years.length) note(`The last ${YEARS_MAX} of ${years.length} years.`);
  notes.forEach(note);
  const height = Math.floor((size.height - 60) / Math.max(1, shown.length));
  const cell = Math.max(4, Math.min(18, Math.floor((size.width - 170) / 54), Math.floor((height - 34) / 7)));
  return {
    calendar: shown.map((year, i) => ({
      range: year,
      top: 36 + i * height,
      left: 66,
      cellSize: [cell, cell],
      itemStyle: { color: theme.background, borderColor: theme.line, borderWidth: 1 },
      splitLine: { lineStyle: { color: theme.muted, width: 1 } },
      yearLabel: { color: theme.muted, fontSize: 13, margin: 30 },
      monthLabel: { ...labelLook(theme), nameMap: "EN" },
      dayLabel: { ...labelLook(theme), fontSize: 9, firstDay: 1, nameMap: ["", "M", "", "W", "", "F", ""] },
    })),
    visualMap: visualMap(
      days.map(([, value]) => value),
      { isPiecewise: viz.scale === "piecewise", theme, format: measures[0]?.format },
    ),
    series: shown.map((year, i) => ({
      type: "heatmap",
      coordinateSystem: "calendar",
      calendarIndex: i,
      data: days.filter(([day]) => day.startsWith(year)),
    })),
  };
}

/** The table with its instants as their days. */
function daysOf(table: ChartContext["table"], field: string | undefined): ChartContext["table"] {
  const at = table.columns.findIndex(({ name }) => name === field);
  return {
    ...table,
    columns: table.columns.map((column, i) => (i === at ? { ...column, kind: "text" } : column)),
    cell(row, column) {
      const cell = table.cell(row, column);
      return column === at && typeof cell === "string" ? cell.slice(0, 10) : cell;
    },
  };
}
