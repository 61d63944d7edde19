// A question is held by the explorer as the address has it: a `cube_query`. Pure.

import { isObject } from "../../../../../kernel/text/is-object.ts";
import type { Member } from "./members.ts";
import { isOperator, takenBy, type Operator } from "./operators.ts";

export type Condition = { member: string; operator: Operator; values: readonly string[] };
/** Without a granularity the time is only filtered by its range. */
export type TimeSlice = { dimension: string; granularity?: string; dateRange?: string | readonly string[] };
export type Ordering = readonly [member: string, direction: "asc" | "desc"];

export type Exploration = {
  measures: readonly string[];
  dimensions: readonly string[];
  segments: readonly string[];
  timeDimensions: readonly TimeSlice[];
  filters: readonly Condition[];
  /** Empty: the order that the platform gives where none is asked for. */
  order: readonly Ordering[];
  limit?: number;
  timezone?: string;
};

export const EMPTY: Exploration = {
  measures: [],
  dimensions: [],
  segments: [],
  timeDimensions: [],
  filters: [],
  order: [],
};
export const FIRST_GRANULARITY = "month";

/** The query as it is sent, and as the address has it; what is empty is left out. */
export function cubeQueryOf({ filters, ...exploration }: Exploration): Record<string, unknown> {
  const all = { ...exploration, filters: filters.filter(isComplete).map(conditionOf) };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  );
}

const isComplete = ({ operator, values }: Condition): boolean => takenBy(operator) === "nothing" || values.length > 0;
const conditionOf = ({ member, operator, values }: Condition) =>
  takenBy(operator) === "nothing" ? { member, operator } : { member, operator, values };

/** The address's text of a query; undefined for none. A condition that waits for its values is kept. */
export function textOf(exploration: Exploration): string | undefined {
  const text = JSON.stringify({ ...cubeQueryOf(exploration), filters: exploration.filters });
  return text === '{"filters":[]}' ? undefined : text.replace(',"filters":[]', "");
}

/** `unread`: parts of the query that the explorer has no place for, so that it shows another one than was meant. */
export type ReadExploration = { exploration: Exploration; unread: string[] };

export function readExploration(text: string | null): ReadExploration {
  if (text === null || text === "") return { exploration: EMPTY, unread: [] };
  const query = parsed(text);
  if (!isObject(query)) return { exploration: EMPTY, unread: ["query"] };
  const unread = Object.keys(query).filter((key) => !(key in READERS));
  const read: Record<string, unknown> = {};
  for (const [key, reader] of Object.entries(READERS)) {
    const value = query[key];
    if (value === undefined) continue;
    const found = Array.isArray(value) ? value.map(reader) : [reader(value)];
    if (found.includes(undefined) || Array.isArray(value) !== LISTS.has(key)) unread.push(key);
    else read[key] = LISTS.has(key) ? found : found[0];
  }
  return { exploration: { ...EMPTY, ...read }, unread };
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const readText = (value: unknown) => (isText(value) ? value : undefined);
const READERS: Readonly<Record<string, (value: unknown) => unknown>> = {
  measures: readText,
  dimensions: readText,
  segments: readText,
  timeDimensions: readSlice,
  filters: readCondition,
  order: readOrdering,
  limit: (value) => (Number.isInteger(value) ? value : undefined),
  timezone: readText,
};
const LISTS = new Set(["measures", "dimensions", "segments", "timeDimensions", "filters", "order"]);

function readSlice(value: unknown): TimeSlice | undefined {
  if (!isObject(value)) return undefined;
  const { dimension, granularity = undefined, dateRange = undefined, ...others } = value;
  const isRange = dateRange === undefined || isText(dateRange) || (Array.isArray(dateRange) && dateRange.every(isText));
  if (!isText(dimension) || !isRange || Object.keys(others).length > 0) return undefined;
  if (granularity !== undefined && !isText(granularity)) return undefined;
  return {
    dimension,
    ...(granularity !== undefined && { granularity }),
    ...(dateRange !== undefined && { dateRange: dateRange as string | string[] }),
  };
}

/** Groups of conditions have no place in the explorer. */
function readCondition(value: unknown): Condition | undefined {
  if (!isObject(value)) return undefined;
  const { member, operator, values = [] } = value;
  if (!isText(member) || !isText(operator) || !isOperator(operator)) return undefined;
  return Array.isArray(values) && values.every(isText) ? { member, operator, values } : undefined;
}

function readOrdering(value: unknown): Ordering | undefined {
  if (!Array.isArray(value)) return undefined;
  const [member, direction] = value as unknown[];
  return isText(member) && (direction === "asc" || direction === "desc") ? [member, direction] : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether there is something to ask for: a filter alone selects nothing. */
export const isAskable = ({ measures, dimensions, timeDimensions }: Exploration): boolean =>
  measures.length + dimensions.length > 0 || timeDimensions.some(({ granularity }) => granularity !== undefined);

export const has = (exploration: Exploration, name: string): boolean =>
  [exploration.measures, exploration.dimensions, exploration.segments].some((names) => names.includes(name)) ||
  exploration.timeDimensions.some(({ dimension }) => dimension === name);

/** The members by which the rows can be ordered: those that are selected. */
export const orderable = ({ measures, dimensions, timeDimensions }: Exploration): string[] => [
  ...dimensions,
  ...timeDimensions.filter(({ granularity }) => granularity !== undefined).map(({ dimension }) => dimension),
  ...measures,
];

/** Chooses a member, or lets it go where it is chosen. */
export function withToggled(exploration: Exploration, { name, kind }: Pick<Member, "name" | "kind">): Exploration {
  const toggled = (names: readonly string[]) =>
    names.includes(name) ? names.filter((one) => one !== name) : [...names, name];
  if (kind === "measure") return ordered({ ...exploration, measures: toggled(exploration.measures) });
  if (kind === "dimension") return ordered({ ...exploration, dimensions: toggled(exploration.dimensions) });
  if (kind === "segment") return { ...exploration, segments: toggled(exploration.segments) };
  const { timeDimensions } = exploration;
  const others = timeDimensions.filter(({ dimension }) => dimension !== name);
  const slice = { dimension: name, granularity: FIRST_GRANULARITY };
  return ordered({
    ...exploration,
    timeDimensions: others.length < timeDimensions.length ? others : [...others, slice],
  });
}

/** What is not selected orders nothing. */
export function ordered(exploration: Exploration): Exploration {
  const names = new Set(orderable(exploration));
  return { ...exploration, order: exploration.order.filter(([member]) => names.has(member)) };
}

/** The rows ordered by a member first; undefined takes its order away. */
export function withOrder(exploration: Exploration, member: string, direction: Ordering[1] | undefined): Exploration {
  const others = exploration.order.filter(([one]) => one !== member);
  const isThere = others.length < exploration.order.length;
  if (direction === undefined) return { ...exploration, order: others };
  const next: Ordering = [member, direction];
  return {
    ...exploration,
    order: isThere ? exploration.order.map((one) => (one[0] === member ? next : one)) : [...others, next],
  };
}
