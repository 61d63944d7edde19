// The whole units between two days or moments are counted by the rules of Joda, Trino's clock.

import type { Type } from "../../../trino-types.ts";
import type { Typed } from "../../typed.ts";
import { clockOf, compared, isFixed, isOfClocks } from "../../zones.ts";

export const UNIT_MS: Record<string, number> = {
  millisecond: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};
const MONTHS: Record<string, number> = { month: 1, quarter: 3 };
const DAY_MS = 86_400_000;
/** From the year's first day to the 29th of February, or to the first of March. */
const FEB_29_MS = 59 * DAY_MS;

type Between = { from: string; to: string; isDate: boolean };

/** In a unit of {@link UNIT_MS}, or in months, quarters or years. */
export function differenceIn(unit: string, { from, to, isDate }: Between): string {
  const ms = (sql: string): string => millisecondsOf(sql, isDate);
  const length = Object.hasOwn(UNIT_MS, unit) ? UNIT_MS[unit] : undefined;
  if (length !== undefined) return `((${ms(to)} - ${ms(from)}) // ${length})`;
  const months = Object.hasOwn(MONTHS, unit) ? MONTHS[unit] : undefined;
  const count = (early: string, late: string): string =>
    months === undefined ? yearsBetween(early, late, ms) : `(${monthsBetween(early, late, ms)} // ${months})`;
  return `(CASE WHEN ${to} < ${from} THEN -${count(to, from)} ELSE ${count(from, to)} END)`;
}

/** Since 1970; what is less than a millisecond is cut off towards the past. */
const millisecondsOf = (sql: string, isDate: boolean): string =>
  isDate
    ? `(CAST(${sql} - DATE '1970-01-01' AS BIGINT) * ${DAY_MS})`
    : `((epoch_us(${sql}) - ((epoch_us(${sql}) % 1000) + 1000) % 1000) // 1000)`;

type Milliseconds = (sql: string) => string;

/** The expression counts the milliseconds since the beginning of a month or a year. */
const sinceStart = (unit: string, sql: string, ms: Milliseconds): string =>
  `(${ms(sql)} - CAST(epoch_us(CAST(date_trunc('${unit}', ${sql}) AS TIMESTAMP)) // 1000 AS BIGINT))`;

/** A day that the later month has not is its last one, where that has come. */
function monthsBetween(early: string, late: string, ms: Milliseconds): string {
  const months = `((year(${late}) - year(${early})) * 12 + month(${late}) - month(${early}))`;
  const late_ = sinceStart("month", late, ms);
  const isLastDay = `day(${late}) = day(last_day(${late})) AND day(${early}) > day(${late})`;
  const early_ = `(${sinceStart("month", early, ms)} - CASE WHEN ${isLastDay} THEN (day(${early}) - day(${late})) * ${DAY_MS} ELSE 0 END)`;
  return `(${months} - CASE WHEN ${late_} < ${early_} THEN 1 ELSE 0 END)`;
}

/** Days after the 29th of February count alike where only one of two years has such a day. */
function yearsBetween(early: string, late: string, ms: Milliseconds): string {
  const isLeap = (sql: string): string => `dayofyear(last_day(date_trunc('year', ${sql}) + to_months(11))) = 366`;
  const [early_, late_] = [sinceStart("year", early, ms), sinceStart("year", late, ms)];
  const isAfter = `${early_} >= ${FEB_29_MS}`;
  const earlyLess = `CASE WHEN ${isAfter} AND ${isLeap(early)} AND NOT ${isLeap(late)} THEN ${DAY_MS} ELSE 0 END`;
  const lateLess =
    `CASE WHEN ${isAfter} AND NOT ${isLeap(early)} AND ${late_} >= ${FEB_29_MS} AND ${isLeap(late)} ` +
    `THEN ${DAY_MS} ELSE 0 END`;
  const isShort = `(${late_} - ${lateLess}) < (${early_} - ${earlyLess})`;
  return `(year(${late}) - year(${early}) - CASE WHEN ${isShort} THEN 1 ELSE 0 END)`;
}

/** Up to so many digits of a second Trino keeps a moment short. */
const SHORT_DIGITS_MAX = 3;

/** Trino counts days of short moments by the clocks of the first one's zone, and of others by UTC's. */
export function clocksBetween(unit: string, from: Typed, to: Typed): [from: string, to: string] {
  if (from.type.kind !== "timestamptz" || to.type.kind !== "timestamptz") return [from.sql, to.sql];
  const isShort = Math.max(from.type.digits, to.type.digits) <= SHORT_DIGITS_MAX;
  const type: Type = isShort && isOfClocks(unit) ? from.type : { kind: "timestamptz", digits: from.type.digits };
  const isCompared = isFixed(type) || !isFixed(to.type);
  return [clockOf({ sql: from.sql, type }), clockOf({ sql: isCompared ? to.sql : compared(to.sql), type })];
}
