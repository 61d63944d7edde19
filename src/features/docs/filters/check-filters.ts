// The filters of a doc are checked against the datasets that take them. Pure.

import { tilesOf, type Dashboard, type Filter } from "../../../../kernel/docs/dashboard.ts";
import { isReplaced, operatorOf, shapeOf, takerOf, wayOf, type FilterWay } from "../../../../kernel/docs/filters.ts";
import type { Flaw } from "../../../core/problem.ts";
import type { Dataset } from "../definition/definition.ts";
import { cubeQueryOf } from "../runs/plan/cube-query.ts";
import { datasetsDrawnBy } from "../definition/drawn-dashboard.ts";
import { dimensionOf } from "./dimension.ts";
import { partParameters, type FilterParameter } from "./filter-parameter.ts";
import { readFilterValue } from "./filter-value.ts";

type Datasets = Readonly<Record<string, Dataset>>;

export function checkFilterParameters(datasets: Datasets, filters: readonly Filter[]): Flaw[] {
  return Object.entries(datasets).flatMap(([key, dataset]) => {
    if (dataset.engine !== "sql") return [];
    return Object.entries(partParameters(dataset.parameters).filtered).flatMap(([name, parameter]): Flaw[] => {
      const at = `/datasets/${key}/parameters/${name}`;
      if (dataset.materialize)
        return [{ pointer: at, message: "A dataset that builds a table takes no filter: it is built of all rows." }];
      const filter = filters.find(({ id }) => id === parameter.filter);
      if (!filter) return [{ pointer: `${at}/filter`, message: `There is no filter ${parameter.filter}.` }];
      return checkPart(filter, parameter, at);
    });
  });
}

function checkPart(filter: Filter, { part, type, list }: FilterParameter, at: string): Flaw[] {
  if (shapeOf(filter) !== "range")
    return part ? [{ pointer: `${at}/part`, message: `The filter ${filter.id} is no range, and has no parts.` }] : [];
  if (part && type === "date" && !list) return [];
  return [
    { pointer: at, message: `The filter ${filter.id} is a range: send the part, from or to, and the type date.` },
  ];
}

/** Filters that nothing here acts on, and defaults that they can't have. */
export function warnOfFilters(datasets: Datasets, dashboard: Dashboard): Flaw[] {
  const drawn = datasetsDrawnBy(tilesOf(dashboard).tiles);
  const takersOf = (filter: Filter) =>
    Object.entries(datasets).flatMap(([key, dataset]) => {
      const way = wayOf(filter, takerOf(dataset), { key, drawn });
      return way ? [{ key, dataset, way }] : [];
    });
  return (dashboard.filters ?? []).flatMap((filter, i) => {
    const read = filter.default === undefined ? undefined : readFilterValue(filter, filter.default, SOME_TIME);
    const shape = shapeOf(filter);
    const takers = takersOf(filter);
    const at = `/filters/${i}/target`;
    return [
      ...(takers.length > 0 ? warnOfTarget(filter, takers, at) : [{ pointer: `/filters/${i}`, message: UNTAKEN }]),
      ...(isReplaced(filter)
        ? [{ pointer: `/filters/${i}/operator`, message: `Of days it is read as ${operatorOf(filter)}.` }]
        : []),
      ...(filter.values && (shape === "range" || shape === "flag" || filter.values.length === 0)
        ? [{ pointer: `/filters/${i}/values`, message: filter.values.length === 0 ? NO_CHOICES : UNHELD }]
        : []),
      ...(read && "message" in read
        ? [{ pointer: `/filters/${i}/default`, message: `Nobody can ask with this default. ${read.message}` }]
        : []),
    ];
  });
}

type Taker = { key: string; dataset: Dataset; way: FilterWay };

/** A dataset that is named and does not take the filter, and a dimension of no cube, are accepted and do nothing. */
function warnOfTarget(filter: Filter, takers: readonly Taker[], at: string): Flaw[] {
  const untaken = (filter.target.datasets ?? []).flatMap((key, i) =>
    takers.some((taker) => taker.key === key) ? [] : [{ pointer: `${at}/datasets/${i}`, message: UNTAKEN_HERE }],
  );
  const bare = takers.flatMap(({ key, dataset, way }) => {
    if (way !== "dimension" || dataset.engine !== "cube") return [];
    const read = dimensionOf(filter, { key, cube: dataset.cube, query: cubeQueryOf(dataset) });
    return "message" in read ? [{ pointer: `${at}/dimension`, message: `${read.message} ${NOT_ASKED}` }] : [];
  });
  return [...untaken, ...bare];
}

/** Words for days mean others tomorrow, and are read alike on each; those for hours are no days at any time of one. */
const SOME_TIME = new Date("1970-01-01T12:34:56.789Z");

const NO_CHOICES = "An empty list of values restricts nothing.";
const UNHELD = "No value of this filter is compared with these.";
const NOT_ASKED = "Until then who sets the filter is refused.";
const TAKEN =
  "A filter is taken by parameters of SQL that name it, by drawn datasets of the semantic layer for its dimension, and " +
  "by drawn SQL on the team's lake for its field.";
const UNTAKEN = `It is not acted on: no dataset takes it. ${TAKEN}`;
const UNTAKEN_HERE = `It is not acted on in this dataset. ${TAKEN}`;
