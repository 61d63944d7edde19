// The filters of a doc are checked against the datasets that take them. Pure.

import { tilesOf, type Dashboard, type Filter } from "../../../../kernel/docs/dashboard.ts";
import { shapeOf, takerOf, wayOf } from "../../../../kernel/docs/filters.ts";
import type { Flaw } from "../../../core/problem.ts";
import type { Dataset } from "../definition/definition.ts";
import { datasetsDrawnBy } from "../definition/drawn-dashboard.ts";
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
  const isTaken = (filter: Filter) =>
    Object.entries(datasets).some(([key, dataset]) => wayOf(filter, takerOf(dataset), { key, drawn }) !== undefined);
  return (dashboard.filters ?? []).flatMap((filter, i) => {
    // Words for days mean others tomorrow, and are read alike on each.
    const read = filter.default === undefined ? undefined : readFilterValue(filter, filter.default, new Date(0));
    return [
      ...(isTaken(filter) ? [] : [{ pointer: `/filters/${i}`, message: UNTAKEN }]),
      ...(read && "message" in read
        ? [{ pointer: `/filters/${i}/default`, message: `Nobody can ask with this default. ${read.message}` }]
        : []),
    ];
  });
}

const UNTAKEN =
  "It is not acted on: no dataset takes it. A filter is taken by parameters of SQL that name it, by drawn datasets of " +
  "the semantic layer for its dimension, and by drawn SQL on the team's lake for its field.";
