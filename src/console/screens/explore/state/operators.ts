// A filter's operators are those that fit its member's type, by Cube's grammar. Pure.

import type { FilterOperator } from "../../../../../kernel/access/access.ts";
import { FILTER_GRAMMAR } from "../../../../../kernel/access/filter-grammar.ts";

/** `in` and `notIn` are other spellings of `equals` and `notEquals`. */
const WORDS = {
  equals: "is",
  notEquals: "is not",
  contains: "contains",
  notContains: "does not contain",
  startsWith: "starts with",
  notStartsWith: "does not start with",
  endsWith: "ends with",
  notEndsWith: "does not end with",
  gt: "is more than",
  gte: "is at least",
  lt: "is less than",
  lte: "is at most",
  inDateRange: "is within",
  notInDateRange: "is not within",
  onTheDate: "is on",
  beforeDate: "is before",
  beforeOrOnDate: "is on or before",
  afterDate: "is after",
  afterOrOnDate: "is on or after",
  set: "has a value",
  notSet: "has no value",
} as const satisfies Partial<Record<FilterOperator, string>>;
export type Operator = keyof typeof WORDS;

const OPERATORS = Object.keys(WORDS) as Operator[];

export const isOperator = (text: string): text is Operator => Object.hasOwn(WORDS, text);
export const wordsOf = (operator: Operator): string => WORDS[operator];

/** How many values an operator takes: none, one, one or two dates, or any number. */
export type Takes = (typeof FILTER_GRAMMAR)[FilterOperator]["takes"];
export const takenBy = (operator: Operator): Takes => FILTER_GRAMMAR[operator].takes;

/** The first is the likeliest. */
export function operatorsFor(type: string): Operator[] {
  return OPERATORS.filter((operator) => {
    const operation = FILTER_GRAMMAR[operator];
    if (operation.takes === "nothing") return true;
    if (type === "time") return operation.takes === "date" || operation.takes === "dates";
    if (operation.takes === "values") return type === "string" || operation.test === "equality";
    return operation.takes === "value" && type === "number";
  });
}
