// Arrays: their elements by number, which are counted from 1, and their lengths.

import { unsupported } from "../../../refusal.ts";
import { BIGINT, DATE, isInteger, nameOf, type Type } from "../../../trino-types.ts";
import { castTo, mismatch, type Typed } from "../../typed.ts";
import type { Function } from "../function.ts";
import { entryOf, valueAt } from "./maps.ts";

type OfArray = Typed & { type: Extract<Type, { kind: "array" }> };

const isOfArray = (of: Typed): of is OfArray => of.type.kind === "array";

/** `a[i]`, which fails where there is no such element, or `m[k]`. */
export function subscript(of: Typed, index: Typed, at: number): Typed {
  if (of.type.kind === "map") return entryOf(of, index, at);
  if (!isOfArray(of)) throw mismatch(`Cannot apply operator: ${nameOf(of.type)}[${nameOf(index.type)}]`, at);
  const sql =
    "CASE WHEN p.a IS NULL OR p.i IS NULL THEN NULL WHEN p.i BETWEEN 1 AND len(p.a) THEN p.a[p.i] " +
    "ELSE error('An array has no element of this number.') END";
  return { sql: over(of, index, sql), type: of.type.of, at };
}

/** NULL where there is no such element; from the end, below zero. */
const elementAt: Function = {
  counts: [2],
  make: ({ args: [of, index], at }) => {
    if (of!.type.kind === "map") return valueAt(of!, index!, at);
    if (!isOfArray(of!)) throw mismatch(`element_at is of arrays and maps: actual type ${nameOf(of!.type)}`, at);
    const sql =
      "CASE WHEN p.a IS NULL THEN NULL WHEN p.i = 0 THEN error('Elements are counted from 1.') ELSE p.a[p.i] END";
    return { sql: over(of, index!, sql), type: of.type.of, at };
  },
};

/** An expression of `p.a`, the array, and `p.i`, the number. */
function over(of: OfArray, index: Typed, sql: string): string {
  if (!isInteger(index.type) && index.type.kind !== "unknown")
    throw mismatch(`An element's number is an integer: ${nameOf(index.type)}`, index.at);
  return `list_transform([{'a': ${of.sql}, 'i': ${castTo(index.sql, BIGINT)}}], lambda p: ${sql})[1]`;
}

const cardinality: Function = {
  counts: [1],
  make: ({ args: [of], at }) => {
    const { type, sql } = of!;
    if (type.kind !== "array" && type.kind !== "map") throw unsupported(`cardinality of ${nameOf(type)}`, at);
    const length = type.kind === "array" ? `len(${sql})` : `cardinality(${sql})`;
    return { sql: castTo(length, BIGINT), type: BIGINT, at };
  },
};

const SEQUENCE_MAX = 10_000;

/** Whole numbers from one to another, or days: by one where nothing else is said, down where the last is the less. */
const sequence: Function = {
  counts: [2, 3],
  make: ({ args: [from, to, step], at }) => {
    const isOfDays = from!.type.kind === "date" && to!.type.kind === "date" && !step;
    if (!isOfDays && [from!, to!, step].some((each) => each && !isInteger(each.type)))
      throw unsupported("A sequence of anything but whole numbers, or of days one by one,", at);
    const [first, last] = [from!, to!].map(({ sql }) =>
      isOfDays ? `(${sql} - DATE '1970-01-01')` : castTo(sql, BIGINT),
    );
    const numbers =
      "CASE WHEN p.f IS NULL OR p.l IS NULL OR p.s IS NULL THEN NULL " +
      "WHEN p.s = 0 OR (p.l - p.f) * sign(p.s) < 0 THEN error('The steps of a sequence do not lead to its end.') " +
      `WHEN abs((CAST(p.l AS HUGEINT) - p.f) // p.s) >= ${SEQUENCE_MAX} ` +
      `THEN error('A sequence has at most ${SEQUENCE_MAX} entries.') ELSE generate_series(p.f, p.l, p.s) END`;
    const stepped = step ? castTo(step.sql, BIGINT) : `CASE WHEN ${last} < ${first} THEN -1 ELSE 1 END`;
    const list = `list_transform([{'f': ${first}, 'l': ${last}, 's': CAST(${stepped} AS BIGINT)}], lambda p: ${numbers})[1]`;
    const sql = isOfDays
      ? `list_transform(${list}, lambda d: CAST(DATE '1970-01-01' + to_days(CAST(d AS INTEGER)) AS DATE))`
      : list;
    return { sql, type: { kind: "array", of: isOfDays ? DATE : BIGINT }, at };
  },
};

export const ARRAY_FUNCTIONS: Record<string, Function> = { element_at: elementAt, cardinality, sequence };
