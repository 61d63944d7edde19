// Every kind of chart draws from a context, and makes an option of ECharts.

import type { Series, Viz } from "../../viz.ts";
import type { ResultTable } from "../result-table.ts";
import type { Theme } from "./themes.ts";

export const CHART_TYPES = ["line", "area", "bar", "scatter", "pie", "heatmap", "calendar"] as const;
/** The other kinds of viz are tables and numbers, which are text and no picture. */
export type Chart = Extract<Viz, { type: (typeof CHART_TYPES)[number] }>;

export const isChart = (viz: Viz): viz is Chart => (CHART_TYPES as readonly string[]).includes(viz.type);

export type ChartSize = { width: number; height: number };

/** `note` adds a sentence on what the picture leaves out. */
export type ChartContext = { table: ResultTable; theme: Theme; size: ChartSize; note(text: string): void };

/** An option of ECharts, or a part of one. */
export type ChartOption = Record<string, unknown>;

/** `series` is another spelling of `y`. */
export const measuresOf = ({ y, series }: { y?: Series[] | undefined; series?: Series[] | undefined }): Series[] =>
  y ?? series ?? [];
