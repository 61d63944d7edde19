// The meaning of row filters of data-access roles, once for the databases' SQL and for the catalog, which leaves out
// files. Where a value can't be one of its column's type the filter lets no row through: in doubt nothing is granted.
// Pure.

import type { RowCondition } from "./access.ts";
import {
  boundOf,
  equalConstant,
  instantBound,
  instantOf,
  partConstant,
  type Bound,
  type FilterType,
  type Instant,
} from "./filter-constants.ts";
import { readFilter, type Constants, type FilterReader, type Order, type TextPlace } from "./filter-grammar.ts";

/** A column that a condition is about. */
export type TypedColumn = { type: FilterType };

/**
 * The parts that a condition is read into, from the inside out. A test of NULL is neither true nor false, but for the
 * two that ask for it. Constants come as text that is known to fit: numbers as `-12.50` or `1e+21`, instants as
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
  isOneOf(column: Column, constants: Constants): Test;
  compares(column: Column, op: Order, constant: string): Test;
  /** Whether the column's text contains the given text, whatever the case of its letters. */
  holdsText(column: Column, text: string, place: TextPlace): Test;
};

/** Reads the condition; `columns` are those that it may be about, by key. */
export function readCondition<Column extends TypedColumn, Test>(
  condition: RowCondition,
  columns: ReadonlyMap<number, Column>,
  reader: ConditionReader<Column, Test>,
): Test {
  if ("column" in condition) {
    const { operator, values } = condition;
    const column = columns.get(condition.column);
    // Only a semantic query has two ends for its date, which its sender may give in words.
    const isOneDateTooMany = operator === "onTheDate" && values.length > 1;
    return column && !isOneDateTooMany ? readFilter(operator, values, filterReader(column, reader)) : reader.never;
  }
  if ("and" in condition) return reader.both(condition.and.map((inner) => readCondition(inner, columns, reader)));
  return reader.either(condition.or.map((inner) => readCondition(inner, columns, reader)));
}

/** How a column reads the filters on it. In doubt it lets no row through. */
function filterReader<Column extends TypedColumn, Test>(
  column: Column,
  reader: ConditionReader<Column, Test>,
): FilterReader<Test, Instant> {
  const { type } = column;
  const bounded = (bound: Bound | undefined): Test =>
    bound ? reader.compares(column, bound.op, bound.constant) : reader.never;
  return {
    both: (tests) => reader.both(tests),
    either: (tests) => reader.either(tests),
    not: (test) => reader.not(test),
    isNull: () => reader.isNull(column),
    isNotNull: () => reader.isNotNull(column),
    equalTo: (value) => equalConstant(type, value),
    partOf: (value) => partConstant(type, value),
    timeOf: instantOf,
    isOneOf: (constants) => reader.isOneOf(column, constants),
    isNoneOf: (constants) => reader.not(reader.isOneOf(column, constants)),
    holdsText: (part, place) => reader.holdsText(column, part, place),
    compares: (order, value) => bounded(boundOf(type, order, value)),
    comparesDate: (order, { from, until, isDay }) => {
      if (order === "<" || order === ">=") return bounded(instantBound(type, order, from));
      // A day ends before the first instant of the next day.
      const orderOfEnd = isDay ? (order === "<=" ? "<" : ">=") : order;
      return bounded(instantBound(type, orderOfEnd, until));
    },
    refuse: () => reader.never,
  };
}
