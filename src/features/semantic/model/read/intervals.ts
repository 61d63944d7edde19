// Lengths of time in models: `1 month`, `2 weeks 3 days`, `unbounded`.

import { shorten } from "../template.ts";

const UNIT = "(?:second|minute|hour|day|week|month|quarter|year)s?";
const INTERVAL = new RegExp(`^\\d{1,6} +${UNIT}(?: \\d{1,6} +${UNIT}){0,7}$`);
const OFFSET = new RegExp(`^-?\\d{1,6} +${UNIT}(?: -?\\d{1,6} +${UNIT}){0,7}$`);
const WINDOW = /^(?:-?\d{1,6} (?:minute|hour|day|week|month|quarter|year)s?|unbounded)$/;
const ORIGIN = /^\d{4}(?:-\d{2}(?:-\d{2})?)?$|^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z?$/;

export const flawOfInterval = (text: string): string | undefined =>
  INTERVAL.test(text) && !/^0+ +\w+$/.test(text) ? undefined : `${shorten(text)} is no interval, such as 2 weeks.`;

export const flawOfOffset = (text: string): string | undefined =>
  OFFSET.test(text) ? undefined : `${shorten(text)} is no offset, such as -1 day.`;

export const flawOfWindow = (text: string): string | undefined =>
  WINDOW.test(text) ? undefined : `${shorten(text)} is no length of a window: it is such as 7 day, or unbounded.`;

export const flawOfOrigin = (text: string): string | undefined =>
  ORIGIN.test(text) && !Number.isNaN(Date.parse(text.replace(" ", "T")))
    ? undefined
    : `${shorten(text)} is no origin: it is YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DD HH:mm:ss.`;

/** Per unit, whether intervals of so many begin anew with the unit above it; the others need an origin. */
const FITS: Record<string, (count: number) => boolean> = {
  year: () => true,
  quarter: (count) => 4 % count === 0,
  month: (count) => 12 % count === 0,
  week: (count) => count === 1,
  day: (count) => count === 1,
  hour: (count) => 24 % count === 0,
  minute: (count) => 60 % count === 0,
  second: (count) => 60 % count === 0,
};

/** Whether an interval that {@link flawOfInterval} accepts needs an origin. */
export function needsOrigin(interval: string): boolean {
  const [count, unit, ...more] = interval.split(/ +/);
  return more.length > 0 || !FITS[unit!.replace(/s$/, "")]!(Number(count));
}
