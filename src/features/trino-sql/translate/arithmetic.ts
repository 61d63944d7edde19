// Arithmetic as Trino does it: integers stay integers, decimals keep a scale, and a division by zero fails.

import { Refusal, unsupported } from "../refusal.ts";
import type { Expression } from "../parse/tree.ts";
import { moved, stepOf } from "./moved.ts";
import { castTo, coerce, mismatch, quotient, type Typed } from "./typed.ts";
import {
  asDecimal,
  commonType,
  decimal,
  DECIMAL_DIGITS_MAX,
  isFloating,
  isNumeric,
  nameOf,
  VARCHAR,
  type Type,
} from "../trino-types.ts";

/** With as many digits DuckDB's decimals have 128 bits. */
const LONG_DIGITS_MIN = 19;

type Arithmetic = Extract<Expression, { kind: "arithmetic" }>;
type Sign = Arithmetic["sign"];

export function arithmetic({ sign, left, right, at }: Arithmetic, translate: (of: Expression) => Typed): Typed {
  if (sign === "+" || sign === "-") {
    const before = sign === "+" ? stepOf(left, translate) : undefined;
    if (before) return moved(translate(right), before, 1, at);
    const behind = stepOf(right, translate);
    if (behind) return moved(translate(left), behind, sign === "+" ? 1 : -1, at);
  }
  const [one, other] = [translate(left), translate(right)];
  if (sign === "||") return joined(one, other, at);
  return calculated(one, sign, other, at);
}

export function joined(one: Typed, other: Typed, at: number): Typed {
  for (const { type } of [one, other]) {
    // Beside a NULL without a type Trino takes all for arrays.
    if (type.kind === "unknown") throw unsupported("A text joined to NULL", at);
    if (type.kind !== "varchar") throw mismatch(`Only texts are joined: actual type ${nameOf(type)}`, at);
  }
  return { sql: `(${one.sql} || ${other.sql})`, type: VARCHAR, at };
}

export function calculated(one: Typed, sign: Exclude<Sign, "||">, other: Typed, at: number): Typed {
  const type = commonType(one.type, other.type);
  if (!type || !isNumeric(type))
    throw mismatch(`Cannot apply operator: ${nameOf(one.type)} ${sign} ${nameOf(other.type)}`, at);
  if (type.kind === "real") throw unsupported("Arithmetic of real", at);
  if (type.kind === "decimal") return ofDecimals(one, sign, other, at);
  const [left, right] = [coerce(one, type), coerce(other, type)];
  if (isFloating(type) || (sign !== "/" && sign !== "%")) return { sql: `(${left} ${sign} ${right})`, type, at };
  const divided = `(${left} ${sign === "/" ? "//" : "%"} ${right})`;
  const isSafe = other.constant !== undefined && !/^0+$/.test(other.constant);
  return {
    sql: isSafe ? divided : `(CASE WHEN ${right} = 0 THEN error('Division by zero') ELSE ${divided} END)`,
    type,
    at,
  };
}

function ofDecimals(one: Typed, sign: Exclude<Sign, "||">, other: Typed, at: number): Typed {
  const [a, b] = [asDecimal(one.type)!, asDecimal(other.type)!];
  if (!a || !b) throw unsupported("Arithmetic of NULL and a decimal", at);
  const limited = (precision: number, scale: number): Type => decimal(Math.min(DECIMAL_DIGITS_MAX, precision), scale);
  if (sign === "+" || sign === "-") {
    const scale = Math.max(a.scale, b.scale);
    const type = limited(Math.max(a.precision - a.scale, b.precision - b.scale) + scale + 1, scale);
    return { sql: castTo(`${castTo(one.sql, type)} ${sign} ${castTo(other.sql, type)}`, type), type, at };
  }
  const [left, right] = [one, other].map((each, i) => castTo(each.sql, { kind: "decimal", ...[a, b][i]! })) as [
    string,
    string,
  ];
  if (sign === "*") {
    const scale = a.scale + b.scale;
    if (scale > DECIMAL_DIGITS_MAX)
      throw new Refusal("NOT_SUPPORTED", `DECIMAL scale must be in range [0, 38]: ${scale}`, at);
    const type = limited(a.precision + b.precision, scale);
    // DuckDB keeps the product of two short decimals short, unless one of them is not.
    const wide = castTo(one.sql, decimal(Math.max(a.precision, LONG_DIGITS_MIN), a.scale));
    return { sql: castTo(`${a.precision + b.precision < LONG_DIGITS_MIN ? left : wide} * ${right}`, type), type, at };
  }
  if (sign === "%") throw unsupported("The remainder of decimals", at);
  const scale = Math.max(a.scale, b.scale);
  const precision = Math.min(DECIMAL_DIGITS_MAX, a.precision + b.scale + Math.max(b.scale - a.scale, 0));
  const sql = quotient({ sql: left, scale: a.scale }, { sql: right, scale: b.scale }, { precision, scale });
  return { sql: `(${sql})`, type: decimal(precision, scale), at };
}

export function positive(of: Typed, at: number): Typed {
  if (!isNumeric(of.type)) throw mismatch(`Cannot take ${nameOf(of.type)} for a number`, at);
  return { ...of, at };
}

export function negative(of: Typed, at: number): Typed {
  if (!isNumeric(of.type)) throw mismatch(`Cannot negate ${nameOf(of.type)}`, at);
  const constant = of.constant === undefined || of.constant.startsWith("-") ? undefined : `-${of.constant}`;
  return { sql: `(-${of.sql})`, type: of.type, at, ...(constant !== undefined && { constant }) };
}
