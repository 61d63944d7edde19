// A tile's chart as an option of ECharts. Pure, and without the library: whoever draws a chart draws it from here.

import type { ResultTable } from "../result-table.ts";
import { axesOption } from "./axes-option.ts";
import { calendarOption } from "./calendar-option.ts";
import type { Chart, ChartContext, ChartOption, ChartSize } from "./chart-context.ts";
import { heatmapOption } from "./heatmap-option.ts";
import { pieOption } from "./pie-option.ts";
import { scatterOption } from "./scatter-option.ts";
import { THEMES, type Theme, type ThemeName } from "./themes.ts";

/** `option` is ECharts'. `notes` say what the picture leaves out; it has them as its caption. */
export function chartOption(
  viz: Chart,
  table: ResultTable,
  { theme: name, ...size }: ChartSize & { theme: ThemeName },
): { option: ChartOption; notes: string[] } {
  const theme = THEMES[name];
  const notes: string[] = [];
  const context = { table, theme, size, note: (text: string) => void notes.push(text) };
  const drawn = table.rowCount === 0 ? NO_ROWS(theme) : OPTIONS[viz.type](viz as never, context);
  return { option: { ...commonOption(theme, notes), ...drawn }, notes };
}

const OPTIONS: {
  [Type in Chart["type"]]: (viz: Extract<Chart, { type: Type }>, context: ChartContext) => ChartOption;
} = {
  line: axesOption,
  area: axesOption,
  bar: axesOption,
  scatter: scatterOption,
  pie: pieOption,
  heatmap: heatmapOption,
  calendar: calendarOption,
};

const NO_ROWS = (theme: Theme): ChartOption => ({
  title: { text: "No rows", left: "center", top: "middle", textStyle: { color: theme.muted, fontWeight: "normal" } },
});

/** `title` is the caption. Dates are in UTC, as results have them. */
function commonOption(theme: Theme, notes: readonly string[]): ChartOption {
  return {
    animation: false,
    useUTC: true,
    backgroundColor: theme.background,
    color: theme.series,
    textStyle: { color: theme.text },
    title: {
      text: notes.join(" "),
      left: 12,
      bottom: 6,
      textStyle: { color: theme.muted, fontSize: 11, fontWeight: "normal" },
    },
  };
}
