// Row filters of data-access roles as SQL, by Cube's rules, in the words of the database that runs it. Where a value
// can't be one of its column's type the filter lets no row through: in doubt nothing is granted.

import type { FilterOperator, RowCondition } from "../contract/access/access.ts";
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

/** A column as a condition reads it: an expression that has no side effects and stands by itself. */
export type FilterColumn = { sql: string; type: FilterType };

export type TextPlace = "anywhere" | "start" | "end";

/**
 * How a database writes what filters say. Constants come as text that is known to fit: numbers as `-12.50` or `1e+21`,
 * instants as `2026-01-31 10:00:00.000001` in UTC, days as `2026-01-31`, booleans as `true` and `false`, UUIDs in small
 * letters.
 */
export type FilterDialect<Column extends FilterColumn = FilterColumn> = {
  /** A constant of the column's type. */
  constant(column: Column, constant: string): string;
  /** Whether the column has one of the constants, exactly; NULL for NULL. */
  isOneOf(column: Column, constants: readonly string[]): string;
  /** Whether the text is in the column's, whatever the case of its letters; NULL for NULL. */
  holdsText(column: Column, text: string, place: TextPlace): string;
};

export const NEVER = "FALSE";
export const ALWAYS = "TRUE";

/** The columns that conditions are about, by key. */
export type FilterColumns<Column extends FilterColumn> = ReadonlyMap<number, Column>;

/** A condition as an expression in parentheses, or one of the words for all and no rows. NULL is no. */
export function conditionSql<Column extends FilterColumn>(
  condition: RowCondition,
  columns: FilterColumns<Column>,
  dialect: FilterDialect<Column>,
): string {
  if ("column" in condition) {
    const column = columns.get(condition.column);
    return column ? new ColumnFilter(column, dialect).sql(condition.operator, condition.values) : NEVER;
  }
  if ("and" in condition) return both(condition.and.map((inner) => conditionSql(inner, columns, dialect)));
  return either(condition.or.map((inner) => conditionSql(inner, columns, dialect)));
}

export function both(parts: readonly string[]): string {
  if (parts.includes(NEVER)) return NEVER;
  const all = parts.filter((part) => part !== ALWAYS);
  return all.length === 0 ? ALWAYS : all.length === 1 ? all[0]! : `(${all.join(" AND ")})`;
}

export function either(parts: readonly string[]): string {
  if (parts.includes(ALWAYS)) return ALWAYS;
  const some = parts.filter((part) => part !== NEVER);
  return some.length === 0 ? NEVER : some.length === 1 ? some[0]! : `(${some.join(" OR ")})`;
}

const PLACES: Readonly<Record<"contains" | "startsWith" | "endsWith", TextPlace>> = {
  contains: "anywhere",
  startsWith: "start",
  endsWith: "end",
};
const ORDERS: Readonly<Record<"gt" | "gte" | "lt" | "lte", Order>> = { gt: ">", gte: ">=", lt: "<", lte: "<=" };

/** The filters on one column. */
class ColumnFilter<Column extends FilterColumn> {
  readonly #column: Column;
  readonly #dialect: FilterDialect<Column>;

  constructor(column: Column, dialect: FilterDialect<Column>) {
    this.#column = column;
    this.#dialect = dialect;
  }

  sql(operator: FilterOperator, values: readonly (string | null)[]): string {
    if (operator === "set") return this.#isSet;
    if (operator === "notSet") return this.#isNotSet;
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

  get #isSet(): string {
    return `(${this.#column.sql} IS NOT NULL)`;
  }

  get #isNotSet(): string {
    return `(${this.#column.sql} IS NULL)`;
  }

  /** A value that does not fit is equal to none. */
  #equals(values: readonly (string | null)[]): string {
    const fitting = present(values).flatMap((value) => equalConstant(this.#column.type, value) ?? []);
    const isOne = fitting.length === 0 ? NEVER : this.#isOneOf(fitting);
    return either([isOne, values.includes(null) ? this.#isNotSet : NEVER]);
  }

  #equalsNone(values: readonly (string | null)[]): string {
    const fitting = fittingAll(values, (value) => equalConstant(this.#column.type, value));
    if (!fitting) return NEVER;
    return this.#orNotSet(values, fitting.length === 0 ? this.#isSet : `(NOT ${this.#isOneOf(fitting)})`);
  }

  #isOneOf(constants: readonly string[]): string {
    const distinct = [...new Set(constants)].map((constant) => this.#dialect.constant(this.#column, constant));
    return this.#dialect.isOneOf(this.#column, distinct);
  }

  #holds(place: TextPlace, values: readonly (string | null)[]): string {
    const parts = present(values).flatMap((value) => partConstant(this.#column.type, value) ?? []);
    const isHeld = either(parts.map((part) => this.#dialect.holdsText(this.#column, part, place)));
    return either([isHeld, values.includes(null) ? this.#isNotSet : NEVER]);
  }

  #holdsNone(place: TextPlace, values: readonly (string | null)[]): string {
    const parts = fittingAll(values, (value) => partConstant(this.#column.type, value));
    if (!parts) return NEVER;
    if (parts.length === 0) return this.#isSet;
    const none = both(parts.map((part) => `(NOT ${this.#dialect.holdsText(this.#column, part, place)})`));
    return this.#orNotSet(values, none);
  }

  /** What is not something may be nothing, unless that is ruled out by name. */
  #orNotSet(values: readonly (string | null)[], sql: string): string {
    return values.includes(null) ? sql : either([sql, this.#isNotSet]);
  }

  #compares(op: Order, [value, ...more]: readonly (string | null)[]): string {
    if (typeof value !== "string" || more.length > 0) return NEVER;
    return this.#bounded(boundOf(this.#column.type, op, value));
  }

  #bounded(bound: Bound | undefined): string {
    if (!bound) return NEVER;
    return `(${this.#column.sql} ${bound.op} ${this.#dialect.constant(this.#column, bound.constant)})`;
  }

  /** Days are those of UTC; a value with a time of day is that instant. */
  #isDated(operator: FilterOperator, values: readonly (string | null)[]): string {
    const { type } = this.#column;
    const isRange = operator === "inDateRange" || operator === "notInDateRange";
    const instants = values.map((value) => (value === null ? undefined : instantOf(value)));
    const [first, last = first] = instants;
    if (!first || !last || instants.includes(undefined) || instants.length > (isRange ? 2 : 1)) return NEVER;
    const at = (op: Order, instant: bigint): string => this.#bounded(instantBound(type, op, instant));
    const before = at("<", first.from);
    const from = at(">=", first.from);
    // A day's end is the next one's first instant, which is not in it.
    const until = at(last.isDay ? "<" : "<=", last.until);
    const after = at(last.isDay ? ">=" : ">", last.until);
    switch (operator) {
      case "inDateRange":
      case "onTheDate":
        return both([from, until]);
      case "notInDateRange":
        return either([before, after]);
      case "beforeDate":
        return before;
      case "beforeOrOnDate":
        return until;
      case "afterDate":
        return after;
      case "afterOrOnDate":
        return from;
      default:
        return NEVER;
    }
  }
}

const present = (values: readonly (string | null)[]): string[] =>
  values.filter((value): value is string => value !== null);

/** Undefined where one does not fit, or there is none at all. */
function fittingAll(
  values: readonly (string | null)[],
  fit: (value: string) => string | undefined,
): string[] | undefined {
  const fitting = present(values).map(fit);
  return values.length === 0 || fitting.includes(undefined) ? undefined : (fitting as string[]);
}
