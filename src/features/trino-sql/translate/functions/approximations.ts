// Aggregates that Trino approximates. The exact answer is within the error that it promises, and is the one given here.

import { REQUEST_LIMITS } from "../../../../http/request/limits.ts";
import { Refusal, tooLong, unsupported } from "../../refusal.ts";
import type { Expression } from "../../parse/tree.ts";
import { BIGINT, isFloating, isInteger, isNumeric, nameOf, simple, type Type } from "../../trino-types.ts";
import type { Place } from "../place.ts";
import { castTo, coerce, SHORT_DIGITS_MAX, unscaled, type Typed } from "../typed.ts";
import { requireComparable } from "../values/comparable.ts";
import type { Around, Call } from "./function.ts";

type Approximation = { counts: readonly number[]; make: (call: Call, around: Around, place: Place) => Typed };

/** A standard error may be wanted between these. */
const [ERROR_MIN, ERROR_MAX] = [0.0040625, 0.26];

const distinct: Approximation = {
  counts: [1, 2],
  make: ({ args, at, over }, around, place) => {
    if (over) throw unsupported("approx_distinct of a window", at);
    const [of, error] = args.map((each) => place.means.translateExpression(each, place)) as [Typed, Typed | undefined];
    requireComparable(of.type, of.at);
    if (error) fractionOf(error, ERROR_MIN, ERROR_MAX);
    return { sql: around("count", `DISTINCT ${of.sql}`), type: BIGINT, at };
  },
};

/** A percentile is the value at place `floor(p * n)` of `n` values in their order, counted from zero, or the last. */
const percentile: Approximation = {
  counts: [2],
  make: ({ args, at }, around, place) => {
    const [first, second] = args as [Expression, Expression];
    const of = place.means.translateExpression(first, place);
    const type = percentileType(of);
    const value = of.type.kind === "decimal" ? realOf(of.sql, of.type.scale) : castTo(coerce(of, type), type);
    const one = (p: Expression): string => {
      const fraction = fractionOf(place.means.translateExpression(p, place), 0, 1);
      // Below zero it is counted from the greatest down, so that of two in the middle the upper one is taken, as there.
      return around("quantile_disc", `${value}, ${Number(fraction) === 1 ? 1 : `-(1 - ${fraction})`}`);
    };
    if (second.kind === "array" && second.of.length * value.length > REQUEST_LIMITS.sqlCharactersMax) throw tooLong(at);
    if (second.kind !== "array") return { sql: ofFinite(one(second), value, type, around), type, at };
    const list = `(CASE WHEN ${around("count", value)} > 0 THEN [${second.of.map(one).join(", ")}] END)`;
    return { sql: ofFinite(list, value, type, around), type: { kind: "array", of: type }, at };
  },
};

/** Integers are taken for the widest of them, and decimals for the narrower of floating numbers. */
function percentileType({ type, at }: Typed): Type {
  if (isInteger(type)) return BIGINT;
  if (isFloating(type)) return type;
  if (type.kind !== "decimal" || type.precision > SHORT_DIGITS_MAX)
    throw unsupported(`approx_percentile of ${nameOf(type)}`, at);
  return simple("real");
}

/** Trino rounds the digits of a decimal, and then their quotient. A HUGEINT would be rounded to a DOUBLE before. */
const realOf = (sql: string, scale: number): string =>
  `(CAST(CAST(${unscaled(sql, scale)} AS BIGINT) AS FLOAT) / CAST(${10 ** scale} AS FLOAT))`;

const ofFinite = (sql: string, value: string, type: Type, around: Around): string =>
  isFloating(type)
    ? `(CASE WHEN ${around("bool_or", `NOT isfinite(${value})`)} THEN error('A value that is not finite is in no percentile.') ELSE ${sql} END)`
    : sql;

/** A number that the statement has in its words, between two others. */
function fractionOf({ constant, type, at }: Typed, min: number, max: number): string {
  if (constant === undefined || !isNumeric(type)) throw unsupported("A fraction that is no number in its words", at);
  const value = Number(constant);
  if (!(value >= min && value <= max))
    throw new Refusal("GENERIC_USER_ERROR", `This must be in [${min}, ${max}]: ${constant}`, at);
  return constant;
}

const APPROXIMATIONS: Record<string, Approximation> = { approx_distinct: distinct, approx_percentile: percentile };

export const APPROXIMATION_NAMES: readonly string[] = Object.keys(APPROXIMATIONS);

export function translateApproximation(call: Call, around: Around, place: Place): Typed {
  const { name, at, args, isStar, isDistinct, order } = call;
  const { counts, make } = APPROXIMATIONS[name]!;
  if (isStar || isDistinct || order.length > 0 || !counts.includes(args.length))
    throw unsupported(`This form of ${name}`, at);
  return make(call, around, place);
}
