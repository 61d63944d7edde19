// A chart as an SVG. ECharts draws it without a document, and loads with the first chart.

import { RENDER_BOUNDS } from "../bounds.ts";
import type { ResultTable } from "../../../../../kernel/docs/draw/result-table.ts";
import type { Chart, ChartSize } from "../../../../../kernel/docs/draw/charts/chart-context.ts";
import { chartOption } from "../../../../../kernel/docs/draw/charts/chart-option.ts";
import { CHART_FONT, type ThemeName } from "../../../../../kernel/docs/draw/charts/themes.ts";

/** `notes` say what the picture leaves out. Text of the data never becomes markup of the SVG. */
export async function drawChart(
  viz: Chart,
  table: ResultTable,
  { width, height, theme }: ChartSize & { theme: ThemeName },
): Promise<{ svg: string; notes: string[] }> {
  const size = { width: within(width), height: within(height) };
  const { option, notes } = chartOption(viz, table, { ...size, theme });
  const { init } = await import("./echarts.ts");
  const chart = init(null, null, { renderer: "svg", ssr: true, ...size });
  try {
    chart.setOption({ ...option, textStyle: { ...(option["textStyle"] as object), fontFamily: CHART_FONT } });
    return { svg: withoutControls(chart.renderToSVGString()), notes };
  } finally {
    chart.dispose();
  }
}

const within = (side: number): number => Math.max(100, Math.min(RENDER_BOUNDS.pictureSideMax, Math.round(side)));

/** XML has no place for these characters, not even escaped. */
const withoutControls = (svg: string): string =>
  svg.toWellFormed().replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, "\ufffd");
