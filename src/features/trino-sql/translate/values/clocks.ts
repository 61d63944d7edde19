// Texts of days, times and moments, as a statement has them in its words.

import { daysOfDate } from "../../../../../kernel/time/civil-date.ts";

const TIME = /^(\d\d:\d\d)(:\d\d(?:\.\d{1,12})?)?(?: ?([+-]\d\d:\d\d))?$/;
const MOMENT =
  /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d)(:\d\d(?:\.\d{1,12})?)?)?(?:((?<=:.*) ?| )(Z|[A-Za-z][A-Za-z/_+-]*|(?:UTC)?[+-]\d\d:\d\d))?$/;
const DAY = /^(-?\d{1,7})-(\d\d)-(\d\d)$/;

type Clock = { clock: string; zone: string | undefined };

/** The zone is the last of a moment, behind a blank or right after its time. */
export function readMoment(text: string): Clock | undefined {
  const [, date, minutes, seconds, , zone] = MOMENT.exec(text) ?? [];
  if (date === undefined || dayOf(date) === undefined || date.startsWith("0000")) return undefined;
  if (!isTime(minutes, seconds)) return undefined;
  return { clock: `${date} ${minutes ?? "00:00"}${seconds ?? ":00"}`, zone: zone?.replace(/^UTC(?=[+-])/, "") };
}

/** `zone` is how far the clock is from UTC's. */
export function readTime(text: string): Clock | undefined {
  const [, minutes, seconds, zone] = TIME.exec(text) ?? [];
  if (minutes === undefined || !isTime(minutes, seconds)) return undefined;
  return { clock: `${minutes}${seconds ?? ":00"}`, zone };
}

export const digitsOf = (text: string): number => /[.](\d+)/.exec(text)?.[1]?.length ?? 0;

/** The clock with zeros for the digits that it has too few; undefined where it has too many. */
export function withZeros(clock: string, digits: number): string | undefined {
  const missing = digits - digitsOf(clock);
  if (missing < 0) return undefined;
  return missing === 0 ? clock : `${clock}${clock.includes(".") ? "" : "."}${"0".repeat(missing)}`;
}

const isTime = (minutes = "00:00", seconds = ":00"): boolean => {
  const [hour, minute, second] = `${minutes}${seconds}`.split(":").map(Number) as [number, number, number];
  return hour < 24 && minute < 60 && second < 60;
};

/** Trino's first year, and its last. */
const [YEAR_MIN, YEAR_MAX] = [-4_999_999, 5_000_000];

/** The day as DuckDB writes it, to which the year before the first is no 0. Undefined where there is no such day. */
export function dayOf(text: string): string | undefined {
  const [year, month, day] = (DAY.exec(text) ?? []).slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (year < YEAR_MIN || year > YEAR_MAX) return undefined;
  if (Number.isNaN(daysOfDate(year, month, day))) return undefined;
  const era = year > 0 ? "" : " (BC)";
  return `${String(year > 0 ? year : 1 - year).padStart(4, "0")}${text.slice(-"-MM-DD".length)}${era}`;
}
