// Ranges of time in words: `last 30 days`, `from 7 days ago to now`. Cube finds such words anywhere in a text and gives
// the rest to a parser that guesses; here a text is understood as a whole or not at all.

import { UnreadableDate } from "./date-flaw.ts";
import { dayOf, endOf, startOf, TIME_UNITS, type LocalNow, type TimeUnit } from "./local-time.ts";
import { readTimestamp } from "./timestamp.ts";

/** Local times; both ends belong to it. */
export type LocalRange = [start: number, end: number];

const TEXT_CHARACTERS_MAX = 100;

const UNIT = `(${TIME_UNITS.join("|")})`;
const THIS_UNIT = new RegExp(`^(this|last|next) ${UNIT}$`);
const UNITS_BESIDE_NOW = new RegExp(`^(last|next) (\\d{1,6}) ${UNIT}s?$`);
const FROM_TO = /^(?:from )?(.+?) (?:to|-|until) (.+)$/;
const BY_UNIT = / by (?:hour|minute|second)$/;
const UNITS_AGO = new RegExp(`^(\\d{1,6}|an?|one) ${UNIT}s? ago$`);
const UNITS_AHEAD = new RegExp(`^(?:in (\\d{1,6}|an?|one) ${UNIT}s?|(\\d{1,6}|an?|one) ${UNIT}s? from now)$`);

const SIDES: Record<string, number> = { last: -1, this: 0, next: 1 };

/** Throws {@link UnreadableDate}. */
export function readDateWords(words: string, now: LocalNow): LocalRange {
  const text = words.trim().toLowerCase().replace(/\s+/g, " ");
  if (text.length > TEXT_CHARACTERS_MAX) throw new UnreadableDate(text);

  const [, side = "", unit] = THIS_UNIT.exec(text) ?? [];
  if (unit) return wholeOf(now.shifted(SIDES[side]!, unit as TimeUnit), unit as TimeUnit);

  const [, direction, digits, ofUnit] = UNITS_BESIDE_NOW.exec(text) ?? [];
  if (ofUnit) return unitsBesideNow(direction === "last", Number(digits), ofUnit as TimeUnit, { text, now });

  // A time of the day is named by an hour or less only: two days ago is the whole day.
  const precision = (["second", "minute", "hour"] as const).find((name) => text.includes(name)) ?? "day";
  const [, from, to] = FROM_TO.exec(text) ?? [];
  const [first, last] = from === undefined ? [text.replace(BY_UNIT, ""), undefined] : [from, to!.replace(BY_UNIT, "")];
  const start = pointOf(first, precision, now);
  const end = last === undefined ? start : pointOf(last, precision, now);
  return [startOf(start, precision), endOf(end, precision)];
}

const wholeOf = (localTime: number, unit: TimeUnit): LocalRange => [startOf(localTime, unit), endOf(localTime, unit)];

/** Without the unit that is not over yet. */
function unitsBesideNow(
  isPast: boolean,
  count: number,
  unit: TimeUnit,
  { text, now }: { text: string; now: LocalNow },
): LocalRange {
  if (count === 0) throw new UnreadableDate(text);
  const [first, last] = isPast ? [-count, -1] : [1, count];
  return [startOf(now.shifted(first, unit), unit), endOf(now.shifted(last, unit), unit)];
}

const DAYS_BESIDE: Record<string, number> = { yesterday: -1, today: 0, tomorrow: 1 };

/** A local time of the day that is meant, or the very time where an hour or less is. */
function pointOf(text: string, precision: TimeUnit, now: LocalNow): number {
  if (text === "now") return now.shifted(0, "day");
  const [, ago, agoUnit] = UNITS_AGO.exec(text) ?? [];
  if (agoUnit) return now.shifted(-countOf(ago!), agoUnit as TimeUnit);
  const [, within, withinUnit, ahead, aheadUnit] = UNITS_AHEAD.exec(text) ?? [];
  const unitAhead = withinUnit ?? aheadUnit;
  if (unitAhead) return now.shifted(countOf(within ?? ahead!), unitAhead as TimeUnit);
  // A day names no hour, and which is meant nobody says.
  const day = precision === "day" ? calendarDayOf(text, now) : undefined;
  if (day === undefined) throw new UnreadableDate(text);
  return day;
}

const countOf = (text: string): number => (/^\d/.test(text) ? Number(text) : 1);

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|" +
  "nov(?:ember)?|dec(?:ember)?)";
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
const MONTH_DAY_YEAR = new RegExp(`^${MONTH}\\.? ${DAY},? (\\d{4})$`);
const DAY_MONTH_YEAR = new RegExp(`^${DAY} (?:of )?${MONTH}\\.?,? (\\d{4})$`);

function calendarDayOf(text: string, now: LocalNow): number | undefined {
  const beside = DAYS_BESIDE[text];
  if (beside !== undefined) return now.shifted(beside, "day");
  const [, month, day, year] = MONTH_DAY_YEAR.exec(text) ?? [];
  if (month) return dayOf(Number(year), monthNumber(month), Number(day));
  const [, dayFirst, monthNext, yearLast] = DAY_MONTH_YEAR.exec(text) ?? [];
  if (monthNext) return dayOf(Number(yearLast), monthNumber(monthNext), Number(dayFirst));
  return readTimestamp(text, now.clock)?.localTime;
}

const monthNumber = (name: string): number => MONTHS.indexOf(name.slice(0, 3)) + 1;
