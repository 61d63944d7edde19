// A granularity groups times. Groups are reckoned in local times, by whole months or by whole seconds from an origin,
// so that they are the same whenever the query is sent.

import { Refused } from "../refused.ts";
import { readLocalTime } from "./local-time.ts";
import type { Zone } from "./zone.ts";

/** Units from coarse to fine; a week does not divide a month. */
export const UNITS = ["year", "quarter", "month", "week", "day", "hour", "minute", "second"] as const;
export type Unit = (typeof UNITS)[number];

/**
 * Times are shifted back by `shiftMs`, cut to a multiple of `months` from the month `origin` (counted from year 0), and
 * shifted forward again; or cut to a multiple of `seconds` from the local time `origin`.
 */
export type Period =
  | { kind: "months"; months: number; origin: number; shiftMs: number }
  | { kind: "seconds"; seconds: number; origin: number };

/** A custom granularity, as the model defines it. */
export type GranularityDefinition = {
  interval?: string | undefined;
  origin?: string | undefined;
  offset?: string | undefined;
};

type Interval = { months: number; seconds: number };

const MONTHS: Readonly<Record<string, number>> = { year: 12, quarter: 3, month: 1 };
const SECONDS: Readonly<Record<string, number>> = { week: 604_800, day: 86_400, hour: 3_600, minute: 60, second: 1 };
const SECOND_MS = 1_000;
const DAY_SECONDS = 86_400;
const MONTHS_IN_YEAR = 12;
/** The length of the shortest month. */
const SHORTEST_MONTH_MS = 28 * DAY_SECONDS * SECOND_MS;
/** Some first of January, and the Monday after it. */
const ANY_YEAR = Date.UTC(2000, 0, 1);
const ANY_MONDAY = Date.UTC(2000, 0, 3);

export const isUnit = (name: string): name is Unit => (UNITS as readonly string[]).includes(name);

export function periodOfUnit(unit: Unit): Period {
  const months = MONTHS[unit];
  if (months !== undefined) return { kind: "months", months, origin: monthOf(ANY_YEAR), shiftMs: 0 };
  return { kind: "seconds", seconds: SECONDS[unit]!, origin: ANY_MONDAY };
}

/** `2 years 3 months`: counts and units. */
export function readInterval(text: string): Interval {
  const words = text.trim().split(/\s+/);
  const interval = { months: 0, seconds: 0 };
  for (let i = 0; i < words.length; i += 2) {
    const unit = (words[i + 1] ?? "").toLowerCase().replace(/s$/, "");
    if (!/^-?\d{1,9}$/.test(words[i]!) || !isUnit(unit)) throw new Refused(`The interval '${text}' can't be read.`);
    if (unit in MONTHS) interval.months += Number(words[i]) * MONTHS[unit]!;
    else interval.seconds += Number(words[i]) * SECONDS[unit]!;
  }
  return interval;
}

/** Throws in words about `name` where the groups would depend on when the query is sent, or on a month's length. */
export function periodOfDefinition(name: string, definition: GranularityDefinition, zone: Zone): Period {
  const { interval: written, origin, offset } = definition;
  if (written === undefined) throw new Refused(`The granularity ${name} has no interval.`);
  const { months, seconds } = readInterval(written);
  const fail = (why: string) => new Refused(`The granularity ${name} can't be grouped by: ${why}`);
  if (months < 0 || seconds < 0 || months + seconds === 0) throw fail(`its interval is '${written}'.`);
  if (months > 0 && seconds > 0) throw fail(`its interval '${written}' mixes months with days or times.`);
  const isSteady = months > 0 ? MONTHS_IN_YEAR % months === 0 : DAY_SECONDS % seconds === 0 || isWeek(written);
  if (origin === undefined && !isSteady)
    throw fail(`'${written}' does not divide ${months > 0 ? "a year" : "a day"}, so it needs an origin.`);
  const start = origin === undefined ? (isWeek(written) ? ANY_MONDAY : ANY_YEAR) : readLocalTime(origin, zone);
  const moved = readInterval(origin === undefined && offset !== undefined ? offset : "0 seconds");
  if (months === 0) {
    if (moved.months !== 0) throw fail(`its offset '${offset}' has months, and its interval has none.`);
    return { kind: "seconds", seconds, origin: start + moved.seconds * SECOND_MS };
  }
  const firstOfMonth = startOfMonth(monthOf(start));
  const shiftMs = start - firstOfMonth + moved.seconds * SECOND_MS;
  if (Math.abs(shiftMs) >= SHORTEST_MONTH_MS)
    throw fail(`its ${origin === undefined ? "offset" : "origin"} is beyond the 28th, which not every month has.`);
  return { kind: "months", months, origin: monthOf(start) + moved.months, shiftMs };
}

const isWeek = (interval: string): boolean => /^\s*1\s+weeks?\s*$/i.test(interval);

/** The start of the group that a local time belongs to. */
export function startOfPeriod(period: Period, local: number): number {
  if (period.kind === "months") {
    const month = monthOf(local - period.shiftMs);
    return startOfMonth(floorTo(period.months, period.origin, month)) + period.shiftMs;
  }
  return floorTo(period.seconds * SECOND_MS, period.origin, local);
}

export function nextStart(period: Period, start: number): number {
  if (period.kind === "seconds") return start + period.seconds * SECOND_MS;
  return startOfMonth(monthOf(start - period.shiftMs) + period.months) + period.shiftMs;
}

/** Months first, then the rest; a day that the month lacks becomes its last. */
export function addInterval(local: number, { months, seconds }: Interval): number {
  const first = startOfMonth(monthOf(local));
  const moved = startOfMonth(monthOf(local) + months);
  const days = startOfMonth(monthOf(moved) + 1) - moved;
  const within = local - first;
  const day = DAY_SECONDS * SECOND_MS;
  const kept = within < days ? within : days - day + (within % day);
  return moved + kept + seconds * SECOND_MS;
}

const floorTo = (step: number, origin: number, at: number): number => origin + Math.floor((at - origin) / step) * step;

/** The month of a local time, counted from January of year 0. */
export function monthOf(local: number): number {
  const date = new Date(local);
  return date.getUTCFullYear() * MONTHS_IN_YEAR + date.getUTCMonth();
}

export function startOfMonth(month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(Math.floor(month / MONTHS_IN_YEAR), month % MONTHS_IN_YEAR, 1);
  return date.getTime();
}

/** The unit of the calendar that a period is. */
export const unitOf = (period: Period): Unit | undefined =>
  UNITS.find((unit) => {
    const calendar = periodOfUnit(unit);
    if (calendar.kind === "months" && period.kind === "months")
      return period.months === calendar.months && period.shiftMs === 0 && period.origin % period.months === 0;
    if (calendar.kind !== "seconds" || period.kind !== "seconds") return false;
    return (
      period.seconds === calendar.seconds && (period.origin - calendar.origin) % (period.seconds * SECOND_MS) === 0
    );
  });
