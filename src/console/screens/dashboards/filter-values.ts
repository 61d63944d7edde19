// The filters of a dashboard are set in the address, by default, and as conditions of its datasets. Pure.

import type { Filter } from "../../../../kernel/docs/dashboard.ts";

/** The chosen values as text; a range has its first and its last day. None: the filter lets everything through. */
export type FilterValues = Readonly<Record<string, readonly string[]>>;

const PREFIX = "f.";
/** Set to nothing by somebody, where the filter has a default. */
const NOTHING = "~";

export function valuesOf(filters: readonly Filter[], search: URLSearchParams, today: Date): FilterValues {
  return Object.fromEntries(
    filters.map((filter) => {
      const set = search.getAll(PREFIX + filter.id);
      const values = set.length === 0 ? defaultOf(filter, today) : set[0] === NOTHING ? [] : set;
      return [filter.id, values];
    }),
  );
}

export function withValues(
  search: URLSearchParams,
  { id, ...filter }: Filter,
  values: readonly string[],
): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete(PREFIX + id);
  for (const value of values) next.append(PREFIX + id, value);
  if (values.length === 0 && filter.default !== undefined) next.append(PREFIX + id, NOTHING);
  return next;
}

function defaultOf(filter: Filter, today: Date): string[] {
  const given = filter.default;
  if (given === undefined || given === null) return [];
  if (typeof given === "string" && isRange(filter)) return rangeOf(given, today) ?? [given, given];
  return (Array.isArray(given) ? given : [given]).filter((value) => value !== null).map(String);
}

export const isRange = ({ type, operator }: Pick<Filter, "type" | "operator">): boolean =>
  type === "dateRange" || operator === "inDateRange";

const LAST = /^last (?:(\d{1,4}) )?(day|week|month|quarter|year)s?$/i;
const DAY_MS = 86_400_000;
const DAYS = { day: 1, week: 7 } as const;
const MONTHS = { month: 1, quarter: 3, year: 12 } as const;

/** `last 90 days` and its like as two days; undefined for what is none of them. */
export function rangeOf(text: string, today: Date): [string, string] | undefined {
  const day = (date: Date) => date.toISOString().slice(0, 10);
  if (/^today$/i.test(text)) return [day(today), day(today)];
  if (/^yesterday$/i.test(text)) {
    const before = day(new Date(today.getTime() - DAY_MS));
    return [before, before];
  }
  const found = LAST.exec(text);
  if (!found) return undefined;
  const count = Number(found[1] ?? 1);
  const unit = found[2]!.toLowerCase() as keyof typeof DAYS | keyof typeof MONTHS;
  const from = new Date(today);
  if (unit in DAYS) from.setTime(today.getTime() - count * DAYS[unit as keyof typeof DAYS] * DAY_MS);
  else from.setUTCMonth(from.getUTCMonth() - count * MONTHS[unit as keyof typeof MONTHS]);
  return [day(from), day(today)];
}
