// An interval has units of a closed list, since they are written into statements as they stand.

import type { Cursor } from "./cursor.ts";
import { INTERVAL_UNITS, type Expression, type IntervalUnit } from "./tree.ts";

/** Reads on behind the word INTERVAL, which is at `at`. */
export function parseInterval(cursor: Cursor, at: number): Expression {
  const isNegative = cursor.accepts("-");
  if (!isNegative) cursor.accepts("+");
  const text = cursor.string();
  return { kind: "interval", at, isNegative, text, ...parseUnits(cursor) };
}

/** `YEAR`, or `DAY TO SECOND`. */
export function parseUnits(cursor: Cursor): { unit: IntervalUnit; to?: IntervalUnit } {
  const unit = parseUnit(cursor, INTERVAL_UNITS);
  if (!cursor.accepts("TO")) return { unit };
  const isOfMonths = OF_MONTHS.includes(unit);
  const smaller = INTERVAL_UNITS.slice(INTERVAL_UNITS.indexOf(unit) + 1);
  return {
    unit,
    to: parseUnit(
      cursor,
      smaller.filter((each) => OF_MONTHS.includes(each) === isOfMonths),
    ),
  };
}

const OF_MONTHS: readonly IntervalUnit[] = ["year", "month"];

function parseUnit(cursor: Cursor, among: readonly IntervalUnit[]): IntervalUnit {
  const unit = among.find((each) => cursor.accepts(each.toUpperCase()));
  if (!unit) throw cursor.unexpected("<unit>");
  return unit;
}
