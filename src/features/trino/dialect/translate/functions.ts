// Functions that are proven to have the same values in DuckDB. Any other is refused by its name.

import { AGGREGATES, RANKINGS, translateAggregate } from "./aggregates.ts";
import { DATE_FUNCTIONS } from "./date-functions.ts";
import { wholeOf, type Call, type Function } from "./function.ts";
import { calculated, joined } from "./arithmetic.ts";
import { cast } from "./casts.ts";
import { lowerOf, upperOf } from "./letter-case.ts";
import { Refusal, unsupported } from "../refusal.ts";
import { compare } from "./comparison.ts";
import { translateBoolean, type Place } from "./place.ts";
import { castTo, coerce, commonOfAll, mismatch, textLiteral, type Typed } from "./typed.ts";
import { BIGINT, BOOLEAN, DATE, decimal, DOUBLE, isInteger, nameOf, VARCHAR, type Type } from "../trino-types.ts";

export function translateCall(call: Call, place: Place): Typed {
  const { name, at } = call;
  if (Object.hasOwn(AGGREGATES, name) || (Object.hasOwn(RANKINGS, name) && call.over))
    return translateAggregate(call, place);
  const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (!known) throw new Refusal("FUNCTION_NOT_FOUND", `Function '${name}' is not supported here.`, at);
  if (call.isStar || call.isDistinct || call.filter || call.over)
    throw new Refusal("SYNTAX_ERROR", `Function '${name}' is no aggregate.`, at);
  if (!known.counts.includes(call.args.length))
    throw new Refusal("FUNCTION_NOT_FOUND", `Unexpected number of parameters for function ${name}.`, at);
  const args = call.args.map((each) => place.means.translateExpression(each, place));
  return known.make({ args, at, place, call });
}

function textOf(typed: Typed | undefined, name: string): string {
  const { type, at } = typed!;
  if (type.kind !== "varchar" && type.kind !== "unknown")
    throw mismatch(`${name} is of texts: actual type ${nameOf(type)}`, at);
  return coerce(typed!, VARCHAR);
}

/** Functions of texts alone, by what they are called in DuckDB. */
const ofTexts = (name: string, count: number, type: Type): Function => ({
  counts: [count],
  make: ({ args, at }) => ({ sql: `${name}(${args.map((each) => textOf(each, name)).join(", ")})`, type, at }),
});

const inCase = (make: (sql: string) => string): Function => ({
  counts: [1],
  make: ({ args: [of], at }) => ({
    sql: make(textOf(of, "upper and lower")),
    type: of!.type.kind === "unknown" ? VARCHAR : of!.type,
    at,
  }),
});

const constant = (valueOf: (constants: Place["means"]["constants"]) => string | undefined): Function => ({
  counts: [0],
  make: ({ at, place }) => {
    const text = valueOf(place.means.constants);
    if (text === undefined) return { sql: castTo("NULL", VARCHAR), type: VARCHAR, at };
    return { sql: textLiteral(text), type: { kind: "varchar", length: [...text].length }, at, constant: text };
  },
});

/** NULL where one of the values is. */
const extreme = (sign: "<" | ">"): Function => ({
  counts: [2, 3, 4, 5, 6, 7, 8],
  make: ({ args, at }) => {
    const type = commonOfAll(args, at);
    if (type.kind === "double" || type.kind === "real")
      throw unsupported(`The ${sign === "<" ? "least" : "greatest"} of ${nameOf(type)}`, at);
    const values = args.map((each) => ({ ...each, sql: coerce(each, type), type }));
    values.forEach((each) => compare(each, sign, each, at));
    const list = values.map(({ sql }) => sql);
    const none = list.map((sql) => `${sql} IS NULL`).join(" OR ");
    return {
      sql: `(CASE WHEN ${none} THEN NULL ELSE ${sign === "<" ? "least" : "greatest"}(${list.join(", ")}) END)`,
      type,
      at,
    };
  },
});

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

const round: Function = {
  counts: [1, 2],
  make: ({ args: [of, digits], at }) => {
    const { type, sql } = of!;
    if (isInteger(type) && !digits) return { sql, type, at };
    if (type.kind === "double" && !digits) return { sql: `round(${sql})`, type, at };
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

/** Trino counts from 1, or from the end; 0 is no place in a text. */
const substring: Function = {
  counts: [2, 3],
  make: ({ args: [of, start, length], at }) => {
    const text = textOf(of, "substring");
    const from = wholeOf(start!, "A start");
    const count = length && wholeOf(length, "A length");
    if (from < 1 || (count !== undefined && count < 0)) throw unsupported("A start before the first character", at);
    return { sql: `substring(${text}, ${from}${count === undefined ? "" : `, ${count}`})`, type: VARCHAR, at };
  },
};

const replaced: Function = {
  counts: [2, 3],
  make: ({ args: [of, sought, by], at }) => {
    if (!sought!.constant) throw unsupported("replace of a text that is computed, or empty", at);
    const into = by ? textOf(by, "replace") : "''";
    return { sql: `replace(${textOf(of, "replace")}, ${textOf(sought, "replace")}, ${into})`, type: VARCHAR, at };
  },
};

const FUNCTIONS: Record<string, Function> = {
  coalesce: {
    counts: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    make: ({ args, at }) => {
      const type = commonOfAll(args, at);
      return { sql: `COALESCE(${args.map((each) => coerce(each, type)).join(", ")})`, type, at };
    },
  },
  nullif: {
    counts: [2],
    make: ({ args: [one, other], at }) => ({
      sql: `(CASE WHEN ${compare(one!, "=", other!, at)} THEN NULL ELSE ${one!.sql} END)`,
      type: one!.type,
      at,
    }),
  },
  if: {
    counts: [2, 3],
    make: ({ args: [, then, otherwise], call, place, at }) => {
      const results = otherwise ? [then!, otherwise] : [then!];
      const type = commonOfAll(results, at);
      const condition = translateBoolean(call.args[0]!, place);
      const rest = otherwise ? ` ELSE ${coerce(otherwise, type)}` : "";
      return { sql: `(CASE WHEN ${condition} THEN ${coerce(then!, type)}${rest} END)`, type, at };
    },
  },
  concat: {
    counts: [2, 3, 4, 5, 6, 7, 8],
    make: ({ args: [first, ...rest], at }) => rest.reduce((one, other) => joined(one, other, at), first!),
  },
  greatest: extreme(">"),
  least: extreme("<"),
  length: ofTexts("length", 1, BIGINT),
  strpos: ofTexts("strpos", 2, BIGINT),
  starts_with: ofTexts("starts_with", 2, BOOLEAN),
  upper: inCase(upperOf),
  lower: inCase(lowerOf),
  substr: substring,
  substring,
  replace: replaced,
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
  date: { counts: [1], make: ({ args: [of], at }) => cast(of!, DATE, at) },
  ...DATE_FUNCTIONS,
  current_timezone: constant(({ timeZone }) => timeZone),
  current_user: constant(({ user }) => user),
  current_catalog: constant(({ catalog }) => catalog),
  current_schema: constant(({ schema }) => schema),
  version: constant(() => "476"),
};
