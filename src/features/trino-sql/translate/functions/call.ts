// Functions that are proven to have the same values in DuckDB. Any other is refused by its name.

import { AGGREGATE_NAMES, isAggregate, translateAggregate } from "./aggregates.ts";
import { BINARY_FUNCTIONS } from "./binary-functions.ts";
import { DATE_FUNCTIONS } from "./dates/date-functions.ts";
import type { Call, Function } from "./function.ts";
import { joined } from "../arithmetic.ts";
import { cast } from "../casts.ts";
import { JSON_FUNCTIONS } from "./json-functions.ts";
import { ARRAY_FUNCTIONS } from "./nested/arrays.ts";
import { MAP_FUNCTIONS } from "./nested/maps.ts";
import { row } from "./nested/rows.ts";
import { NUMBER_FUNCTIONS } from "./number-functions.ts";
import { PARSED_DATES } from "./dates/parsed-dates.ts";
import { RANKING_NAMES } from "./rankings.ts";
import { REGEXP_FUNCTIONS } from "./regexp-functions.ts";
import { TEXT_FUNCTIONS } from "./text-functions.ts";
import { UNIX_TIME } from "./dates/unix-time.ts";
import { Refusal, unsupported } from "../../refusal.ts";
import { compare } from "../comparison.ts";
import { timeZoneOf, translateBoolean, type Place } from "../place.ts";
import { castTo, coerce, commonOfAll, textLiteral, type Typed } from "../typed.ts";
import { DATE, nameOf, VARCHAR } from "../../trino-types.ts";

export function translateCall(call: Call, place: Place): Typed {
  const { name, at } = call;
  if (isAggregate(call)) return translateAggregate(call, place);
  const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (!known) throw new Refusal("FUNCTION_NOT_FOUND", `Function '${name}' is not supported here.`, at);
  if (call.isStar || call.isDistinct || call.filter || call.over || call.order.length > 0)
    throw new Refusal("SYNTAX_ERROR", `Function '${name}' is no aggregate.`, at);
  if (!known.counts.includes(call.args.length))
    throw new Refusal("FUNCTION_NOT_FOUND", `Unexpected number of parameters for function ${name}.`, at);
  const args = call.args.map((each) => place.means.translateExpression(each, place));
  return known.make({ args, at, place, call });
}

export const isTranslated = (call: Call): boolean => Object.hasOwn(FUNCTIONS, call.name) || isAggregate(call);

/** Each function that is translated, and whether it is one of a row, of rows, or of a window. */
export const functionNames = (): { name: string; kind: "scalar" | "aggregate" | "window" }[] => [
  ...Object.keys(FUNCTIONS).map((name) => ({ name, kind: "scalar" as const })),
  ...AGGREGATE_NAMES.map((name) => ({ name, kind: "aggregate" as const })),
  ...RANKING_NAMES.map((name) => ({ name, kind: "window" as const })),
];

const constant = (valueOf: (constants: Place["means"]["constants"]) => string | undefined): Function => ({
  counts: [0],
  make: ({ at, place }) => {
    const text = valueOf(place.means.constants);
    if (text === undefined) return { sql: castTo("NULL", VARCHAR), type: VARCHAR, at };
    return { sql: textLiteral(text), type: VARCHAR, at, constant: text };
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
  row,
  ...ARRAY_FUNCTIONS,
  ...MAP_FUNCTIONS,
  greatest: extreme(">"),
  least: extreme("<"),
  ...TEXT_FUNCTIONS,
  ...BINARY_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  date: { counts: [1], make: ({ args: [of], at }) => cast(of!, DATE, at) },
  ...DATE_FUNCTIONS,
  ...PARSED_DATES,
  ...UNIX_TIME,
  ...REGEXP_FUNCTIONS,
  ...JSON_FUNCTIONS,
  current_timezone: {
    counts: [0],
    make: ({ at, place }) => ({ sql: textLiteral(timeZoneOf(place)), type: VARCHAR, at }),
  },
  current_user: constant(({ user }) => user),
  current_catalog: constant(({ catalog }) => catalog),
  current_schema: constant(({ schema }) => schema),
  version: constant(() => "476"),
  typeof: {
    counts: [1],
    make: ({ args: [of], at }) => ({ sql: textLiteral(nameOf(of!.type, true)), type: VARCHAR, at }),
  },
};
