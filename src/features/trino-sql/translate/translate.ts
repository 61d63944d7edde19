// A query of Trino's in DuckDB's SQL, with the columns that it has in Trino.

import type { Expression, Query } from "../parse/tree.ts";
import { translateExpression } from "./expression.ts";
import type { Constants, Place, Translated } from "./place.ts";
import { translateQuery } from "./query.ts";
import type { FindTable } from "./scope.ts";

export type Statement = { findTable: FindTable; constants: Constants; parameters: readonly Expression[] | undefined };

/** Throws a {@link Refusal} for what is not proven to mean the same. */
export const translate = (query: Query, statement: Statement): Translated => translateQuery(query, placeOf(statement));

/** The place of a statement's outermost query. */
export function placeOf(statement: Statement): Place {
  let relations = 0;
  const nextRelation = () => `r${relations++}`;
  const means = { ...statement, nextRelation, translateExpression, translateQuery };
  return { means, scope: { relations: [] }, ctes: new Map() };
}
