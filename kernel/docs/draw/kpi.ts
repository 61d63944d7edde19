// Numbers that stand alone, each beside the one it is compared with.

import type { Series, Viz } from "../viz.ts";
import { DRAW_BOUNDS } from "./bounds.ts";
import { startAggregate } from "./aggregate.ts";
import { measuresOf } from "./charts/chart-context.ts";
import { formatNumber } from "./formats.ts";
import { cellAt, columnAt, noteOfRows } from "./group-rows.ts";
import type { ResultTable } from "./result-table.ts";

export type KpiViz = Extract<Viz, { type: "kpi" }>;

/**
 * `comparison`: such as `▲ 12.5% against 1,200 (last month)`; undefined where nothing is compared. `note`: what the
 * value leaves out, "" where it is of all rows.
 */
export type Kpi = { label: string; value: string; comparison: string | undefined; note: string };

/**
 * A measure is aggregated over the rows. Against an earlier period, the rows are periods: the last is the value, and
 * the one before it, or a year before it, is what it is compared with.
 */
export function kpisOf(viz: KpiViz, table: ResultTable): Kpi[] {
  const { compare } = viz;
  const measures = measuresOf(viz);
  const rowsMax = Math.floor(DRAW_BOUNDS.readCellsMax / (1 + 2 * measures.length));
  return measures.map((measure) => {
    const { label = measure.field, format } = measure;
    const shown = (value: number | null) => (value === null ? "–" : formatNumber(value, format));
    // What has been seen is kept to count what is distinct, so there it is less.
    const most = measure.aggregation === "distinct" ? Math.min(rowsMax, DRAW_BOUNDS.chartRowsMax) : rowsMax;
    const rowCount = Math.min(table.rowCount, most);
    const read = { ...table, rowCount };
    const note = noteOfRows(rowCount, table).join("");
    if (typeof compare === "string") {
      const { now, before } = periodsOf(read, measure, compare);
      const name = compare === "previousYear" ? "a year before" : "the period before";
      const comparison =
        before === null ? `Nothing to compare with ${name}.` : against(now, before, shown(before), name);
      return { label, value: shown(now), comparison, note };
    }
    const value = total(read, measure, measure.field);
    const other = compare ? total(read, measure, compare.field) : null;
    const comparison =
      other === null ? undefined : against(value, other, shown(other), compare!.label ?? compare!.field);
    return { label, value: shown(value), comparison, note };
  });
}

function against(value: number | null, other: number, shown: string, name: string): string | undefined {
  if (value === null) return undefined;
  const sign = value > other ? "▲" : value < other ? "▼" : "=";
  const change = other === 0 ? "" : ` ${formatNumber(Math.abs((value - other) / other), "percent")}`;
  return `${sign}${change} against ${shown} (${name})`;
}

function total(table: ResultTable, { aggregation = "sum" }: Series, field: string): number | null {
  const at = columnAt(table, field);
  const aggregate = startAggregate[aggregation]();
  for (let row = 0; row < table.rowCount; row++) aggregate.add(cellAt(table, row, at));
  return aggregate.value;
}

type Periods = { now: number | null; before: number | null };

/** Only the periods that are shown are aggregated, however many there are. */
function periodsOf(table: ResultTable, measure: Series, compare: "previousPeriod" | "previousYear"): Periods {
  const time = table.columns.findIndex(({ kind }) => kind === "date" || kind.startsWith("timestamp"));
  const at = columnAt(table, measure.field);
  const { last, next } = latestOf(table, time);
  if (last === undefined) return { now: total(table, measure, measure.field), before: null };
  const earlier = compare === "previousPeriod" ? next : yearBefore(last);
  const start = startAggregate[measure.aggregation ?? "sum"];
  const now = start();
  let before: ReturnType<typeof start> | undefined;
  for (let row = 0; row < table.rowCount; row++) {
    const period = cellAt(table, row, time);
    if (period === last) now.add(cellAt(table, row, at));
    else if (period === earlier && earlier !== undefined) (before ??= start()).add(cellAt(table, row, at));
  }
  return { now: now.value, before: before?.value ?? null };
}

/** The last period, and the one before it. */
function latestOf(table: ResultTable, time: number): { last: string | undefined; next: string | undefined } {
  let [last, next]: (string | undefined)[] = [];
  for (let row = 0; row < table.rowCount; row++) {
    const period = cellAt(table, row, time);
    if (typeof period !== "string") continue;
    if (last === undefined || period > last) [last, next] = [period, last];
    else if (period !== last && (next === undefined || period > next)) next = period;
  }
  return { last, next };
}

const yearBefore = (period: string): string =>
  period.replace(/^\d{4}/, (year) => String(Number(year) - 1).padStart(4, "0"));
