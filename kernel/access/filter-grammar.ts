// Cube's filter grammar, once for row filters of data-access roles and for filters of semantic queries: how many values
// an operator takes, and what it means by them, with its rules for NULL and for dates. Pure.

import type { FilterOperator } from "./access.ts";

export type TextPlace = "anywhere" | "start" | "end";
export type Order = "<" | "<=" | ">" | ">=";

type ValuesTest = "equality" | TextPlace;
type Operation =
  | { takes: "nothing"; isSet: boolean }
  | { takes: "values"; test: ValuesTest; isNegated: boolean }
  | { takes: "value"; order: Order }
  | { takes: "date"; order: Order }
  | { takes: "dates"; isNegated: boolean };

/** `dates` are one date or two: from the start of the first to the end of the second. */
export const FILTER_GRAMMAR: Readonly<Record<FilterOperator, Operation>> = {
  equals: { takes: "values", test: "equality", isNegated: false },
  notEquals: { takes: "values", test: "equality", isNegated: true },
  in: { takes: "values", test: "equality", isNegated: false },
  notIn: { takes: "values", test: "equality", isNegated: true },
  contains: { takes: "values", test: "anywhere", isNegated: false },
  notContains: { takes: "values", test: "anywhere", isNegated: true },
  startsWith: { takes: "values", test: "start", isNegated: false },
  notStartsWith: { takes: "values", test: "start", isNegated: true },
  endsWith: { takes: "values", test: "end", isNegated: false },
  notEndsWith: { takes: "values", test: "end", isNegated: true },
  gt: { takes: "value", order: ">" },
  gte: { takes: "value", order: ">=" },
  lt: { takes: "value", order: "<" },
  lte: { takes: "value", order: "<=" },
  set: { takes: "nothing", isSet: true },
  notSet: { takes: "nothing", isSet: false },
  inDateRange: { takes: "dates", isNegated: false },
  notInDateRange: { takes: "dates", isNegated: true },
  onTheDate: { takes: "dates", isNegated: false },
  beforeDate: { takes: "date", order: "<" },
  beforeOrOnDate: { takes: "date", order: "<=" },
  afterDate: { takes: "date", order: ">" },
  afterOrOnDate: { takes: "date", order: ">=" },
};

/** Why a filter's values mean nothing: there are none, too many, a NULL too much, or one that the column can't hold. */
export type FilterFlaw = "noValues" | "notOneValue" | "notOneDate" | "notDates" | "unfit";

/** At least one. */
export type Constants = readonly [string, ...string[]];

/**
 * The reading of an operator's values by a column. Row filters and semantic queries differ here, by their contracts. A
 * row filter decides who may read: its constants are exact in the column's type, its dates are in UTC, and a flaw lets
 * no row through. A semantic query is compared as Cube compares it: its member has a kind instead of a type, its dates
 * are on the clocks of its zone to the millisecond, and a flaw is an error that its sender reads.
 *
 * A test of NULL is neither true nor false, but for `isNull` and `isNotNull`.
 */
export type FilterReader<Test, Time> = {
  both(tests: readonly Test[]): Test;
  either(tests: readonly Test[]): Test;
  not(test: Test): Test;
  isNull(): Test;
  isNotNull(): Test;
  /** The constant that a value is equal to; undefined where the column holds nothing that equals it. */
  equalTo(value: string): string | undefined;
  /** The text to look for; undefined where the column can't hold it. */
  partOf(value: string): string | undefined;
  timeOf(date: string): Time | undefined;
  isOneOf(constants: Constants): Test;
  isNoneOf(constants: Constants): Test;
  /** Whether the column's text contains the part, whatever the case of its letters. */
  holdsText(part: string, place: TextPlace): Test;
  compares(order: Order, value: string): Test;
  /** A day has a start and an end: `<` and `>=` compare with its start, `<=` and `>` with its end. */
  comparesDate(order: Order, time: Time): Test;
  refuse(flaw: FilterFlaw): Test;
};

/** Reads the values as the operator means them. */
export const readFilter = <Test, Time>(
  operator: FilterOperator,
  values: readonly (string | null)[],
  reader: FilterReader<Test, Time>,
): Test => new FilterValues(values, reader).read(FILTER_GRAMMAR[operator]);

class FilterValues<Test, Time> {
  readonly #values: readonly (string | null)[];
  readonly #reader: FilterReader<Test, Time>;

  constructor(values: readonly (string | null)[], reader: FilterReader<Test, Time>) {
    this.#values = values;
    this.#reader = reader;
  }

  read(operation: Operation): Test {
    if (operation.takes === "nothing") return operation.isSet ? this.#reader.isNotNull() : this.#reader.isNull();
    if (this.#values.length === 0) return this.#reader.refuse("noValues");
    if (operation.takes === "values")
      return operation.isNegated ? this.#isNone(operation.test) : this.#isAny(operation.test);
    if (operation.takes === "value") return this.#compares(operation.order);
    if (operation.takes === "date") return this.#comparesDate(operation.order);
    return this.#isDated(operation.isNegated);
  }

  /** A value that does not fit is equal to none; NULL is meant only where null is one of the values. */
  #isAny(test: ValuesTest): Test {
    const fitting = this.#constants(test).filter((constant) => constant !== undefined);
    const tests = isSome(fitting) ? this.#tests(test, fitting) : [];
    if (this.#values.includes(null)) tests.push(this.#reader.isNull());
    return tests.length === 0 ? this.#reader.refuse("unfit") : this.#reader.either(tests);
  }

  /** NULL is none of the values, unless null is one of them. A value that does not fit would exclude nothing. */
  #isNone(test: ValuesTest): Test {
    const constants = this.#constants(test);
    const fitting = constants.filter((constant) => constant !== undefined);
    if (fitting.length < constants.length) return this.#reader.refuse("unfit");
    if (!isSome(fitting)) return this.#reader.isNotNull();
    const none =
      test === "equality"
        ? this.#reader.isNoneOf(fitting)
        : this.#reader.both(this.#tests(test, fitting).map((held) => this.#reader.not(held)));
    return this.#values.includes(null) ? none : this.#reader.either([none, this.#reader.isNull()]);
  }

  #tests(test: ValuesTest, constants: Constants): Test[] {
    if (test === "equality") return [this.#reader.isOneOf(constants)];
    return constants.map((part) => this.#reader.holdsText(part, test));
  }

  /** The distinct constants for all values but null; one is undefined where a value does not fit. */
  #constants(test: ValuesTest): (string | undefined)[] {
    const texts = this.#values.filter((value) => value !== null);
    return [
      ...new Set(texts.map((text) => (test === "equality" ? this.#reader.equalTo(text) : this.#reader.partOf(text)))),
    ];
  }

  #compares(order: Order): Test {
    const [value, ...more] = this.#values;
    if (typeof value !== "string" || more.length > 0) return this.#reader.refuse("notOneValue");
    return this.#reader.compares(order, value);
  }

  #comparesDate(order: Order): Test {
    const [time, ...more] = this.#times();
    if (time === undefined || more.length > 0) return this.#reader.refuse("notOneDate");
    return this.#reader.comparesDate(order, time);
  }

  #isDated(isNegated: boolean): Test {
    const [first, last = first, ...more] = this.#times();
    if (first === undefined || last === undefined || more.length > 0) return this.#reader.refuse("notDates");
    return isNegated
      ? this.#reader.either([this.#reader.comparesDate("<", first), this.#reader.comparesDate(">", last)])
      : this.#reader.both([this.#reader.comparesDate(">=", first), this.#reader.comparesDate("<=", last)]);
  }

  /** None where one of the values is no date. */
  #times(): Time[] {
    const times = this.#values.map((value) => (value === null ? undefined : this.#reader.timeOf(value)));
    const known = times.filter((time) => time !== undefined);
    return known.length < times.length ? [] : known;
  }
}

const isSome = (constants: readonly string[]): constants is Constants => constants.length > 0;
