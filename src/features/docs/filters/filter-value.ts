// A value that was sent for a filter, or is its default, read by what the filter takes. Pure.

import { DOC_BOUNDS } from "../../../../kernel/docs/bounds.ts";
import type { Filter } from "../../../../kernel/docs/dashboard.ts";
import { operatorOf, shapeOf } from "../../../../kernel/docs/filters.ts";
import { isObject } from "../../../../kernel/text/is-object.ts";
import { openZoneClock } from "../../../../kernel/time/zone-clock.ts";
import type { FilterOperator } from "../../../../kernel/access/access.ts";
import { FILTER_GRAMMAR } from "../../../../kernel/access/filter-grammar.ts";
import { readParameter } from "../../../core/parameters.ts";
import { comparables, findOutside, notAllowed } from "../../saved-queries/parameters/read-declared.ts";
import { DateFlaw } from "../../semantic/query/dates/date-flaw.ts";
import { readDateRange } from "../../semantic/query/dates/date-range.ts";
import { LocalNow } from "../../semantic/query/dates/local-time.ts";

/** Values as texts, or days as `2026-01-31`; a range with one end is open at the other. */
export type FilterValue = { values: (string | null)[] } | { from: string | null; to: string | null };

/** Undefined for a value that lets everything through. */
export type ReadFilterValue = { value: FilterValue | undefined } | { message: string };

/** Days in words are those of `now` in UTC. */
export function readFilterValue(filter: Filter, raw: unknown, now: Date): ReadFilterValue {
  if (raw === null) return { value: undefined };
  switch (shapeOf(filter)) {
    case "flag":
      if (raw === true || raw === "true") return { value: { values: ["true"] } };
      return raw === false || raw === "false" ? { value: undefined } : { message: "Send true or false." };
    case "day": {
      const day = dayOf(raw, now);
      if (day === undefined) return { message: DAY };
      const { values: choices = [] } = filter;
      const isChoice = choices.length === 0 || choices.some((choice) => dayOf(choice, now) === day);
      return isChoice ? { value: { values: [day] } } : { message: notAllowed(day) };
    }
    case "range":
      return readRange(filter, raw, now);
    case "one":
      if (Array.isArray(raw) && raw.length > 1) return { message: "It takes one value, and no list." };
      return readValues(filter, raw);
    case "many":
      return readValues(filter, raw);
  }
}

const DAY = "Send a day such as 2026-01-31, or a word such as today.";
const DAYS = 'Send {"from": "2026-01-01", "to": "2026-01-31"}, either of them, or words such as last 30 days.';
const BACKWARDS = "It ends before it begins.";
const WORDS_CHARACTERS_MAX = 100;

function readRange(filter: Filter, raw: unknown, now: Date): ReadFilterValue {
  if (typeof raw === "string") {
    const days = daysOf(raw, now);
    if (!days) return { message: DAYS };
    return days[0] > days[1] ? { message: BACKWARDS } : { value: { from: days[0], to: days[1] } };
  }
  const ends = endsIn(raw);
  if (!ends) return { message: DAYS };
  const [from, to] = ends.map((end, i) =>
    end === null || end === undefined ? null : typeof end === "string" ? daysOf(end, now)?.[i] : undefined,
  );
  if (from === undefined || to === undefined) return { message: DAYS };
  if (from === null && to === null) return { value: undefined };
  if (from !== null && to !== null) return from > to ? { message: BACKWARDS } : { value: { from, to } };
  return operatorOf(filter) === "notInDateRange" ? { message: "It takes both from and to." } : { value: { from, to } };
}

function endsIn(raw: unknown): [unknown, unknown] | undefined {
  if (Array.isArray(raw)) return raw.length === 0 || raw.length > 2 ? undefined : [raw[0], raw.at(-1)];
  if (!isObject(raw) || Object.keys(raw).some((key) => key !== "from" && key !== "to")) return undefined;
  return [raw["from"], raw["to"]];
}

/** The one day that a value means. */
function dayOf(value: unknown, now: Date): string | undefined {
  const days = typeof value === "string" ? daysOf(value, now) : undefined;
  return days?.[0] === days?.[1] ? days?.[0] : undefined;
}

/** The first and the last day that a text means; undefined where it means none, or hours. */
function daysOf(text: string, now: Date): [string, string] | undefined {
  if (text.length > WORDS_CHARACTERS_MAX) return undefined;
  try {
    const [start = "", end = ""] = readDateRange(text, new LocalNow(openZoneClock("UTC")!, now));
    const isOfDays = start.endsWith("T00:00:00.000") && end.endsWith("T23:59:59.999");
    return isOfDays ? [start.slice(0, 10), end.slice(0, 10)] : undefined;
  } catch (error) {
    if (error instanceof DateFlaw) return undefined;
    throw error;
  }
}

function readValues(filter: Filter, raw: unknown): ReadFilterValue {
  const all: unknown[] = Array.isArray(raw) ? raw : [raw];
  if (all.length === 0) return { value: undefined };
  if (all.length > DOC_BOUNDS.filterValuesMax)
    return { message: `A filter takes at most ${DOC_BOUNDS.filterValuesMax} values.` };
  const values: (string | null)[] = [];
  for (const item of all) {
    const text = item === null && shapeOf(filter) === "many" ? null : textOf(filter, item);
    if (text === undefined) return { message: filter.type === "number" ? "Send a number." : "Send a text." };
    values.push(text);
  }
  const outside = outsideOf(filter, values);
  return outside === undefined ? { value: { values } } : { message: outside };
}

/** Undefined for what is no value, or keeps not all of its digits. */
function textOf({ type }: Filter, item: unknown): string | undefined {
  if (typeof item === "object" || (typeof item === "string" && item.includes("\0"))) return undefined;
  if (type === "number" && typeof item === "boolean") return undefined;
  const ways = type === "number" ? (["decimal", "number"] as const).map((one) => ({ type: one, value: item })) : [item];
  for (const way of ways) {
    const read = readParameter(way);
    if ("parameter" in read) return read.parameter.values[0] ?? undefined;
  }
  return undefined;
}

/** What is wrong where the filter has choices, and one of the values is none. */
function outsideOf({ values: choices = [], type }: Filter, values: (string | null)[]): string | undefined {
  if (choices.length === 0) return undefined;
  if (values.includes(null) && !choices.includes(null)) return "NULL is not one of the allowed values.";
  const kind = type === "number" ? "decimal" : "text";
  const texts = choices.map((choice) => (choice === null ? null : String(choice)));
  const outside = findOutside({ type: kind, isList: true, values }, comparables(kind, texts));
  return outside === undefined ? undefined : notAllowed(outside);
}

/** Whether it holds nobody to anything: NULL alone, which SQL takes for unset, or a text that all texts contain. */
export function bindsNothing(filter: Filter, value: FilterValue): boolean {
  if (!("values" in value)) return false;
  const operation = FILTER_GRAMMAR[operatorOf(filter)];
  const isOfParts = operation.takes === "values" && operation.test !== "equality";
  return value.values.every((one) => one === null) || (isOfParts && value.values.includes(""));
}

/** The condition on a member or a column that a filter with this value is. */
export function conditionOf(
  filter: Filter,
  value: FilterValue,
): { operator: FilterOperator; values: (string | null)[] } {
  if ("values" in value)
    return { operator: operatorOf(filter), values: shapeOf(filter) === "flag" ? [] : value.values };
  const { from, to } = value;
  if (from !== null && to !== null) return { operator: operatorOf(filter), values: [from, to] };
  return from === null ? { operator: "beforeOrOnDate", values: [to] } : { operator: "afterOrOnDate", values: [from] };
}
