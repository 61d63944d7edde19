// The dates of a query, in whatever form they are sent, as local times of the query's zone.

import { FILTER_GRAMMAR } from "../../../../../kernel/access/filter-grammar.ts";
import type { SemanticOperator } from "../../../../../kernel/semantic/query.ts";
import { DateFlaw, UnreadableDate } from "./date-flaw.ts";
import { readDateWords, type LocalRange } from "./date-words.ts";
import { endOf, formatLocalTime, type LocalNow } from "./local-time.ts";
import { readTimestamp } from "./timestamp.ts";

/** Both ends belong to it. */
export type DateRange = [start: string, end: string];

/** Words, one date, or two: from the start of the one to the end of the other. Throws {@link UnreadableDate}. */
export function readDateRange(input: string | readonly string[], now: LocalNow): DateRange {
  if (typeof input === "string") return format(input, readDateWords(input, now));
  const [from = "", to = from] = input;
  return [formatOne(from, edgesOf(from, now)[0]), formatOne(to, edgesOf(to, now)[1])];
}

const format = (text: string, [start, end]: LocalRange): DateRange => [formatOne(text, start), formatOne(text, end)];

function formatOne(text: string, localTime: number): string {
  const formatted = formatLocalTime(localTime);
  if (formatted === undefined) throw new UnreadableDate(text);
  return formatted;
}

/** The first and the last millisecond of a day; a time is both itself. */
function edgesOf(text: string, now: LocalNow): LocalRange {
  const timestamp = readTimestamp(text, now.clock);
  if (!timestamp) throw new UnreadableDate(text);
  const { localTime, isDay } = timestamp;
  return [localTime, isDay ? endOf(localTime, "day") : localTime];
}

/** What an operator that compares times compares with: a range, or the start or the end of a date. */
function edgeOf(operator: SemanticOperator): "range" | "start" | "end" | undefined {
  if (operator === "measureFilter") return undefined;
  const operation = FILTER_GRAMMAR[operator];
  if (operation.takes === "dates") return "range";
  if (operation.takes !== "date") return undefined;
  return operation.order === "<" || operation.order === ">=" ? "start" : "end";
}

export const isDateOperator = (operator: SemanticOperator): boolean => edgeOf(operator) !== undefined;

/** The values of a filter whose operator compares times. Throws {@link DateFlaw}. */
export function readFilterDates(
  operator: SemanticOperator,
  values: readonly (string | null)[],
  now: LocalNow,
): string[] {
  const edge = edgeOf(operator);
  const dates = values.filter((value) => value !== null);
  const valuesMax = edge === "range" ? 2 : 1;
  if (dates.length < values.length || dates.length > valuesMax) throw new DateFlaw(countMessage(operator, valuesMax));
  const [first = "", second] = dates;
  if (second !== undefined) {
    if (dates.some((date) => !readTimestamp(date, now.clock))) throw new DateFlaw(relativeMessage(operator, dates));
    return readDateRange(dates, now);
  }
  if (edge === "range") return readDateRange(first, now);
  const range = readTimestamp(first, now.clock) ? readDateRange([first], now) : readDateRange(first, now);
  return [edge === "start" ? range[0] : range[1]];
}

const countMessage = (operator: string, valuesMax: number): string =>
  `\`${operator}\` takes ${valuesMax === 1 ? "one date" : "one date or two"} as \`values\`.`;

const relativeMessage = (operator: string, values: readonly string[]): string =>
  `Relative-date strings are only supported when \`values\` has a single element for operator \`${operator}\`. Pass an ` +
  `absolute two-element [start, end] pair, or a single relative string like ["last 2 weeks"]. Got: ` +
  JSON.stringify(values).slice(0, 200);
