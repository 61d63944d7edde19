// A data file is pruned where it can't hold a row for which a predicate is true. Pure. In doubt it stays: to read a
// file too many costs time, to leave one out makes the result wrong.

import type { Predicate } from "../../../kernel/lake/lake.ts";
import { isFloat, scalarType } from "../../../kernel/lake/lake-types.ts";
import { comparerOf } from "../format/statistics.ts";

/**
 * What a column may hold in one file, as far as is known. Bounds of text may be cut short, those of a float be of a
 * narrower one.
 */
export type FileBounds = {
  hasNull: boolean;
  hasValue: boolean;
  hasNan: boolean;
  min: string | null;
  max: string | null;
};

/** Says of files whether they may hold a row for which the predicate is true. `type` is the column's. */
export function matcherOf({ op, values }: Predicate, type: string): (bounds: FileBounds) => boolean {
  if (op === "is_null") return ({ hasNull }) => hasNull;
  const mayCompare = comparisonOf(op, values, type);
  return (bounds) => bounds.hasValue && mayCompare(bounds);
}

/** The files hold more than NULL. */
function comparisonOf(op: Predicate["op"], values: readonly string[], type: string): (bounds: FileBounds) => boolean {
  const isUnclear =
    op === "is_not_null" || !isOrdered(type) || values.length === 0 || (op !== "in" && values.length > 1);
  if (isUnclear) return () => true;
  const { liesBelow, liesAbove } = sidesOf(type);
  const ascending = op === "in" ? sort(values, type) : undefined;
  if (ascending) {
    const mayHoldOne = searchOf(ascending, type);
    return (bounds) => (isFloat(type) && bounds.hasNan) || mayHoldOne(bounds);
  }
  const tests = values.map((value) => ({ min, max }: FileBounds): boolean => {
    if (op === "<" || op === "<=") return !liesBelow(min, value, op === "<=");
    if (op === ">" || op === ">=") return !liesAbove(max, value, op === ">=");
    return !liesBelow(min, value, true) && !liesAbove(max, value, true);
  });
  // A NaN is above every number, and no bound shows it.
  return (bounds) => (isFloat(type) && bounds.hasNan) || tests.some((test) => test(bounds));
}

/** Undefined where there is one whose place is not certain. */
function sort(values: readonly string[], type: string): string[] | undefined {
  const compare = comparerOf(type);
  let isCertain = !(isText(type) && values.some(isBroken));
  const ascending = values.toSorted((left, right) => {
    const order = compare(left, right);
    isCertain &&= order !== undefined;
    return order ?? 0;
  });
  return isCertain ? ascending : undefined;
}

/** A file that may hold one of the values may hold the first that is not below all of its own. */
function searchOf(ascending: readonly string[], type: string): (bounds: FileBounds) => boolean {
  const { liesBelow, liesAbove } = sidesOf(type);
  return ({ min, max }) => {
    let [from, until] = [0, ascending.length];
    while (from < until) {
      const middle = (from + until) >> 1;
      if (liesBelow(min, ascending[middle]!, true)) from = middle + 1;
      else until = middle;
    }
    const first = ascending[from];
    return first !== undefined && !liesAbove(max, first, true);
  };
}

/** Types whose bounds and values are written so that they can be compared here. */
const isOrdered = (type: string): boolean => scalarType(type)?.prunes ?? false;

/** `isEqualOf` says that a value equal to the bound is of use. */
type Side = (bound: string | null, value: string, isEqualOf: boolean) => boolean;

/**
 * For certain, no value from `min` up is less than `value`, or equals it; and the same of `max`, from the other side.
 */
function sidesOf(type: string): { liesBelow: Side; liesAbove: Side } {
  const compare = comparerOf(type);
  const [low, high] = isFloat(type)
    ? [(text: string) => widened(text, -1), (text: string) => widened(text, 1)]
    : [asIs, asIs];
  return {
    liesBelow(min, value, isEqualOf) {
      if (min === null || (isText(type) && (isBroken(min) || isBroken(value)))) return false;
      const order = compare(high(value), low(min));
      return order === -1 || (order === 0 && !isEqualOf);
    },
    // A cut-off upper bound stands for anything that starts with it.
    liesAbove(max, value, isEqualOf) {
      if (max === null || (isText(type) && (isBroken(max) || isBroken(value) || value.startsWith(max)))) return false;
      const order = compare(low(value), high(max));
      return order === 1 || (order === 0 && !isEqualOf);
    },
  };
}

const isText = (type: string): boolean => scalarType(type)?.order === "text";

const asIs = (text: string): string => text;

/** A character that a cut left in pieces: what it stood for may sort before or after it. */
const isBroken = (text: string): boolean => text.includes("\uFFFD") || !text.isWellFormed();

/** The text of a float32 stands for another number where it is read as a float64, so each stands for both here. */
function widened(text: string, side: -1 | 1): string {
  const value = text.trim() === "" ? NaN : Number(text);
  if (Number.isNaN(value)) return text;
  const narrow = Math.fround(value);
  return String(side === -1 ? Math.min(value, narrow) : Math.max(value, narrow));
}
