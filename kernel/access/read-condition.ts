// What row filters of data-access roles mean, by Cube's rules, once for all who go by them: those who write SQL, and
// the catalog, which leaves out files. Where a value can't be one of its column's type the filter lets no row through:
// in doubt nothing is granted. Pure.

import type { FilterOperator, RowCondition } from "./access.ts";
import {
  boundOf,
  equalConstant,
  instantBound,
  instantOf,
  partConstant,
  type Bound,
  type FilterType,
  type Order,
} from "./filter-constants.ts";

export type TextPlace = "anywhere" | "start" | "end";

/** A column that a condition is about. */
export type TypedColumn = { type: FilterType };

/**
 * What a reader makes of a condition, from the inside out. A test of NULL is neither true nor false, but for the two
 * that ask for it. Constants come as text that is known to fit: numbers as `-12.50` or `1e+21`, instants as
 * `2026-01-31 10:00:00.000001` in UTC, days as `2026-01-31`, booleans as `true` and `false`, UUIDs in small letters.
 */
export type ConditionReader<Column extends TypedColumn, Test> = {
  never: Test;
  both(tests: readonly Test[]): Test;
  either(tests: readonly Test[]): Test;
  not(test: Test): Test;
  isNull(column: Column): Test;
  isNotNull(column: Column): Test;
  /** Whether the column has one of the constants, exactly. */
  isOneOf(column: Column, constants: readonly [string, ...string[]]): Test;
  compares(column: Column, op: Order, constant: string): Test;
  /** Whether the column's text contains the given text, whatever the case of its letters. */
  holdsText(column: Column, text: string, place: TextPlace): Test;
};

/** What the condition means; `columns` are those that it may be about, by key. */
export function readCondition<Column extends TypedColumn, Test>(
  condition: RowCondition,
  columns: ReadonlyMap<number, Column>,
  reader: ConditionReader<Column, Test>,
): Test {
  if ("column" in condition) {
    const column = columns.get(condition.column);
    return column ? new ColumnFilter(column, reader).read(condition.operator, condition.values) : reader.never;
  }
  if ("and" in condition) return reader.both(condition.and.map((inner) => readCondition(inner, columns, reader)));
  return reader.either(condition.or.map((inner) => readCondition(inner, columns, reader)));
}

const PLACES: Readonly<Record<"contains" | "startsWith" | "endsWith", TextPlace>> = {
  contains: "anywhere",
  startsWith: "start",
  endsWith: "end",
};
const ORDERS: Readonly<Record<"gt" | "gte" | "lt" | "lte", Order>> = { gt: ">", gte: ">=", lt: "<", lte: "<=" };

/** The filters on one column. */
class ColumnFilter<Column extends TypedColumn, Test> {
  readonly #column: Column;
  readonly #reader: ConditionReader<Column, Test>;

  constructor(column: Column, reader: ConditionReader<Column, Test>) {
    this.#column = column;
    this.#reader = reader;
  }

  read(operator: FilterOperator, values: readonly (string | null)[]): Test {
    if (operator === "set") return this.#reader.isNotNull(this.#column);
    if (operator === "notSet") return this.#reader.isNull(this.#column);
    switch (operator) {
      case "equals":
      case "in":
        return this.#equals(values);
      case "notEquals":
      case "notIn":
        return this.#equalsNone(values);
      case "contains":
      case "startsWith":
      case "endsWith":
        return this.#holds(PLACES[operator], values);
      case "notContains":
        return this.#holdsNone("anywhere", values);
      case "notStartsWith":
        return this.#holdsNone("start", values);
      case "notEndsWith":
        return this.#holdsNone("end", values);
      case "gt":
      case "gte":
      case "lt":
      case "lte":
        return this.#compares(ORDERS[operator], values);
      default:
        return this.#isDated(operator, values);
    }
  }

  /** A value that does not fit is equal to none. */
  #equals(values: readonly (string | null)[]): Test {
    const fitting = present(values).flatMap((value) => equalConstant(this.#column.type, value) ?? []);
    return this.#orNull(values, this.#isOneOf(fitting));
  }

  #equalsNone(values: readonly (string | null)[]): Test {
    const fitting = fittingAll(values, (value) => equalConstant(this.#column.type, value));
    if (!fitting) return this.#reader.never;
    if (fitting.length === 0) return this.#reader.isNotNull(this.#column);
    return this.#orUnlessNull(values, this.#reader.not(this.#isOneOf(fitting)));
  }

  #isOneOf(constants: readonly string[]): Test {
    const [first, ...others] = new Set(constants);
    return first === undefined ? this.#reader.never : this.#reader.isOneOf(this.#column, [first, ...others]);
  }

  #holds(place: TextPlace, values: readonly (string | null)[]): Test {
    const parts = present(values).flatMap((value) => partConstant(this.#column.type, value) ?? []);
    const held = parts.map((part) => this.#reader.holdsText(this.#column, part, place));
    return this.#orNull(values, this.#reader.either(held));
  }

  #holdsNone(place: TextPlace, values: readonly (string | null)[]): Test {
    const parts = fittingAll(values, (value) => partConstant(this.#column.type, value));
    if (!parts) return this.#reader.never;
    if (parts.length === 0) return this.#reader.isNotNull(this.#column);
    const none = parts.map((part) => this.#reader.not(this.#reader.holdsText(this.#column, part, place)));
    return this.#orUnlessNull(values, this.#reader.both(none));
  }

  #orNull(values: readonly (string | null)[], test: Test): Test {
    const isNull = values.includes(null) ? this.#reader.isNull(this.#column) : this.#reader.never;
    return this.#reader.either([test, isNull]);
  }

  /**
   * Adds NULL to a negative test, as a value that is missing is not equal to any; an explicit null among the values
   * rules that out.
   */
  #orUnlessNull(values: readonly (string | null)[], test: Test): Test {
    return values.includes(null) ? test : this.#reader.either([test, this.#reader.isNull(this.#column)]);
  }

  #compares(op: Order, [value, ...more]: readonly (string | null)[]): Test {
    if (typeof value !== "string" || more.length > 0) return this.#reader.never;
    return this.#bounded(boundOf(this.#column.type, op, value));
  }

  #bounded(bound: Bound | undefined): Test {
    return bound ? this.#reader.compares(this.#column, bound.op, bound.constant) : this.#reader.never;
  }

  /** A test against a day, which is a day of UTC, or against an instant with a time of day. */
  #isDated(operator: FilterOperator, values: readonly (string | null)[]): Test {
    const { type } = this.#column;
    const isRange = operator === "inDateRange" || operator === "notInDateRange";
    const instants = values.map((value) => (value === null ? undefined : instantOf(value)));
    const [first, last = first] = instants;
    if (!first || !last || instants.includes(undefined) || instants.length > (isRange ? 2 : 1))
      return this.#reader.never;
    const at = (op: Order, instant: bigint): Test => this.#bounded(instantBound(type, op, instant));
    const before = at("<", first.from);
    const from = at(">=", first.from);
    // A day ends before the first instant of the next day.
    const until = at(last.isDay ? "<" : "<=", last.until);
    const after = at(last.isDay ? ">=" : ">", last.until);
    switch (operator) {
      case "inDateRange":
      case "onTheDate":
        return this.#reader.both([from, until]);
      case "notInDateRange":
        return this.#reader.either([before, after]);
      case "beforeDate":
        return before;
      case "beforeOrOnDate":
        return until;
      case "afterDate":
        return after;
      case "afterOrOnDate":
        return from;
      default:
        return this.#reader.never;
    }
  }
}

const present = (values: readonly (string | null)[]): string[] =>
  values.filter((value): value is string => value !== null);

/** The constants for all values; undefined where a value does not fit, or there is none. */
function fittingAll(
  values: readonly (string | null)[],
  fit: (value: string) => string | undefined,
): string[] | undefined {
  const fitting = present(values).map(fit);
  return values.length === 0 || fitting.includes(undefined) ? undefined : (fitting as string[]);
}
