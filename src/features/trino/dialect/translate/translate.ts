// A query of Trino's in DuckDB's SQL, with the columns that it has in Trino.

import type { Expression, Query } from "../parse/tree.ts";
import { translateExpression } from "./expression.ts";
import type { Constants, Translated } from "./place.ts";
import { translateQuery } from "./query.ts";
import type { FindTable } from "./scope.ts";

/** Throws a {@link Refusal} for what is not proven to mean the same. */
export function translate(
  query: Query,
  {
    findTable,
    constants,
    parameters,
  }: { findTable: FindTable; constants: Constants; parameters: readonly Expression[] | undefined },
): Translated {
  let relations = 0;
  const nextRelation = () => `r${relations++}`;
  const means = { findTable, constants, parameters, nextRelation, translateExpression, translateQuery };
  return translateQuery(query, { means, scope: { relations: [] }, ctes: new Map() });
}
