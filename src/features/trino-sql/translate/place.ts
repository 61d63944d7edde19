// A place in a statement: what names mean there, and what all parts of the statement share.

import type { Expression, OrderItem, Query } from "../parse/tree.ts";
import type { FindTable, NameScope, ScopedRelation } from "./scope.ts";
import { unsupported } from "../refusal.ts";
import { coerce, mismatch, type Typed } from "./typed.ts";
import { isOrdered } from "./values/comparable.ts";
import { BOOLEAN, isFloating, nameOf, type Type } from "../trino-types.ts";

/** `isAliased`: its name is one that the statement gives it. */
export type Column = { name: string | undefined; type: Type; isAliased?: boolean };
export type Translated = { sql: string; columns: Column[] };
type Ctes = ReadonlyMap<string, { sql: string; columns: Column[] }>;

/** The constants of a statement: the clock and the session of its sender. */
export type Constants = { now: Date; timeZone: string; user: string; catalog: string; schema: string | undefined };

/** `beside`: the relations before one in its FROM, which only the arrays of an UNNEST may name. */
export type Place = { means: Means; scope: NameScope; ctes: Ctes; beside?: readonly ScopedRelation[] };

/** `parameters` are the values of a statement's parameters; without them it is only described. */
export type Means = {
  findTable: FindTable;
  constants: Constants;
  parameters: readonly Expression[] | undefined;
  nextRelation: () => string;
  /** Queries and expressions are in one another. */
  translateExpression: (of: Expression, place: Place) => Typed;
  translateQuery: (of: Query, place: Place) => Translated;
};

export const timeZoneOf = ({ means }: Place): string => means.constants.timeZone;

export function translateBoolean(of: Expression, place: Place): string {
  const typed = place.means.translateExpression(of, place);
  if (typed.type.kind !== "boolean" && typed.type.kind !== "unknown")
    throw mismatch(`This must evaluate to a boolean: actual type ${nameOf(typed.type)}`, of.at);
  return coerce(typed, BOOLEAN);
}

/**
 * NaN is above all numbers, as DuckDB has it; but where NULLs are first, Trino puts it below them. `sql` may be the
 * number of a column, of which `value` is the expression.
 */
export function orderOf(
  { isDescending, areNullsFirst, of }: OrderItem,
  { sql, type, value }: { sql: string; type: Type; value: string | undefined },
): string {
  if (!isOrdered(type)) throw unsupported(`An order of ${nameOf(type)}`, of.at);
  const [direction, nulls] = [isDescending ? "DESC" : "ASC", areNullsFirst ? "FIRST" : "LAST"];
  const plain = `${sql} ${direction} NULLS ${nulls}`;
  if (!areNullsFirst || !isFloating(type)) return plain;
  if (value === undefined) throw unsupported(`This order of ${nameOf(type)} with NULLS FIRST`, of.at);
  return `isnan(${value}) ${isDescending ? "ASC" : "DESC"} NULLS FIRST, ${plain}`;
}
