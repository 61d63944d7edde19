// Numbers that stand alone, each beside the one it is compared with.

import type { Series, Viz } from "../../../../../kernel/docs/viz.ts";
import { RENDER_BOUNDS } from "../bounds.ts";
import { startAggregate } from "../charts/aggregate.ts";
import { measuresOf } from "../charts/chart-context.ts";
import { formatNumber } from "../charts/formats.ts";
import { cellAt, columnAt } from "../charts/group-rows.ts";
import type { ResultTable } from "../result/read-result.ts";

export type KpiViz = Extract<Viz, { type: "kpi" }>;

/** `comparison`: such as `▲ 12.5% against 1,200 (last month)`; undefined where nothing is compared. */
export type Kpi = { label: string; value: string; comparison: string | undefined };

/**
 * A measure is aggregated over the rows. Against an earlier period, the rows are periods: the last is the value, and
 * the one before it, or a year before it, is what it is compared with.
 */
export function kpisOf(viz: KpiViz, table: ResultTable): Kpi[] {
  const { compare } = viz;
  return measuresOf(viz).map((measure) => {
    const { label = measure.field, format } = measure;
    const shown = (value: number | null) => (value === null ? "–" : formatNumber(value, format));
    if (typeof compare === "string") {
      const { now, before } = periodsOf(table, measure, compare);
      const name = compare === "previousYear" ? "a year before" : "the period before";
      const comparison =
        before === null ? `Nothing to compare with ${name}.` : against(now, before, shown(before), name);
      return { label, value: shown(now), comparison };
    }
    const value = total(table, measure, measure.field);
    const other = compare ? total(table, measure, compare.field) : null;
    const comparison =
      other === null ? undefined : against(value, other, shown(other), compare!.label ?? compare!.field);
    return { label, value: shown(value), comparison };
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
  for (let row = 0; row < Math.min(table.rowCount, RENDER_BOUNDS.chartRowsMax); row++)
    aggregate.add(cellAt(table, row, at));
  return aggregate.value;
}

type Periods = { now: number | null; before: number | null };

function periodsOf(table: ResultTable, measure: Series, compare: "previousPeriod" | "previousYear"): Periods {
  const time = table.columns.findIndex(({ kind }) => kind === "date" || kind.startsWith("timestamp"));
  const at = columnAt(table, measure.field);
  const totals = new Map<string, ReturnType<(typeof startAggregate)["sum"]>>();
  for (let row = 0; row < Math.min(table.rowCount, RENDER_BOUNDS.chartRowsMax); row++) {
    const period = cellAt(table, row, time);
    if (typeof period !== "string") continue;
    let aggregate = totals.get(period);
    if (!aggregate) totals.set(period, (aggregate = startAggregate[measure.aggregation ?? "sum"]()));
    aggregate.add(cellAt(table, row, at));
  }
  const periods = [...totals.keys()].sort();
  const last = periods.at(-1);
  if (last === undefined) return { now: total(table, measure, measure.field), before: null };
  const earlier = compare === "previousPeriod" ? periods.at(-2) : yearBefore(last);
  return { now: totals.get(last)!.value, before: totals.get(earlier ?? "")?.value ?? null };
}

const yearBefore = (period: string): string =>
  period.replace(/^\d{4}/, (year) => String(Number(year) - 1).padStart(4, "0"));
