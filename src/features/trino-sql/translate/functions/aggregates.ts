// Aggregates and the functions of windows that are proven to have the same values in DuckDB.

import { Refusal, unsupported } from "../../refusal.ts";
import { orderOf, translateBoolean, type Place } from "../place.ts";
import type { OrderItem, Window } from "../../parse/tree.ts";
import { APPROXIMATION_NAMES, translateApproximation } from "./approximations.ts";
import type { Around, Call } from "./function.ts";
import { isRanking, translateRanking } from "./rankings.ts";
import { castTo, coerce, mismatch, quotient, type Typed } from "../typed.ts";
import { isOrdered, requireComparable } from "../values/comparable.ts";
import { mapOf } from "../values/map-types.ts";
import {
  BIGINT,
  BOOLEAN,
  decimal,
  DECIMAL_DIGITS_MAX,
  DOUBLE,
  isFloating,
  isInteger,
  nameOf,
} from "../../trino-types.ts";

type Aggregate = (of: Typed, around: Around, at: number) => Omit<Typed, "at">;

const AGGREGATES: Record<string, Aggregate> = {
  count: ({ sql }, around) => ({ sql: around("count", sql), type: BIGINT }),
  count_if: (of, around, at) => ({ sql: castTo(around("count_if", booleanOf(of, at)), BIGINT), type: BIGINT }),
  bool_and: (of, around, at) => ({ sql: around("bool_and", booleanOf(of, at)), type: BOOLEAN }),
  every: (of, around, at) => ({ sql: around("bool_and", booleanOf(of, at)), type: BOOLEAN }),
  bool_or: (of, around, at) => ({ sql: around("bool_or", booleanOf(of, at)), type: BOOLEAN }),
  min: (of, around, at) => ({ sql: around("min", orderable(of, at)), type: of.type }),
  max: (of, around, at) => {
    const sql = orderable(of, at);
    if (of.type.kind !== "double" && of.type.kind !== "real") return { sql: around("max", sql), type: of.type };
    // Trino's greatest is NaN only where all are.
    const numbers = around("max", `CASE WHEN isnan(${sql}) THEN NULL ELSE ${sql} END`);
    return { sql: `COALESCE(${numbers}, ${around("max", sql)})`, type: of.type };
  },
  sum: (of, around, at) => {
    const { type, sql } = of;
    if (isInteger(type)) return { sql: castTo(around("sum", sql), BIGINT), type: BIGINT };
    if (type.kind === "double") return { sql: around("sum", sql), type };
    if (type.kind !== "decimal") throw unsupported(`sum of ${nameOf(type)}`, at);
    return { sql: around("sum", sql), type: decimal(DECIMAL_DIGITS_MAX, type.scale) };
  },
  avg: (of, around, at) => {
    const { type } = of;
    if (isInteger(type) || type.kind === "double") {
      const value = coerce(of, DOUBLE);
      return { sql: `(${around("sum", value)} / ${around("count", value)})`, type: DOUBLE };
    }
    if (type.kind !== "decimal") throw unsupported(`avg of ${nameOf(type)}`, at);
    const { precision, scale } = type;
    const [sum, count] = [around("sum", of.sql), around("count", of.sql)];
    const divided = quotient({ sql: sum, scale }, { sql: count, scale: 0 }, { precision, scale });
    return { sql: `(CASE WHEN ${count} = 0 THEN NULL ELSE ${divided} END)`, type };
  },
  ...{ any_value: ofAny, arbitrary: ofAny },
  ...{ stddev: spread("stddev_samp", 2), stddev_samp: spread("stddev_samp", 2), stddev_pop: spread("stddev_pop", 1) },
  ...{ variance: spread("var_samp", 2), var_samp: spread("var_samp", 2), var_pop: spread("var_pop", 1) },
};

function ofAny({ sql, type }: Typed, around: Around): Omit<Typed, "at"> {
  return { sql: around("any_value", sql), type };
}

/** DuckDB fails where a value is not finite; in Trino the result is NaN. */
function spread(name: string, countMin: number): Aggregate {
  return (of, around) => {
    const value = coerce(of, DOUBLE);
    const isOdd = `(isnan(${value}) OR isinf(${value}))`;
    const finite = around(name, `CASE WHEN ${isOdd} THEN NULL ELSE ${value} END`);
    const sql =
      `(CASE WHEN ${around("count", value)} < ${countMin} THEN NULL ` +
      `WHEN ${around("bool_or", isOdd)} THEN CAST('NaN' AS DOUBLE) ELSE ${finite} END)`;
    return { sql, type: DOUBLE };
  };
}

/** The value where another is least or greatest. */
const OF_TWO: Record<string, string> = { min_by: "arg_min_null", max_by: "arg_max_null" };

export const AGGREGATE_NAMES: readonly string[] = [
  ...Object.keys(AGGREGATES),
  ...Object.keys(OF_TWO),
  ...["array_agg", "map_agg"],
  ...APPROXIMATION_NAMES,
];

export const isAggregate = ({ name, over }: Call): boolean => AGGREGATE_NAMES.includes(name) || isRanking(name, over);

export function translateAggregate(call: Call, place: Place): Typed {
  const { name, at, isStar, isDistinct, args, over, filter, order } = call;
  const around = aroundOf(call, place);
  if (over && (isDistinct || filter)) throw unsupported("DISTINCT or FILTER of a window", at);
  if (isRanking(name, over)) return translateRanking(call, around, place);
  if (APPROXIMATION_NAMES.includes(name)) return translateApproximation(call, around, place);
  const isCountOfRows = name === "count" && (isStar || args.length === 0);
  if (isCountOfRows && !isDistinct) return { sql: around("count", "*"), type: BIGINT, at };
  if (isStar || args.length !== (Object.hasOwn(OF_TWO, name) || name === "map_agg" ? 2 : 1))
    throw new Refusal("FUNCTION_NOT_FOUND", `Unexpected parameters for function ${name}.`, at);
  const [of, by] = args.map((each) => place.means.translateExpression(each, place));
  if (name === "array_agg") {
    if (order.length === 0 || isDistinct || over) throw unsupported("array_agg without an order of its own", at);
    return { sql: around("list", `${of!.sql} ${ordered(order, place)}`), type: { kind: "array", of: of!.type }, at };
  }
  if (order.length > 0) throw unsupported(`An order within ${name}`, at);
  if (isDistinct) requireComparable(of!.type, at);
  if (name === "map_agg") {
    if (over || isDistinct) throw unsupported("map_agg with OVER or DISTINCT", at);
    const type = mapOf(of!.type, by!.type, at);
    return { sql: mapped(around("list", `{'k': ${of!.sql}, 'v': ${castTo(by!.sql, by!.type)}}`)), type, at };
  }
  if (!by) return { ...AGGREGATES[name]!(of!, around, at), at };
  if (isFloating(by.type) || over || isDistinct) throw unsupported(`${name} by ${nameOf(by.type)}`, at);
  return { sql: around(OF_TWO[name]!, `${of!.sql}, ${orderable(by, at)}`), type: of!.type, at };
}

/** A NULL among the keys is left out, and a key that is there twice fails; a map of nothing is NULL. */
const mapped = (entries: string): string =>
  `list_transform([list_filter(${entries}, lambda e: e.k IS NOT NULL)], ` +
  "lambda l: CASE WHEN len(l) > 0 THEN map_from_entries(l) END)[1]";

function aroundOf({ isDistinct, filter, over }: Call, place: Place): Around {
  const condition = filter ? ` FILTER (WHERE ${translateBoolean(filter, place)})` : "";
  const window = over ? ` OVER (${windowOf(over, place)})` : "";
  return (name, values) => `${name}(${isDistinct ? "DISTINCT " : ""}${values})${condition}${window}`;
}

function windowOf({ partition, order, frame = "" }: Window, place: Place): string {
  const by = partition
    .map((each) => {
      const { sql, type } = place.means.translateExpression(each, place);
      requireComparable(type, each.at);
      return sql;
    })
    .join(", ");
  return [by && `PARTITION BY ${by}`, ordered(order, place), frame].filter(Boolean).join(" ");
}

function ordered(order: readonly OrderItem[], place: Place): string {
  const items = order.map((item) => {
    const { sql, type } = place.means.translateExpression(item.of, place);
    return orderOf(item, { sql, type, value: sql });
  });
  return items.length > 0 ? `ORDER BY ${items.join(", ")}` : "";
}

function booleanOf(of: Typed, at: number): string {
  if (of.type.kind !== "boolean") throw mismatch(`This is of booleans: actual type ${nameOf(of.type)}`, at);
  return coerce(of, BOOLEAN);
}

function orderable({ sql, type }: Typed, at: number): string {
  if (!isOrdered(type) || type.kind === "unknown") throw unsupported(`An order of ${nameOf(type)}`, at);
  return sql;
}
