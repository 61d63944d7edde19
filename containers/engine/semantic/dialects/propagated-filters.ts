// The filters of a query that go into the query of one of its dimensions, where the model says so.

import baseFilter from "@cubejs-backend/schema-compiler/dist/src/adapter/BaseFilter.js";
import baseSegment from "@cubejs-backend/schema-compiler/dist/src/adapter/BaseSegment.js";
import baseTimeDimension from "@cubejs-backend/schema-compiler/dist/src/adapter/BaseTimeDimension.js";
import type { Planned } from "./planned.ts";

type Group = { operator: string; values: unknown[] };

/** Undefined where none go into it. Cube's own leaves out groups of filters, in silence. */
export function propagatedFilters(
  query: Planned,
  dimension: string,
): ReturnType<Planned["subQueryDescription"]> | undefined {
  const symbol = query.cubeEvaluator.dimensionByPath(dimension) as {
    propagateFiltersToSubQuery?: boolean;
    sql?: unknown;
  };
  if (!symbol.propagateFiltersToSubQuery) return undefined;
  const [cubeName, name] = query.cubeEvaluator.parsePath("dimensions", dimension) as [string, string];
  const prefix = query.subQueryName(cubeName, name);
  const all = query.filtersWithoutSubQueries as unknown[];
  const times = all.filter((each) => each instanceof baseTimeDimension.BaseTimeDimension);
  const segments = all.filter((each) => each instanceof baseSegment.BaseSegment);
  const filters = all.filter((each) => !times.includes(each as never) && !segments.includes(each as never));
  const subQuery = query.newSubQuery({
    cubeAliasPrefix: prefix,
    rowLimit: null,
    measures: [{ expression: symbol.sql, cubeName, name }],
    dimensions: query.primaryKeyNames(cubeName),
    filters: filters.map(asWritten),
    segments: segments.map(({ segment }) => segment),
    timeDimensions: times.map(({ dimension: time, dateRange }) => ({ dimension: time, dateRange })),
    order: [],
  });
  return { prefix, subQuery, cubeName };
}

function asWritten(filter: unknown): object {
  if (filter instanceof baseFilter.BaseFilter)
    return { member: filter.dimension, operator: filter.operator, values: filter.values };
  const { operator, values } = filter as Group;
  return { [operator]: values.map(asWritten) };
}
