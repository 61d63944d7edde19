// Functions of numbers.

import { unsupported } from "../../refusal.ts";
import { BOOLEAN, decimal, DOUBLE, isInteger, isNumeric, nameOf } from "../../trino-types.ts";
import { calculated } from "../arithmetic.ts";
import { castTo, coerce, mismatch, type Typed } from "../typed.ts";
import { wholeOf, type Function } from "./function.ts";

const rounded = (name: "floor" | "ceil"): Function => ({
  counts: [1],
  make: ({ args: [of], at }) => {
    const { type, sql } = of!;
    if (isInteger(type)) return { sql, type, at };
    if (type.kind === "double") return { sql: `${name}(${sql})`, type, at };
    if (type.kind !== "decimal") throw mismatch(`${name} is of numbers: actual type ${nameOf(type)}`, at);
    const into = decimal(Math.min(38, type.precision - type.scale + Math.min(type.scale, 1)), 0);
    return { sql: castTo(`${name}(${sql})`, into), type: into, at };
  },
});

/** Trino moves the point by one product, rounds, and moves it back by one division, unless the product is infinite. */
function roundedTo(sql: string, digits: number, at: number): string {
  if (digits < 0 || digits > 15) throw unsupported(`round of double to ${digits} digits`, at);
  const factor = castTo(`1${"0".repeat(digits)}`, DOUBLE);
  const moved = `(${sql} * ${factor})`;
  return `(CASE WHEN isnan(${sql}) OR isinf(${moved}) THEN ${sql} ELSE round(${moved}) / ${factor} END)`;
}

const round: Function = {
  counts: [1, 2],
  make: ({ args: [of, digits], at }) => {
    const { type, sql } = of!;
    if (isInteger(type) && !digits) return { sql, type, at };
    if (type.kind === "double" && !digits) return { sql: `round(${sql})`, type, at };
    if (type.kind === "double") return { sql: roundedTo(sql, wholeOf(digits!, "A number of digits"), at), type, at };
    if (type.kind !== "decimal") throw unsupported(`round of ${nameOf(type)}${digits ? " to digits" : ""}`, at);
    if (!digits) {
      const into = decimal(Math.max(1, Math.min(38, type.precision - type.scale + Math.min(type.scale, 1))), 0);
      return { sql: castTo(sql, into), type: into, at };
    }
    const count = wholeOf(digits, "A number of digits");
    const into = decimal(Math.min(38, type.precision + 1), type.scale);
    if (count < 0) throw unsupported("round to digits before the point", at);
    if (count >= type.scale) return { sql: castTo(sql, into), type: into, at };
    return { sql: castTo(castTo(sql, decimal(Math.min(38, type.precision + 1), count)), into), type: into, at };
  },
};

/** A function of one double. */
const ofDouble = (make: (x: string) => string): Function => ({
  counts: [1],
  make: ({ args: [of], at }) => ({ sql: make(doubleOf(of!)), type: DOUBLE, at }),
});

function doubleOf(of: Typed): string {
  if (!isNumeric(of.type) && of.type.kind !== "unknown") throw mismatch(`${nameOf(of.type)} is no number.`, of.at);
  return coerce(of, DOUBLE);
}

const NAN = castTo("'NaN'", DOUBLE);

/** DuckDB fails for zero and below it. */
const logarithm = (name: string): Function =>
  ofDouble(
    (x) =>
      `(CASE WHEN isnan(${x}) OR ${x} < 0 THEN ${NAN} WHEN ${x} = 0 THEN ${castTo("'-Infinity'", DOUBLE)} ELSE ${name}(${x}) END)`,
  );

/** One is one to any power in C; in Java not to that of NaN, nor to an infinite one. */
const power: Function = {
  counts: [2],
  make: ({ args: [base, exponent], at }) => {
    const [x, y] = [doubleOf(base!), doubleOf(exponent!)];
    const sql = `(CASE WHEN isnan(${y}) OR (abs(${x}) = 1 AND isinf(${y})) THEN ${NAN} ELSE power(${x}, ${y}) END)`;
    return { sql, type: DOUBLE, at };
  },
};

const sign: Function = {
  counts: [1],
  make: ({ args: [of], at }) => {
    const { type, sql } = of!;
    if (isInteger(type)) return { sql: castTo(`sign(${sql})`, type), type, at };
    if (type.kind === "decimal") return { sql: castTo(`sign(${sql})`, decimal(1, 0)), type: decimal(1, 0), at };
    if (type.kind !== "double") throw unsupported(`sign of ${nameOf(type)}`, at);
    return { sql: `(CASE WHEN isnan(${sql}) THEN ${sql} ELSE ${castTo(`sign(${sql})`, DOUBLE)} END)`, type, at };
  },
};

export const NUMBER_FUNCTIONS: Record<string, Function> = {
  abs: {
    counts: [1],
    make: ({ args: [of], at }) => {
      if (!isInteger(of!.type) && of!.type.kind !== "decimal" && of!.type.kind !== "double")
        throw mismatch(`abs is of numbers: actual type ${nameOf(of!.type)}`, at);
      return { sql: `abs(${of!.sql})`, type: of!.type, at };
    },
  },
  mod: { counts: [2], make: ({ args: [one, other], at }) => calculated(one!, "%", other!, at) },
  sqrt: {
    counts: [1],
    make: ({ args: [of], at }) => ({
      sql: `(CASE WHEN ${coerce(of!, DOUBLE)} < 0 THEN CAST('NaN' AS DOUBLE) ELSE sqrt(${coerce(of!, DOUBLE)}) END)`,
      type: DOUBLE,
      at,
    }),
  },
  is_nan: { counts: [1], make: ({ args: [of], at }) => ({ sql: `isnan(${coerce(of!, DOUBLE)})`, type: BOOLEAN, at }) },
  floor: rounded("floor"),
  ceil: rounded("ceil"),
  ceiling: rounded("ceil"),
  round,
  ln: logarithm("ln"),
  log10: logarithm("log10"),
  exp: ofDouble((x) => `exp(${x})`),
  power,
  pow: power,
  sign,
  truncate: {
    counts: [1],
    make: ({ args: [of], at }) => {
      if (of!.type.kind !== "double") throw unsupported(`truncate of ${nameOf(of!.type)}`, at);
      return { sql: `trunc(${of!.sql})`, type: DOUBLE, at };
    },
  },
  pi: { counts: [0], make: ({ at }) => ({ sql: "pi()", type: DOUBLE, at }) },
  infinity: { counts: [0], make: ({ at }) => ({ sql: castTo("'Infinity'", DOUBLE), type: DOUBLE, at }) },
  nan: { counts: [0], make: ({ at }) => ({ sql: NAN, type: DOUBLE, at }) },
};
