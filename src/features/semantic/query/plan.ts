// The semantic statement that goes to the engine in place of SQL: the queries, what they reach of the model, and what
// their answer says of them.

import type { SqlDialect } from "../../../../kernel/semantic/model.ts";
import type { SemanticStatement } from "../../../../kernel/semantic/query.ts";
import type { LoadedModel } from "../loaded-model.ts";
import { reach } from "../model/reach.ts";
import { normaliseQuery, type NormalisedQuery } from "./normalise.ts";

type SemanticPlanRequest = {
  /** `cube_query`, as it was sent. */
  raw: Record<string, unknown>;
  /** The model as it is visible to the caller. */
  model: Pick<LoadedModel, "definitions" | "meta">;
  dialect: SqlDialect;
  now: Date;
};

/** Throws `validation_failed` for a query that the model does not answer. */
export function planSemantic({ raw, model, dialect, now }: SemanticPlanRequest): SemanticStatement {
  const normalised = normaliseQuery(raw, model.meta, now);
  const { total, responseFormat, members, joinHints } = normalised;
  const queries = normalised.queries.map(({ query, shown, annotation, compareDateRange }) => ({
    query,
    head: {
      query: shown,
      annotation,
      lastRefreshTime: now.toISOString(),
      dataSource: "default",
      dbType: dialect,
      external: false,
      usedPreAggregations: {},
      slowQuery: false,
    },
    ...(compareDateRange === undefined ? {} : { compareDateRange }),
  }));
  return {
    model: reach(model.definitions, members, joinHints),
    queries,
    head: headOf(normalised),
    total,
    responseFormat,
  };
}

/** Clients tell by `queryType` that there are several results; the answer of one query has none. */
function headOf({ queries: [first] }: NormalisedQuery): Record<string, unknown> {
  if (first?.compareDateRange === undefined) return {};
  const { shown, query } = first;
  const queryType = "compareDateRangeQuery";
  const pivotQuery = { ...shown, dimensions: ["compareDateRange", ...query.dimensions] };
  return { queryType, pivotQuery, slowQuery: false };
}
