// A place in a statement: what names mean there, and what all parts of the statement share.

import type { Expression, OrderItem, Query } from "../parse/tree.ts";
import type { FindTable, Scope } from "./scope.ts";
import { coerce, mismatch, type Typed } from "./typed.ts";
import { BOOLEAN, nameOf, type Type } from "../trino-types.ts";

export type Column = { name: string | undefined; type: Type };
export type Translated = { sql: string; columns: Column[] };
type Ctes = ReadonlyMap<string, { sql: string; columns: Column[] }>;

/** The constants of a statement: the clock and the session of its sender. */
export type Constants = { now: Date; timeZone: string; user: string; catalog: string; schema: string | undefined };

export type Place = { means: Means; scope: Scope; ctes: Ctes };

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

export function translateBoolean(of: Expression, place: Place): string {
  const typed = place.means.translateExpression(of, place);
  if (typed.type.kind !== "boolean" && typed.type.kind !== "unknown")
    throw mismatch(`This must evaluate to a boolean: actual type ${nameOf(typed.type)}`, of.at);
  return coerce(typed, BOOLEAN);
}

export const orderOf = ({ isDescending, areNullsFirst }: OrderItem, sql: string): string =>
  `${sql} ${isDescending ? "DESC" : "ASC"} NULLS ${areNullsFirst ? "FIRST" : "LAST"}`;
