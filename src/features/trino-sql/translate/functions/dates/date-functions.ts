// Functions of dates and moments.

import { dateFormat } from "./date-format.ts";
import { clocksBetween, differenceIn, UNIT_MS } from "./date-differences.ts";
import { unsupported } from "../../../refusal.ts";
import { BIGINT, commonType, DATE, nameOf, type Type } from "../../../trino-types.ts";
import type { CallValues, Function } from "../function.ts";
import { timeZoneOf, type Place } from "../../place.ts";
import { asMoments, atZone, clockOf, inZone, isOfClocks, knownZone, momentAt } from "../../zones.ts";
import { castTo, coerce, mismatch, textLiteral, type Typed } from "../../typed.ts";

const field = (name: string): Function => ({ counts: [1], make: ({ args, at }) => extracted(name, args[0]!, at) });

const DATE_PARTS: Record<string, string> = {
  year: "year",
  quarter: "quarter",
  month: "month",
  week: "week",
  day: "day",
  day_of_month: "day",
  day_of_week: "isodow",
  dow: "isodow",
  day_of_year: "dayofyear",
  doy: "dayofyear",
};
const TIME_PARTS: Record<string, string> = { hour: "hour", minute: "minute", second: "second" };

/** A part of a date or a moment, as the clocks of its zone show it. */
export function extracted(part: string, of: Typed, at: number): Typed {
  const parts = of.type.kind === "date" ? DATE_PARTS : { ...DATE_PARTS, ...TIME_PARTS };
  if (!["date", "timestamp", "timestamptz"].includes(of.type.kind))
    throw mismatch(`Cannot extract from ${nameOf(of.type)}`, at);
  if (!Object.hasOwn(parts, part)) throw unsupported(`The part ${part} of ${nameOf(of.type)}`, at);
  return { sql: castTo(`${parts[part]}(${clockOf(of)})`, BIGINT), type: BIGINT, at };
}

const UNITS_OF_DATES = ["day", "week", "month", "quarter", "year"];
const UNITS = ["millisecond", "second", "minute", "hour", ...UNITS_OF_DATES];

function unitOf(unit: Typed, { type }: Typed, at: number): string {
  const name = unit.constant?.toLowerCase();
  const units = type.kind === "date" ? UNITS_OF_DATES : UNITS;
  if (!["date", "timestamp", "timestamptz"].includes(type.kind))
    throw mismatch(`This is of dates and moments: actual type ${nameOf(type)}`, at);
  if (name === undefined || !units.includes(name))
    throw unsupported(`The unit ${unit.constant ?? "that is computed"} of ${nameOf(type)}`, at);
  return name;
}

const truncated: Function = {
  counts: [2],
  make: ({ args: [unit, of], at }) => {
    const name = unitOf(unit!, of!, at);
    const { type, sql } = of!;
    const clock = clockOf(of!);
    const start = `date_trunc('${name}', ${clock})`;
    if (type.kind !== "timestamptz") return { sql: castTo(start, type), type, at };
    return { sql: isOfClocks(name) ? momentAt(start, type) : `(${sql} - (${clock} - ${start}))`, type, at };
  },
};

/** Whole units between, towards zero. */
const difference: Function = {
  counts: [3],
  make: ({ args: [unit, from, to], at, place }) => {
    const [first, last] = ofOneKind(from!, to!, timeZoneOf(place), at);
    const name = unitOf(unit!, first, at);
    const { type } = first;
    const [one, other] = clocksBetween(name, first, last);
    const between = differenceIn(name, { from: one, to: other, isDate: type.kind === "date" });
    return { sql: between, type: BIGINT, at };
  },
};

/** A date beside a timestamp is a midnight; either beside a moment is one of the session's zone. */
function ofOneKind(from: Typed, to: Typed, timeZone: string, at: number): [Typed, Typed] {
  const [one, other] = asMoments([from, to], timeZone, at) as [Typed, Typed];
  const type = one.type.kind === other.type.kind ? undefined : commonType(one.type, other.type);
  if (one.type.kind !== other.type.kind && type?.kind !== "timestamp")
    throw unsupported("The difference of values of two types", at);
  return type
    ? [
        { ...one, sql: coerce(one, type), type },
        { ...other, sql: coerce(other, type), type },
      ]
    : [one, other];
}

const added: Function = {
  counts: [3],
  make: ({ args: [unit, count, of], at }) => {
    const name = unitOf(unit!, of!, at);
    const number = coerce(count!, BIGINT);
    const { type } = of!;
    const isByClocks = type.kind === "timestamptz" && isOfClocks(name);
    const sql = isByClocks ? clockOf(of!) : of!.sql;
    const months = { month: 1, quarter: 3, year: 12 }[name];
    const moved =
      months === undefined
        ? `${sql} + to_milliseconds(${number} * ${UNIT_MS[name]})`
        : `${sql} + to_months(CAST(${number} * ${months} AS INTEGER))`;
    if (name === "millisecond" && "digits" in type && type.digits < 3)
      throw unsupported("Milliseconds added to whole seconds", at);
    const later = isByClocks ? momentAt(moved, type) : `(${moved})`;
    return { sql: type.kind === "date" ? castTo(moved, type) : later, type, at };
  },
};

export const DATE_FUNCTIONS: Record<string, Function> = {
  date_trunc: truncated,
  date_diff: difference,
  date_add: added,
  date_format: dateFormat,
  at_timezone: { counts: [2], make: ({ args: [of, zone], at, place }) => inZone(of!, zone!, timeZoneOf(place), at) },
  with_timezone: {
    counts: [2],
    make: ({ args: [of, zone], at }) => {
      if (of!.type.kind !== "timestamp") throw unsupported(`with_timezone of ${nameOf(of!.type)}`, at);
      return atZone(of!, of!.type.digits, knownZone(zone!));
    },
  },
  last_day_of_month: {
    counts: [1],
    make: ({ args: [of], at }) => {
      if (of!.type.kind !== "date" && of!.type.kind !== "timestamp") throw unsupported("last_day_of_month of this", at);
      return { sql: castTo(`last_day(${of!.sql})`, DATE), type: DATE, at };
    },
  },
  year: field("year"),
  quarter: field("quarter"),
  month: field("month"),
  week: field("week"),
  week_of_year: field("week"),
  day: field("day"),
  day_of_month: field("day_of_month"),
  day_of_week: field("day_of_week"),
  dow: field("dow"),
  day_of_year: field("day_of_year"),
  doy: field("doy"),
  hour: field("hour"),
  minute: field("minute"),
  second: field("second"),
  current_date: {
    counts: [0],
    make: ({ at, place }) => ({ sql: castTo(textLiteral(localTime(place).slice(0, 10)), DATE), type: DATE, at }),
  },
  localtimestamp: {
    counts: [0],
    make: ({ at, place }) => ({
      sql: castTo(textLiteral(localTime(place)), { kind: "timestamp", digits: 3 }),
      type: { kind: "timestamp", digits: 3 },
      at,
    }),
  },
  current_timestamp: { counts: [0], make: moment },
  now: { counts: [0], make: moment },
};

/** `2024-02-29 10:20:30.123` as clocks in the session's zone show it. */
function localTime({ means: { constants } }: Place): string {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: constants.timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
    hourCycle: "h23",
  }).formatToParts(constants.now);
  const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? "";
  return `${of("year")}-${of("month")}-${of("day")} ${of("hour")}:${of("minute")}:${of("second")}.${of("fractionalSecond")}`;
}

/** The present moment, which shows the clocks of the session's zone. */
function moment({ at, place }: CallValues): Typed {
  const { now, timeZone } = place.means.constants;
  const type: Type = { kind: "timestamptz", digits: 3 };
  const present = { sql: castTo(textLiteral(now.toISOString().replace("Z", "+00")), type), type, at };
  return inZone(present, { constant: timeZone, at }, timeZone, at);
}
