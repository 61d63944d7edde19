// The filters of a dashboard are set in the address, and sent to the API with what each of them takes. Pure.

import type { Filter } from "../../../../kernel/docs/dashboard.ts";
import { shapeOf, takerOf, wayOf, type FilterTaker } from "../../../../kernel/docs/filters.ts";

/**
 * The chosen values as text; a range has its first and its last day, either of which may be empty. None: the filter
 * lets everything through. Undefined: it has its default.
 */
export type FilterValues = Readonly<Record<string, readonly string[] | undefined>>;

const PREFIX = "f.";
/** Set to nothing by somebody, where the filter has a default. */
const NOTHING = "~";

export function valuesOf(filters: readonly Filter[], search: URLSearchParams): FilterValues {
  return Object.fromEntries(
    filters.map(({ id }) => {
      const set = search.getAll(PREFIX + id);
      return [id, set.length === 0 ? undefined : set[0] === NOTHING ? [] : set];
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

/** The values as they are shown; words of a default for days are none of them. */
export function shownOf(filter: Filter, values: FilterValues): readonly string[] {
  const chosen = values[filter.id];
  const { default: preset } = filter;
  if (chosen || preset === undefined || preset === null || wordsOf(filter, values)) return chosen ?? [];
  if (typeof preset === "object" && !Array.isArray(preset)) return [preset.from ?? "", preset.to ?? ""];
  return (Array.isArray(preset) ? preset : [preset]).filter((value) => value !== null).map(String);
}

/** The words for days that a filter has by default, such as `last 90 days`. */
export function wordsOf(filter: Filter, values: FilterValues): string | undefined {
  const isOfDays = ["range", "day"].includes(shapeOf(filter));
  return isOfDays && values[filter.id] === undefined && typeof filter.default === "string" ? filter.default : undefined;
}

export type Dataset = { engine: FilterTaker["engine"] } & Readonly<Record<string, unknown>>;

/** The filters that a dataset takes which is drawn. */
export const takenBy = (key: string, dataset: Dataset, filters: readonly Filter[]): Filter[] =>
  filters.filter((filter) => wayOf(filter, takerOf(dataset), { key, drawn: [key] }));

/** What the API is sent: nothing of a filter that has its default. */
export function sentBy(filters: readonly Filter[], values: FilterValues): Record<string, unknown> {
  return Object.fromEntries(
    filters.flatMap((filter) => {
      const chosen = values[filter.id];
      return chosen ? [[filter.id, chosen.length === 0 ? null : sentOf(filter, chosen)] as const] : [];
    }),
  );
}

function sentOf(filter: Filter, chosen: readonly string[]): unknown {
  const shape = shapeOf(filter);
  if (shape === "range") return { from: chosen[0] || null, to: chosen[1] || null };
  return shape === "many" ? chosen : chosen[0];
}

/** The values after a click on one, which takes away what is set alone; undefined: the filter can't have it. */
export function toggled(filter: Filter, values: FilterValues, clicked: string): readonly string[] | undefined {
  const shape = shapeOf(filter);
  const isOfDays = shape === "range" || shape === "day";
  const day = /^\d{4}-\d{2}-\d{2}/.exec(clicked)?.[0];
  const value = isOfDays ? day : clicked;
  const choices = filter.values ?? [];
  if (value === undefined || (choices.length > 0 && !isOfDays && !choices.some((choice) => String(choice) === value)))
    return undefined;
  const next = shape === "range" ? [value, value] : [value];
  return String(next) === String(shownOf(filter, values)) ? [] : next;
}
