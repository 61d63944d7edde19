// A filter on a member as a condition in SQL.

import type { FilterOperator } from "../../../../kernel/access/access.ts";
import { readBoolean, readNumber } from "../../../../kernel/access/filter-constants.ts";
import {
  FILTER_GRAMMAR,
  readFilter,
  type FilterFlaw,
  type FilterReader,
  type Order,
} from "../../../../kernel/access/filter-grammar.ts";
import { addDay, isDay, localText, readLocalTime } from "./time/local-time.ts";
import { Refused } from "./refused.ts";
import type { NumberForm, Spelling } from "./spelling/spelling.ts";
import type { Zone } from "./time/zone.ts";

export type ComparedAs = "text" | "number" | "boolean" | "time";

/** `sql` stands by itself. `bind` gives the placeholder of a value. */
export type Condition = {
  member: string;
  kind: ComparedAs;
  sql: string;
  values: readonly (string | null)[];
  spelling: Spelling;
  zone: Zone;
  bind: (value: string) => string;
};

/** Times are kept to the millisecond, and one that is finer belongs to the millisecond it is in. */
const MILLISECOND = 1;
const INTEGER_MAX = 2n ** 63n - 1n;
const DIGITS_MAX = 38;
const SCALE_MAX = 30;
/** The local times that every database can hold. */
const TIMES: Range = [Date.parse("0001-01-01"), Date.parse("+010000-01-01")];

export function conditionSql(operator: string, condition: Condition): string {
  if (!Object.hasOwn(FILTER_GRAMMAR, operator)) throw new Refused(`There is no filter operator ${operator}.`);
  return readFilter(operator as FilterOperator, condition.values, sqlReader(condition));
}

/** How a member reads the filters on it. Values that say nothing are an error of the query. */
const sqlReader = (condition: Condition): FilterReader<string, Range> => {
  const { sql, spelling, bind } = condition;
  return {
    both,
    either,
    not: (test) => `NOT (${test})`,
    isNull: () => `${sql} IS NULL`,
    isNotNull: () => `${sql} IS NOT NULL`,
    equalTo: (value) => value,
    partOf: (value) => value,
    timeOf: (date) => dateOf(condition, date),
    isOneOf: (values) => isListed(condition, values, false),
    isNoneOf: (values) => isListed(condition, values, true),
    holdsText: (part, place) => spelling.holdsText(sql, bind(spelling.heldText(part, place)), place),
    compares: (order, value) =>
      condition.kind === "time"
        ? comparesRange(condition, order, millisecondOf(condition, value))
        : `${sql} ${order} ${boundValue(condition, value)}`,
    comparesDate: (order, date) => comparesRange(condition, order, date),
    refuse: (flaw) => {
      throw new Refused(FLAWS[flaw](condition.member));
    },
  };
};

const FLAWS: Readonly<Record<FilterFlaw, (member: string) => string>> = {
  noValues: (member) => `Values required for filter: ${member}`,
  notOneValue: (member) => `The filter on ${member} takes one value.`,
  notOneDate: (member) => `The filter on ${member} takes a date.`,
  notDates: (member) => `The filter on ${member} takes one or two dates.`,
  unfit: (member) => `The filter on ${member} has a value that it can't hold.`,
};

const either = (conditions: readonly string[]): string => joined(conditions, " OR ");
const both = (conditions: readonly string[]): string => joined(conditions, " AND ");
const joined = (conditions: readonly string[], word: string): string =>
  conditions.length === 1 ? conditions[0]! : conditions.map((each) => `(${each})`).join(word);

function isListed(condition: Condition, values: readonly string[], not: boolean): string {
  const { sql, kind, spelling, bind } = condition;
  if (kind === "time") {
    const ranges = values.map((value) => millisecondOf(condition, value));
    return not
      ? both(ranges.map((range) => beyond(condition, range)))
      : either(ranges.map((range) => within(condition, range)));
  }
  const list = listedSql(condition, values, not);
  if (list !== undefined) return list;
  if (kind === "text")
    return spelling.isText(
      sql,
      values.map((value) => bind(value)),
      not,
    );
  const listed = values.map((value) => boundValue(condition, value)).join(", ");
  return values.length === 1 ? `${sql} ${not ? "<>" : "="} ${listed}` : `${sql} ${not ? "NOT IN" : "IN"} (${listed})`;
}

/** At least this many values become a list, where the database has lists of their kind. */
const LISTED_MIN = 100;

function listedSql({ member, kind, sql, spelling, bind }: Condition, values: readonly string[], not: boolean) {
  if (values.length < LISTED_MIN || (kind !== "text" && kind !== "number")) return undefined;
  const isNumber = kind === "number";
  const list = spelling.lists[isNumber ? "integer" : "text"];
  if (!list) return undefined;
  if (isNumber && values.some((value) => numberForm(member, value.trim()).kind !== "integer")) return undefined;
  // A check that refuses a NUL looks at the values themselves.
  if (values.some((value) => value.includes("\0"))) return undefined;
  return list(sql, isNumber ? integersInOrder(values) : textsInOrder(values), bind, not);
}

/** Each value becomes a number and is written anew, so that nothing but digits and a sign is returned. */
const integersInOrder = (values: readonly string[]): string[] =>
  values
    .map((value) => BigInt(value.trim()))
    .sort((a, b) => (a < b ? -1 : Number(a > b)))
    .map(String);

/** Sorts texts by their bytes, as databases do. */
const textsInOrder = (values: readonly string[]): string[] =>
  values
    .map((value) => Buffer.from(value))
    .sort(Buffer.compare)
    .map(String);

function boundValue({ member, kind, spelling, bind }: Condition, value: string): string {
  if (kind === "text") return bind(value);
  if (kind === "boolean") {
    const known = readBoolean(value.trim());
    if (known === undefined) throw new Refused(`The filter on ${member} takes true or false, not '${value}'.`);
    return known ? "TRUE" : "FALSE";
  }
  const number = value.trim();
  return spelling.boundNumber(bind(number), numberForm(member, number));
}

function numberForm(member: string, value: string): NumberForm {
  const parts = readNumber(value);
  if (!parts) throw new Refused(`The filter on ${member} takes numbers, not '${value}'.`);
  if (!Number.isFinite(Number(value)))
    throw new Refused(`The filter on ${member} takes numbers below 1.8e308, not '${value}'.`);
  const { whole, fraction, exponent } = parts;
  if (exponent !== undefined) return { kind: "double" };
  if (fraction === "" && BigInt(whole) <= INTEGER_MAX && !value.includes(".")) return { kind: "integer" };
  const precision = Math.max(whole.length + fraction.length, 1);
  if (precision > DIGITS_MAX || fraction.length > SCALE_MAX) return { kind: "double" };
  return { kind: "decimal", precision, scale: fraction.length };
}

/** A range of local times: its first, and the first after it. */
type Range = readonly [start: number, end: number];

function millisecondOf({ zone }: Condition, value: string): Range {
  const local = readLocalTime(value, zone);
  return [local, local + MILLISECOND];
}

/** A date without a time of day is the whole day. */
function dateOf(condition: Condition, date: string): Range {
  const [start, end] = millisecondOf(condition, date);
  return [start, isDay(date) ? addDay(start) : end];
}

const comparesRange = (condition: TimeComparison, order: Order, [start, end]: Range): string =>
  order === "<" || order === ">="
    ? compareTime(condition, order, start)
    : compareTime(condition, order === "<=" ? "<" : ">=", end);

const within = (condition: TimeComparison, [start, end]: Range): string =>
  both([compareTime(condition, ">=", start), compareTime(condition, "<", end)]);

const beyond = (condition: TimeComparison, [start, end]: Range): string =>
  either([compareTime(condition, "<", start), compareTime(condition, ">=", end)]);

type TimeComparison = Pick<Condition, "sql" | "spelling" | "zone" | "bind">;

/**
 * Whether what the zone's clocks show at a time is before a local time, or not. Times are compared as they are stored,
 * so that indexes and statistics count. A date without a time of day is the same day everywhere: where the column may
 * hold such, the wider of both comparisons goes first.
 */
export function compareTime(
  { sql, spelling, zone, bind }: TimeComparison,
  operator: "<" | ">=",
  local: number,
): string {
  const [first, end] = TIMES;
  const compared = (time: number): string => {
    if (time >= first && time < end) return `${sql} ${operator} ${spelling.boundTime(bind(localText(time)))}`;
    return time < first === (operator === ">=") ? `${sql} IS NOT NULL` : "1 = 0";
  };
  const instant = operator === ">=" ? zone.firstInstantOf(local) : zone.lastInstantOf(local);
  if (instant === local) return compared(local);
  const wider = operator === ">=" ? Math.min(local, instant) : Math.max(local, instant);
  return (
    `${compared(wider)} AND CASE WHEN ${spelling.isDate(sql)} ` +
    `THEN ${compared(local)} ELSE ${compared(instant)} END`
  );
}
