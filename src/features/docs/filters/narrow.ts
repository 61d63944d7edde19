// A dataset under the values of filters: bound to its parameters, conditions of its rows, or filters of its semantic
// query. Pure.

import type { Filter } from "../../../../kernel/docs/dashboard.ts";
import { wayOf, type FilterTaker, type FilterWay } from "../../../../kernel/docs/filters.ts";
import { isObject } from "../../../../kernel/text/is-object.ts";
import { pointerStep } from "../../../../kernel/text/json-pointer.ts";
import { listOf } from "../../../../kernel/text/list-of.ts";
import { Problem } from "../../../core/problem.ts";
import type { QuestionParameters } from "../../saved-queries/parameters/declaration.ts";
import { readDeclared } from "../../saved-queries/parameters/read-declared.ts";
import type { RunnableQuestion } from "../../saved-queries/question.ts";
import type { DatasetQuestion } from "../datasets/dataset-question.ts";
import { dimensionOf } from "./dimension.ts";
import type { FilterParameter } from "./filter-parameter.ts";
import { conditionOf, type FilterValue } from "./filter-value.ts";
import type { FilterValues } from "./read-values.ts";
import { conditionedSql } from "./sql-conditions.ts";

/**
 * `drawn`: the datasets that tiles draw; `isFixed`: whether somebody else has set the filter, and each end of it has to
 * narrow; `pointer`: where the values were sent.
 */
export type Narrowing = {
  key: string;
  filters: readonly Filter[];
  drawn: readonly string[];
  values: FilterValues;
  isFixed?: (id: string) => boolean;
  pointer: string;
};

/** `fixed`: the values of the parameters that filters have. */
export type Narrowed = { question: RunnableQuestion; fixed: Record<string, unknown> };

/** The filters that a dataset takes, in the way that it takes each. */
export function filtersTaken(
  { question: { sql, integration_id: id }, filtered = {} }: DatasetQuestion,
  { key, filters, drawn }: Pick<Narrowing, "key" | "filters" | "drawn">,
): { filter: Filter; way: FilterWay }[] {
  const taker: FilterTaker = {
    engine: sql === undefined ? "cube" : "sql",
    filters: Object.values(filtered).map(({ filter }) => filter),
    isOnOwnLake: id === null,
  };
  return filters.flatMap((filter) => {
    const way = wayOf(filter, taker, { key, drawn });
    return way ? [{ filter, way }] : [];
  });
}

/**
 * Throws `validation_failed` with each filter whose value its parameter can't have, or whose dimension is of no cube.
 */
export function narrowDataset(asked: DatasetQuestion, narrowing: Narrowing): Narrowed {
  const { question } = asked;
  const taken = filtersTaken(asked, narrowing);
  const set = (way: FilterWay): [Filter, FilterValue][] =>
    taken.flatMap(({ filter, way: its }) => {
      const value = narrowing.values.get(filter.id);
      return its === way && value ? [[filter, value]] : [];
    });
  if (question.cube_query) {
    const { cube_query: query } = question;
    const read = set("dimension").map(([filter, value]) => {
      const dimension = dimensionOf(filter, { key: narrowing.key, cube: asked.cube, query });
      return { filter, value, ...dimension };
    });
    refuse(
      read.flatMap((one) => ("message" in one ? [{ filter: one.filter.id, message: one.message }] : [])),
      narrowing.pointer,
    );
    const named = read.flatMap((one) => ("member" in one ? [one] : []));
    return { question: { ...question, cube_query: named.reduce(withCondition, query) }, fixed: {} };
  }
  const own = new Set([question.parameters, asked.filtered ?? {}].flatMap(Object.keys));
  const { sql, added } = conditionedSql(question.sql ?? "", set("field"), own);
  const bound = bindFilters(asked.filtered ?? {}, narrowing);
  const all = { ...bound, ...added };
  const declared: QuestionParameters = Object.fromEntries(
    Object.entries(all).map(([name, { type, list }]) => [name, { type, list, nullable: true }]),
  );
  return {
    question: { ...question, sql, parameters: { ...question.parameters, ...declared } },
    fixed: Object.fromEntries(Object.entries(all).map(([name, { value }]) => [name, value])),
  };
}

type Bound = { type: FilterParameter["type"]; list: boolean; value: unknown };

function bindFilters(
  filtered: Readonly<Record<string, FilterParameter>>,
  { values, isFixed = () => false, pointer }: Narrowing,
): Record<string, Bound> {
  const bound = Object.entries(filtered).map(([name, parameter]) => {
    const { type, list = false, filter } = parameter;
    const value = valueFor(parameter, values.get(filter));
    const read = readDeclared({ type, list, nullable: true }, value);
    return { name, filter, type, list, value, flaw: "message" in read ? read.message : undefined };
  });
  const flaws = [
    ...bound.flatMap(({ name, filter, flaw }) =>
      flaw === undefined ? [] : [{ filter, message: `The filter ${filter}, as the parameter ${name}: ${flaw}` }],
    ),
    ...[...values].flatMap(([filter, value]) =>
      isFixed(filter) ? endsUntaken(filter, value, Object.values(filtered)) : [],
    ),
  ];
  refuse(flaws, pointer);
  return Object.fromEntries(bound.map(({ name, type, list, value }) => [name, { type, list, value }]));
}

/** Throws `validation_failed` where filters have flaws. */
function refuse(flaws: readonly { filter: string; message: string }[], pointer: string): void {
  if (flaws.length === 0) return;
  const placed = flaws.map(({ filter, message }) => ({ pointer: pointer + pointerStep(filter), message }));
  throw new Problem("validation_failed", "One or more filters are not valid.", placed);
}

/** The ends of a range which none of a dataset's parameters have, though one has the other. */
function endsUntaken(id: string, value: FilterValue, parameters: readonly FilterParameter[]) {
  if ("values" in value) return [];
  const parts = parameters.filter(({ filter }) => filter === id).map(({ part = "from" }) => part);
  const untaken = parts.length === 0 ? [] : ENDS.filter((end) => value[end] !== null && !parts.includes(end));
  return untaken.map((end) => ({
    filter: id,
    message: `The filter ${id}: no parameter of the dataset has its ${end}.`,
  }));
}
const ENDS = ["from", "to"] as const;

/** NULL while the filter is not set; a list then holds it alone. */
function valueFor({ list, part }: FilterParameter, value: FilterValue | undefined): unknown {
  if (!value) return list ? [null] : null;
  if (!("values" in value)) return value[part ?? "from"];
  return list || value.values.length > 1 ? value.values : value.values[0];
}

/** A range bounds the time that the query has; anything else is one more of its filters. */
function withCondition(
  query: Record<string, unknown>,
  { filter, value, member }: { filter: Filter; value: FilterValue; member: string },
): Record<string, unknown> {
  const condition = conditionOf(filter, value);
  const times = listOf(query["timeDimensions"]);
  const at = times.findIndex(
    (time) => isObject(time) && time["dimension"] === member && !("dateRange" in time) && !("compareDateRange" in time),
  );
  if (at >= 0 && condition.operator === "inDateRange") {
    const bounded = { ...(times[at] as object), dateRange: condition.values };
    return { ...query, timeDimensions: times.with(at, bounded) };
  }
  return { ...query, filters: [...listOf(query["filters"]), { member, ...condition }] };
}
