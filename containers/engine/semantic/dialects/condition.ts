// A filter on a member as a condition in SQL: what each operator means, with its rule for NULL.

import { addDay, isDay, localText, readLocalTime } from "./time/local-time.ts";
import { Refused } from "./refused.ts";
import type { NumberForm, Spelling, TextPlace } from "./spelling/spelling.ts";
import type { Zone } from "./time/zone.ts";

export type MemberKind = "text" | "number" | "boolean" | "time";

/** `sql` stands by itself. `bind` gives the placeholder of a value. */
export type Condition = {
  member: string;
  kind: MemberKind;
  sql: string;
  values: readonly (string | null)[];
  spelling: Spelling;
  zone: Zone;
  bind: (value: string) => string;
};

/** Times are kept to the millisecond, and one that is finer belongs to the millisecond it is in. */
const MILLISECOND = 1;
const NUMBER = /^[+-]?(\d*)(?:\.(\d*))?(e[+-]?\d+)?$/i;
const INTEGER_MAX = 2n ** 63n - 1n;
const DIGITS_MAX = 38;
const SCALE_MAX = 30;
/** The local times that every database can hold. */
const TIMES: Range = [Date.parse("0001-01-01"), Date.parse("+010000-01-01")];
const BOOLEANS: Readonly<Record<string, string>> = { true: "TRUE", "1": "TRUE", false: "FALSE", "0": "FALSE" };

const OPERATORS: Readonly<Record<string, (condition: Condition) => string>> = {
  equals: (condition) => isOneOf(condition),
  in: (condition) => isOneOf(condition),
  notEquals: (condition) => isNoneOf(condition),
  notIn: (condition) => isNoneOf(condition),
  contains: (condition) => holds(condition, "anywhere"),
  notContains: (condition) => holdsNot(condition, "anywhere"),
  startsWith: (condition) => holds(condition, "start"),
  notStartsWith: (condition) => holdsNot(condition, "start"),
  endsWith: (condition) => holds(condition, "end"),
  notEndsWith: (condition) => holdsNot(condition, "end"),
  gt: (condition) => compares(condition, ">"),
  gte: (condition) => compares(condition, ">="),
  lt: (condition) => compares(condition, "<"),
  lte: (condition) => compares(condition, "<="),
  set: ({ sql }) => `${sql} IS NOT NULL`,
  notSet: ({ sql }) => `${sql} IS NULL`,
  inDateRange: (condition) => within(condition, dateRange(condition)),
  notInDateRange: (condition) => beyond(condition, dateRange(condition)),
  onTheDate: (condition) => within(condition, wholeDays(condition)),
  beforeDate: (condition) => compareTime(condition, "<", oneTime(condition, "start")),
  beforeOrOnDate: (condition) => compareTime(condition, "<", oneTime(condition, "end")),
  afterDate: (condition) => compareTime(condition, ">=", oneTime(condition, "end")),
  afterOrOnDate: (condition) => compareTime(condition, ">=", oneTime(condition, "start")),
};

export function conditionSql(operator: string, condition: Condition): string {
  if (!Object.hasOwn(OPERATORS, operator)) throw new Refused(`There is no filter operator ${operator}.`);
  return OPERATORS[operator]!(condition);
}

const hasNull = ({ values }: Condition): boolean => values.includes(null);

/** The values, at least one; a null among them counts. */
function valuesOf(condition: Condition): string[] {
  const values = condition.values.filter((value) => value !== null);
  if (condition.values.length === 0) throw new Refused(`Values required for filter: ${condition.member}`);
  return values;
}

function oneValue(condition: Condition): string {
  const [value, ...more] = valuesOf(condition);
  if (value === undefined || more.length > 0 || hasNull(condition))
    throw new Refused(`The filter on ${condition.member} takes one value.`);
  return value;
}

const either = (...conditions: string[]): string =>
  conditions.length === 1 ? conditions[0]! : conditions.map((each) => `(${each})`).join(" OR ");
const both = (...conditions: string[]): string =>
  conditions.length === 1 ? conditions[0]! : conditions.map((each) => `(${each})`).join(" AND ");

function isOneOf(condition: Condition): string {
  const values = valuesOf(condition);
  const isNull = hasNull(condition) ? [`${condition.sql} IS NULL`] : [];
  return either(...(values.length === 0 ? [] : [isListed(condition, values, false)]), ...isNull);
}

/** What is NULL is none of the values, unless NULL is one of them. */
function isNoneOf(condition: Condition): string {
  const values = valuesOf(condition);
  if (values.length === 0) return `${condition.sql} IS NOT NULL`;
  const isNoneListed = isListed(condition, values, true);
  return hasNull(condition) ? isNoneListed : either(isNoneListed, `${condition.sql} IS NULL`);
}

function isListed(condition: Condition, given: readonly string[], not: boolean): string {
  const values = [...new Set(given)];
  const { sql, kind, spelling, bind } = condition;
  if (kind === "time") {
    const ranges = values.map((value) => millisecondOf(condition, value));
    return not
      ? both(...ranges.map((range) => beyond(condition, range)))
      : either(...ranges.map((range) => within(condition, range)));
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

function holds(condition: Condition, place: TextPlace): string {
  const isNull = hasNull(condition) ? [`${condition.sql} IS NULL`] : [];
  return either(...textConditions(condition, place), ...isNull);
}

function holdsNot(condition: Condition, place: TextPlace): string {
  const conditions = textConditions(condition, place);
  if (conditions.length === 0) return `${condition.sql} IS NOT NULL`;
  const holdsNone = both(...conditions.map((each) => `NOT (${each})`));
  return hasNull(condition) ? holdsNone : either(holdsNone, `${condition.sql} IS NULL`);
}

const textConditions = (condition: Condition, place: TextPlace): string[] =>
  valuesOf(condition).map((value) =>
    condition.spelling.holdsText(condition.sql, condition.bind(condition.spelling.heldText(value, place)), place),
  );

function compares(condition: Condition, operator: "<" | "<=" | ">" | ">="): string {
  const value = oneValue(condition);
  if (condition.kind !== "time") return `${condition.sql} ${operator} ${boundValue(condition, value)}`;
  const [start, end] = millisecondOf(condition, value);
  if (operator === "<" || operator === "<=") return compareTime(condition, "<", operator === "<" ? start : end);
  return compareTime(condition, ">=", operator === ">" ? end : start);
}

function boundValue({ member, kind, spelling, bind }: Condition, value: string): string {
  if (kind === "text") return bind(value);
  if (kind === "boolean") {
    const known = BOOLEANS[value.trim().toLowerCase()];
    if (known === undefined) throw new Refused(`The filter on ${member} takes true or false, not '${value}'.`);
    return known;
  }
  const number = value.trim();
  return spelling.boundNumber(bind(number), numberForm(member, number));
}

function numberForm(member: string, value: string): NumberForm {
  const [matched, whole = "", fraction = "", exponent] = NUMBER.exec(value) ?? [];
  if (matched === undefined || whole + fraction === "")
    throw new Refused(`The filter on ${member} takes numbers, not '${value}'.`);
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

const startOf = ({ zone }: Condition, value: string): number => readLocalTime(value, zone);
/** A date without a time of day is the whole day. */
const endOf = ({ zone }: Condition, value: string): number =>
  isDay(value) ? addDay(readLocalTime(value, zone)) : readLocalTime(value, zone) + MILLISECOND;

function dateRange(condition: Condition): Range {
  const [from, to = from, ...more] = valuesOf(condition);
  if (from === undefined || to === undefined || more.length > 0 || hasNull(condition))
    throw new Refused(`The filter on ${condition.member} takes one or two dates.`);
  return [startOf(condition, from), endOf(condition, to)];
}

function wholeDays(condition: Condition): Range {
  const [start, end] = dateRange(condition);
  if (condition.values.length > 1) return [start, end];
  const day = localText(start).slice(0, localText(start).indexOf("T"));
  return [startOf(condition, day), endOf(condition, day)];
}

function oneTime(condition: Condition, edge: "start" | "end"): number {
  const [from, to] = valuesOf(condition);
  if (from === undefined || hasNull(condition)) throw new Refused(`The filter on ${condition.member} takes a date.`);
  return edge === "start" ? startOf(condition, from) : endOf(condition, to ?? from);
}

export const within = (condition: TimeComparison, [start, end]: Range): string =>
  both(compareTime(condition, ">=", start), compareTime(condition, "<", end));

const beyond = (condition: TimeComparison, [start, end]: Range): string =>
  either(compareTime(condition, "<", start), compareTime(condition, ">=", end));

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
