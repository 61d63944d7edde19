// The fields that a viz names, each with its steps into the viz.

import type { Axis, Series, Viz } from "./viz.ts";

export type NamedField = { field: string; steps: (string | number)[] };

type Named = Pick<Axis | Series, "field">;

export function fieldsOf(viz: Viz): NamedField[] {
  const one = (key: string, named: Named | undefined): NamedField[] =>
    named ? [{ field: named.field, steps: [key, "field"] }] : [];
  const list = (key: string, all: readonly Named[] | undefined): NamedField[] =>
    (all ?? []).map(({ field }, at) => ({ field, steps: [key, at, "field"] }));
  const compared = (compare: Extract<Viz, { type: "kpi" }>["compare"]): NamedField[] =>
    typeof compare === "object" ? one("compare", compare) : [];
  if (viz.type === "table") return [...list("columns", viz.columns), ...list("sort", viz.sort)];
  if (viz.type === "pivot")
    return [...list("rows", viz.rows), ...list("columns", viz.columns), ...list("values", viz.values)];
  const measures = [...list("y", viz.y), ...list("series", viz.series)];
  if (viz.type === "kpi") return [...measures, ...compared(viz.compare)];
  return [
    ...one("x", viz.x),
    ...measures,
    ...one("color", viz.color),
    ...(viz.type === "scatter" ? one("size", viz.size) : []),
    ...("compare" in viz ? compared(viz.compare) : []),
  ];
}

/** The filter that a click sets, if the viz says one. */
export const filterOnClick = (viz: Viz): string | undefined => ("onClick" in viz ? viz.onClick?.filter : undefined);
