// Aggregates and the functions of windows that are proven to have the same values in DuckDB.

import { Refusal, unsupported } from "../refusal.ts";
import { orderOf, translateBoolean, type Place } from "./place.ts";
import type { Expression } from "../parse/tree.ts";
import { castTo, coerce, mismatch, quotient, type Typed } from "./typed.ts";
import { BIGINT, BOOLEAN, decimal, DECIMAL_DIGITS_MAX, DOUBLE, isInteger, nameOf, type Type } from "../trino-types.ts";

type Call = Extract<Expression, { kind: "call" }>;

/** Makes a call of a DuckDB aggregate, with all that stands around its values. */
type Around = (name: string, values: string) => string;
type Aggregate = (of: Typed, around: Around, at: number) => Omit<Typed, "at">;

export const AGGREGATES: Record<string, Aggregate> = {
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
};

/** Functions of windows alone; `value` says whether they are of a value. */
export const RANKINGS: Record<string, { isOfValue: boolean }> = {
  row_number: { isOfValue: false },
  rank: { isOfValue: false },
  dense_rank: { isOfValue: false },
  first_value: { isOfValue: true },
  last_value: { isOfValue: true },
  lag: { isOfValue: true },
  lead: { isOfValue: true },
};

export function translateAggregate(call: Call, place: Place): Typed {
  const { name, at, isStar, isDistinct, args } = call;
  const around = aroundOf(call, place);
  const ranking = Object.hasOwn(RANKINGS, name) ? RANKINGS[name] : undefined;
  if (ranking) return ranked(call, { place, around, isOfValue: ranking.isOfValue });
  const isCountOfRows = name === "count" && (isStar || args.length === 0);
  if (isCountOfRows && !isDistinct) return { sql: around("count", "*"), type: BIGINT, at };
  if (isStar || args.length !== 1)
    throw new Refusal("FUNCTION_NOT_FOUND", `Unexpected parameters for function ${name}.`, at);
  return { ...AGGREGATES[name]!(place.means.translateExpression(args[0]!, place), around, at), at };
}

function ranked(call: Call, { place, around, isOfValue }: { place: Place; around: Around; isOfValue: boolean }): Typed {
  const { name, at, args, isStar, isDistinct, filter } = call;
  if (isStar || isDistinct || filter || args.length !== (isOfValue ? 1 : 0))
    throw unsupported(`This form of ${name}`, at);
  if (!isOfValue) return { sql: castTo(around(name, ""), BIGINT), type: BIGINT, at };
  const { sql, type } = place.means.translateExpression(args[0]!, place);
  return { sql: around(name, sql), type, at };
}

function aroundOf({ isDistinct, filter, over }: Call, place: Place): Around {
  const condition = filter ? ` FILTER (WHERE ${translateBoolean(filter, place)})` : "";
  const window = over ? ` OVER (${windowOf(over, place)})` : "";
  return (name, values) => `${name}(${isDistinct ? "DISTINCT " : ""}${values})${condition}${window}`;
}

function windowOf({ partition, order }: NonNullable<Call["over"]>, place: Place): string {
  const by = partition.map((each) => place.means.translateExpression(each, place).sql).join(", ");
  const in_ = order.map((item) => orderOf(item, place.means.translateExpression(item.of, place).sql)).join(", ");
  return [by && `PARTITION BY ${by}`, in_ && `ORDER BY ${in_}`].filter(Boolean).join(" ");
}

function booleanOf(of: Typed, at: number): string {
  if (of.type.kind !== "boolean") throw mismatch(`This is of booleans: actual type ${nameOf(of.type)}`, at);
  return coerce(of, BOOLEAN);
}

const UNORDERED: readonly Type["kind"][] = ["array", "row", "uuid", "unknown"];

function orderable({ sql, type }: Typed, at: number): string {
  if (UNORDERED.includes(type.kind)) throw unsupported(`An order of ${nameOf(type)}`, at);
  return sql;
}
