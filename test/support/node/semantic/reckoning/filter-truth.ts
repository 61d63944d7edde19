// A value passes a filter by the rules of Cube's documentation; `null` is SQL's unknown.

import type { SemanticFilter } from "../../../../../kernel/semantic/query.ts";
import { instantOf, toInstant } from "./local-times.ts";
import type { Cell } from "../proof-tables.ts";

export type Truth = boolean | null;
export type ValueKind = "string" | "number" | "boolean" | "time";
type Leaf = Extract<SemanticFilter, { member: string }>;

export function allOf(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(null) ? null : true;
}

export function anyOf(truths: readonly Truth[]): Truth {
  if (truths.includes(true)) return true;
  return truths.includes(null) ? null : false;
}

/** The values of members are looked up by `valueOf`. */
export function filterTruth(filter: SemanticFilter, look: (member: string) => [Cell, ValueKind], zone: string): Truth {
  if ("and" in filter) return allOf(filter.and.map((each) => filterTruth(each, look, zone)));
  if ("or" in filter) return anyOf(filter.or.map((each) => filterTruth(each, look, zone)));
  const [value, kind] = look(filter.member);
  if (filter.operator === "set") return value !== null;
  if (filter.operator === "notSet") return value === null;
  if (["equals", "in", "notEquals", "notIn"].includes(filter.operator)) return listed(filter, value, kind);
  if (/(contains|startsWith|endsWith)$/i.test(filter.operator)) return matches(filter, value);
  if (value === null) return null;
  if (["gt", "gte", "lt", "lte"].includes(filter.operator)) return compares(filter, Number(value));
  return dated(filter, value, zone);
}

const same = (value: Cell, text: string, kind: ValueKind): boolean => {
  if (kind === "number") return Number(value) === Number(text);
  return String(value) === text;
};

/** A list with null in it is one that NULL is in. */
function listed({ operator, values }: Leaf, value: Cell, kind: ValueKind): Truth {
  const isIn = value === null ? values.includes(null) : values.some((text) => text !== null && same(value, text, kind));
  return operator === "equals" || operator === "in" ? isIn : !isIn;
}

/** Letters of either case are the same; no part is a pattern. Negatives take what is NULL. */
function matches({ operator, values }: Leaf, value: Cell): Truth {
  const isNegative = operator.startsWith("not");
  if (value === null) return isNegative ? true : null;
  const text = String(value).toLowerCase();
  const how = operator.replace(/^not/, "").toLowerCase();
  const isMatch = values.some((each) => {
    const part = String(each).toLowerCase();
    if (how === "contains") return text.includes(part);
    return how === "startswith" ? text.startsWith(part) : text.endsWith(part);
  });
  return isMatch !== isNegative;
}

function compares({ operator, values }: Leaf, value: number): Truth {
  const than = Number(values[0]);
  if (operator === "gt") return value > than;
  if (operator === "gte") return value >= than;
  return operator === "lt" ? value < than : value <= than;
}

function dated({ operator, values }: Leaf, value: Cell, zone: string): Truth {
  const at = instantOf(value);
  const [from, to = from] = values.map((local) => toInstant(local!, zone)) as [number, number?];
  switch (operator) {
    case "inDateRange":
    case "onTheDate":
      return at >= from && at <= to;
    case "notInDateRange":
      return at < from || at > to;
    case "beforeDate":
      return at < from;
    case "beforeOrOnDate":
      return at <= from;
    case "afterDate":
      return at > from;
    case "afterOrOnDate":
      return at >= from;
    default:
      throw new Error(`No such operator: ${operator}.`);
  }
}
