// Instants and spans of time as the engine's JSON writes them: ISO 8601, a fraction without zeros at its end.

import { dateOfDays } from "../../../../../kernel/time/civil-date.ts";

const DAY_SECONDS = 86_400n;

const two = (value: number): string => String(value).padStart(2, "0");

/** The date of a number of days since 1970. Years before Christ are counted from 1 and marked behind the text. */
const civilOf = (days: number): { date: string; era: string } => {
  const { year, month, day } = dateOfDays(days);
  const shown = String(year > 0 ? year : 1 - year).padStart(4, "0");
  return { date: `${shown}-${two(month)}-${two(day)}`, era: year > 0 ? "" : " (BC)" };
};

export function dateText(days: number): string {
  const { date, era } = civilOf(days);
  return date + era;
}

/** `units` since midnight, each `10 ** -digits` seconds. */
export function timeText(units: bigint, digits: number): string {
  const perSecond = 10n ** BigInt(digits);
  const seconds = Number(units / perSecond);
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  const fraction = String(units % perSecond).padStart(digits, "0");
  return `${clock}${digits === 0 || /^0*$/.test(fraction) ? "" : `.${fraction.replace(/0+$/, "")}`}`;
}

/** `units` since 1970. */
export function timestampText(units: bigint, digits: number): string {
  const perDay = DAY_SECONDS * 10n ** BigInt(digits);
  const ofDay = ((units % perDay) + perDay) % perDay;
  const { date, era } = civilOf(Number((units - ofDay) / perDay));
  return `${date}T${timeText(ofDay, digits)}${era}`;
}

/** An interval as DuckDB writes it: `1 year 2 months 3 days 04:05:06.5`. */
export function intervalText({ months, days, units }: { months: number; days: number; units: bigint }, digits: number) {
  const part = (count: number, name: string) =>
    count === 0 ? [] : [`${count} ${name}${Math.abs(count) === 1 ? "" : "s"}`];
  const parts = [...part(Math.trunc(months / 12), "year"), ...part(months % 12, "month"), ...part(days, "day")];
  const clock = `${units < 0n ? "-" : ""}${timeText(units < 0n ? -units : units, digits)}`;
  return [...parts, ...(units !== 0n || parts.length === 0 ? [clock] : [])].join(" ");
}
