// Comparisons. DuckDB holds NaN equal to itself and above all numbers; in Trino it is neither.

import type { Expression } from "../parse/tree.ts";
import { coerce, fits, mismatch, type Typed } from "./typed.ts";
import { isCompared, isOrdered } from "./values/comparable.ts";
import { commonType, isFloating, nameOf, type Type } from "../trino-types.ts";

export type Sign = Extract<Expression, { kind: "comparison" }>["sign"];

/** Both sides as one type: a number of the statement's own as the other's, where it is exactly one of these. */
export function alike(left: Typed, right: Typed, at: number): { left: string; right: string; type: Type } {
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (one.constant === undefined || other.constant !== undefined || !fits(one.constant, other.type)) continue;
    const type = other.type;
    return { left: coerce(left, type), right: coerce(right, type), type };
  }
  // Moments are compared whatever zones they are shown in.
  if (left.type.kind === "timestamptz" && right.type.kind === "timestamptz")
    return { left: left.sql, right: right.sql, type: left.type };
  const type = commonType(left.type, right.type);
  if (!type) throw mismatch(`Cannot compare ${nameOf(left.type)} with ${nameOf(right.type)}.`, at);
  return { left: coerce(left, type), right: coerce(right, type), type };
}

export function compare(one: Typed, sign: Sign, other: Typed, at: number): string {
  const { left, right, type } = alike(one, other, at);
  if (!isCompared(type)) throw mismatch(`Values of ${nameOf(type)} are not compared here.`, at);
  if ((!isOrdered(type) || type.kind === "boolean") && sign !== "=" && sign !== "<>")
    throw mismatch(`Values of ${nameOf(type)} are not put in an order here.`, at);
  const plain = `(${left} ${sign} ${right})`;
  if (!isFloating(type)) return plain;
  const open = [[one, left] as const, [other, right] as const].filter(([typed]) => typed.constant === undefined);
  const nan = open.map(([, sql]) => `isnan(${sql})`);
  if (nan.length === 0) return plain;
  if (nan.length === 2) {
    const met = sign === "<>" ? "true" : "false";
    return `(CASE WHEN ${left} IS NULL OR ${right} IS NULL THEN NULL WHEN ${nan.join(" OR ")} THEN ${met} ELSE ${plain} END)`;
  }
  // A number is never NaN: only above it, or equal to itself, would DuckDB put one.
  return sign === "<>" ? plain : `(${plain} AND NOT ${nan[0]})`;
}
