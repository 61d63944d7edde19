// The calendar of local times: milliseconds since 1970, read as though a zone's clocks showed UTC.

import type { ZoneClock } from "../../../../../kernel/time/zone-clock.ts";

export const TIME_UNITS = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"] as const;
export type TimeUnit = (typeof TIME_UNITS)[number];

export const isTimeUnit = (name: string): name is TimeUnit => TIME_UNITS.some((unit) => unit === name);

const DAY_MS = 86_400_000;
/** Units that are as long as any other of their name, on the clock or on the calendar. */
const UNIT_MS: Partial<Record<TimeUnit, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
};
const UNIT_MONTHS: Partial<Record<TimeUnit, number>> = { month: 1, quarter: 3, year: 12 };

/** 1970 began on a Thursday; weeks begin on Mondays. */
const FIRST_MONDAY = 4 * DAY_MS;

export function startOf(localTime: number, unit: TimeUnit): number {
  const months = UNIT_MONTHS[unit];
  if (months !== undefined) {
    const date = new Date(localTime);
    return monthAt(date.getUTCFullYear(), date.getUTCMonth() - (date.getUTCMonth() % months));
  }
  const [length, origin] = [UNIT_MS[unit]!, unit === "week" ? FIRST_MONDAY : 0];
  return Math.floor((localTime - origin) / length) * length + origin;
}

/** Its last millisecond. */
export const endOf = (localTime: number, unit: TimeUnit): number => addUnits(startOf(localTime, unit), 1, unit) - 1;

/** On the calendar: a month after the last of January is the last of February. */
export function addUnits(localTime: number, count: number, unit: TimeUnit): number {
  const months = UNIT_MONTHS[unit];
  if (months === undefined) return localTime + count * UNIT_MS[unit]!;
  const date = new Date(localTime);
  const first = monthAt(date.getUTCFullYear(), date.getUTCMonth() + count * months);
  const next = monthAt(date.getUTCFullYear(), date.getUTCMonth() + count * months + 1);
  const day = Math.min(date.getUTCDate(), Math.round((next - first) / DAY_MS));
  return first + (day - 1) * DAY_MS + (localTime - startOf(localTime, "day"));
}

/** `Date.UTC` takes the years before 100 for the 20th century's. NaN past the end of dates. */
const monthAt = (year: number, month: number): number => new Date(0).setUTCFullYear(year, month, 1);

/** Undefined where no day is called so. */
export function dayOf(year: number, month: number, day: number): number | undefined {
  const localTime = new Date(0).setUTCFullYear(year, month - 1, day);
  const date = new Date(localTime);
  const isDay = year >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isDay ? localTime : undefined;
}

/** `YYYY-MM-DDTHH:mm:ss.SSS`; undefined for years that take more than four digits, or are before the first. */
export function formatLocalTime(localTime: number): string | undefined {
  const date = new Date(localTime);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date.toISOString().slice(0, -1) : undefined;
}

/** Now as the clocks of a query's zone show it. */
export class LocalNow {
  readonly clock: ZoneClock;
  readonly #instant: number;

  constructor(clock: ZoneClock, now: Date) {
    this.clock = clock;
    this.#instant = Math.floor(now.getTime() / 1_000) * 1_000;
  }

  /**
   * What the clocks show after so many units, or before. Hours and less pass at one pace whatever is done to the
   * clocks; days and more are the calendar's.
   */
  shifted(count: number, unit: TimeUnit): number {
    const isOfClock = unit === "second" || unit === "minute" || unit === "hour";
    return isOfClock
      ? this.clock.localTimeAt(this.#instant + count * UNIT_MS[unit]!)
      : addUnits(this.clock.localTimeAt(this.#instant), count, unit);
  }
}
