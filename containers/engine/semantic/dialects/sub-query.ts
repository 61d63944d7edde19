// A dimension that is a measure of another cube, of each row by itself: a query of its own, and the filters that go
// into it where the model says so.

import baseFilter from "@cubejs-backend/schema-compiler/dist/src/adapter/BaseFilter.js";
import baseSegment from "@cubejs-backend/schema-compiler/dist/src/adapter/BaseSegment.js";
import baseTimeDimension from "@cubejs-backend/schema-compiler/dist/src/adapter/BaseTimeDimension.js";
import type { Planned } from "./planned.ts";
import { Refused } from "./refused.ts";

type Group = { operator: string; values: unknown[] };

/**
 * Has a row for each of the dimension's own cube, so that one with none of what is measured counts as none: it begins
 * there where joins lead on from it. Cube's own begins where the measure is when that joins back, and has no row for
 * those; and it leaves out groups of filters.
 */
export function describeSubQuery(query: Planned, dimension: string): ReturnType<Planned["subQueryDescription"]> {
  const symbol = query.cubeEvaluator.dimensionByPath(dimension) as {
    propagateFiltersToSubQuery?: boolean;
    sql?: unknown;
  };
  const [cubeName, name] = query.cubeEvaluator.parsePath("dimensions", dimension) as [string, string];
  const above = (query.options.inSubQueries ?? []) as string[];
  if (above.includes(dimension))
    throw new Refused(`${dimension} is measured over a join, or by a filter, that needs ${dimension} by itself.`);
  const prefix = query.subQueryName(cubeName, name);
  const all = symbol.propagateFiltersToSubQuery ? (query.filtersWithoutSubQueries as unknown[]) : [];
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
    joinHints: [cubeName],
    keysOf: cubeName,
    inSubQueries: [...above, dimension],
  });
  return { prefix, subQuery, cubeName };
}

/** The keys of the sub-query's cube, where its join begins at another cube, which may lack some of them. */
export function missedKeys(query: Planned): string[] {
  const { keysOf, dimensions } = query.options;
  if (keysOf === undefined || query.join?.root === keysOf) return [];
  const keys = query.newSubQuery({ dimensions, measures: [], order: [], rowLimit: null }) as Planned;
  return [keys.buildParamAnnotatedSql()];
}

function asWritten(filter: unknown): object {
  if (filter instanceof baseFilter.BaseFilter)
    return { member: filter.measure ?? filter.dimension, operator: filter.operator, values: filter.values };
  const { operator, values } = filter as Group;
  return { [operator]: values.map(asWritten) };
}
