// Dates and moments that are moved by an interval, or by a multiple of one.

import { unsupported } from "../refusal.ts";
import type { Expression, IntervalUnit } from "../parse/tree.ts";
import { isInteger, nameOf, type Type } from "../trino-types.ts";
import { castTo, mismatch, type Typed } from "./typed.ts";
import { clockOf, momentAt } from "./zones.ts";

type Interval = Extract<Expression, { kind: "interval" }>;
/** `times`: how often the interval is taken, where the statement says that. */
export type Step = { interval: Interval; times?: Typed };

/** Undefined where the expression is neither an interval nor a multiple of one. */
export function stepOf(of: Expression, translate: (of: Expression) => Typed): Step | undefined {
  if (of.kind === "interval") return { interval: of };
  if (of.kind !== "arithmetic" || of.sign !== "*") return undefined;
  const [interval, count] = of.left.kind === "interval" ? [of.left, of.right] : [of.right, of.left];
  if (interval.kind !== "interval") return undefined;
  const times = translate(count);
  if (!isInteger(times.type)) throw unsupported(`An interval taken as often as ${nameOf(times.type)}`, count.at);
  return { interval, times };
}

const SIZES: Record<IntervalUnit, { months: number } | { micros: number }> = {
  year: { months: 12 },
  month: { months: 1 },
  day: { micros: 86_400_000_000 },
  hour: { micros: 3_600_000_000 },
  minute: { micros: 60_000_000 },
  second: { micros: 1_000_000 },
};

export function moved(of: Typed, { interval, times }: Step, sign: 1 | -1, at: number): Typed {
  const { type, sql } = of;
  const { text, unit, to, isNegative } = interval;
  if (type.kind !== "date" && type.kind !== "timestamp" && type.kind !== "timestamptz")
    throw mismatch(`An interval is not added to ${nameOf(type)}`, at);
  if (to || !/^-?\d{1,6}$/.test(text)) throw unsupported(`An interval of '${text}'`, at);
  const count = Number(text) * sign * (isNegative ? -1 : 1);
  const size = SIZES[unit];
  if ("months" in size) {
    if (times) throw unsupported(`A multiple of an interval of ${unit}s`, interval.at);
    const changed = `${clockOf(of)} + to_months(${count * size.months})`;
    if (type.kind === "timestamptz") return { sql: momentAt(changed, type), type, at };
    return { sql: type.kind === "date" ? castTo(changed, type) : `(${changed})`, type, at };
  }
  const taken = (step: number): string => (times ? `CAST(${times.sql} AS BIGINT) * ${step}` : String(step));
  if (type.kind === "date") {
    if (unit !== "day") throw mismatch("Cannot add hour, minutes or seconds to a date", at);
    return { sql: castTo(`${sql} + to_days(CAST(${taken(count)} AS INTEGER))`, type), type, at };
  }
  const later: Type = "digits" in type ? { ...type, digits: Math.max(type.digits, INTERVAL_DIGITS) } : type;
  return { sql: `(${sql} + to_microseconds(${taken(count * size.micros)}))`, type: later, at };
}

/** Trino's intervals have milliseconds. */
const INTERVAL_DIGITS = 3;
