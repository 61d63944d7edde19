// Makes up charts of every type, by the names of fields and by the places of columns.

import fc from "fast-check";
import { CHART_TYPES } from "../../../../kernel/docs/chart-options.ts";
import { AGGREGATIONS, FORMATS, type Viz } from "../../../../kernel/docs/viz.ts";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Doc = { [key: string]: Json };

type Members = Record<string, fc.Arbitrary<unknown>>;

/** A record of which every member but those in `requiredKeys` may be left out. */
export const some = (members: Members, ...requiredKeys: string[]): fc.Arbitrary<Doc> =>
  fc.record(members, { requiredKeys }) as unknown as fc.Arbitrary<Doc>;
const list = (one: fc.Arbitrary<Doc>): fc.Arbitrary<Doc[]> => fc.array(one, { minLength: 1, maxLength: 3 });

const label = fc.constantFrom("Revenue", "Umsatz");
const format = fc.constantFrom(...FORMATS);
const color = fc.constantFrom("#10b981", "#FFF", "#10b98180");
const limit = fc.integer({ min: 1, max: 50 });
const bound = fc.double({ min: -1e6, max: 1e6, noNaN: true });

type Parts = Record<"axis" | "series", fc.Arbitrary<Doc>> & { field: fc.Arbitrary<string> };

const partsOf = (fields: readonly string[]): Parts => {
  const field = fc.constantFrom(...fields);
  return {
    field,
    axis: some({ field, type: fc.constantFrom("category", "time", "number"), label, format, limit }, "field"),
    series: some(
      {
        ...{ field, label, format, color, min: bound, max: bound },
        axis: fc.constantFrom("left", "right"),
        type: fc.constantFrom("line", "area", "bar", "scatter"),
        aggregation: fc.constantFrom(...AGGREGATIONS),
      },
      "field",
    ),
  };
};

/** The members of each type, beside `type` and those of its measures. */
function membersOf({ field, axis, series }: Parts, filters: readonly string[]): Record<Viz["type"], Members> {
  const onClick = filters.length > 0 ? { onClick: fc.record({ filter: fc.constantFrom(...filters) }) } : {};
  const compare = fc.oneof(fc.constantFrom("previousPeriod", "previousYear"), some({ field, label }, "field"));
  const grouped = { x: axis, color: axis, ...onClick };
  const legend = fc.boolean();
  const plotted = { ...grouped, legend, compare, reference: list(some({ y: bound, label, color }, "y")) };
  const stack = fc.constantFrom("none", "normal", "percent");
  const scale = fc.constantFrom("continuous", "piecewise");
  return {
    kpi: { compare },
    line: { ...plotted, stack },
    area: { ...plotted, stack },
    bar: { ...plotted, stack, orientation: fc.constantFrom("vertical", "horizontal") },
    scatter: { ...plotted, size: axis },
    pie: { ...grouped, legend },
    heatmap: { ...grouped, scale },
    calendar: { ...grouped, scale },
    table: {
      columns: list(some({ field, label, format, width: limit }, "field")),
      sort: list(some({ field, desc: fc.boolean() }, "field")),
      ...onClick,
    },
    pivot: { rows: list(axis), columns: list(axis), values: list(series) },
  };
}

type TileType = "kpi" | "chart" | "table";
const isDrawnIn: Record<TileType, (type: string) => boolean> = {
  kpi: (type) => type === "kpi",
  table: (type) => type === "table" || type === "pivot",
  chart: (type) => !["kpi", "table"].includes(type),
};

/** A chart that a tile of the type draws of a dataset with these fields. */
export function arbitraryViz(tile: TileType, fields: readonly string[], filters: readonly string[]): fc.Arbitrary<Doc> {
  const parts = partsOf(fields);
  const byName = Object.entries(membersOf(parts, filters))
    .filter(([type]) => isDrawnIn[tile](type))
    .map(([type, members]) => {
      const typed = { type: fc.constant(type), ...members };
      if (type === "table") return some(typed, "type");
      if (type === "pivot") return some(typed, "type", "rows", "values");
      const colors = fc.dictionary(fc.constantFrom("color", "Oslo"), color, { noNullPrototype: true });
      return fc
        .constantFrom("y", "series")
        .chain((measures) => some({ ...typed, colors, [measures]: list(parts.series) }, "type", measures));
    });
  const charts = CHART_TYPES.filter((type) => isDrawnIn[tile](type));
  return charts.length === 0 ? fc.oneof(...byName) : fc.oneof(...byName, byIndex(charts, fields.length));
}

function byIndex(charts: readonly string[], columns: number): fc.Arbitrary<Doc> {
  const index = fc.nat(columns - 1);
  const flag = fc.boolean();
  const style = some({
    ...{ showTitle: flag, showToolbox: flag, showLegend: flag },
    barStyle: fc.constantFrom("grouped", "stacked"),
    orientation: fc.constantFrom("vertical", "horizontal"),
    lineStyle: fc.constantFrom("point", "area"),
    colorGrouping: fc.constantFrom("continuous", "piecewise"),
  });
  const dimension = some({ index, dataType: fc.constantFrom("category", "datetime") }, "index");
  const metric = some(
    {
      ...{ index, min: bound, max: bound },
      color: fc.oneof(color, fc.array(color, { maxLength: 2 })),
      aggregation: fc.constantFrom(...AGGREGATIONS),
      axis: fc.constantFrom("left", "right"),
      dataType: fc.constantFrom("value", "category"),
      chartType: fc.constantFrom(...CHART_TYPES),
      format: fc.constantFrom("percent", "currency", "number"),
    },
    "index",
  );
  const dimensions = fc.array(dimension, { maxLength: 2 });
  return some(
    { chartType: fc.constantFrom(...charts), style, dimensions, metrics: list(metric) },
    "chartType",
    "metrics",
  );
}
