// A query as Cube's API tells of it before it has run.

import type { SemanticQuery, SemanticStatement } from "../../../kernel/semantic/query.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { planSemantic } from "../semantic/query/plan.ts";
import { openVisibleModel } from "../semantic/visible-model.ts";
import type { SentQuery } from "./sent-query.ts";

export const QUERY_TYPES = ["regularQuery", "compareDateRangeQuery", "blendingQuery"] as const;

export type CubePlan = {
  queryType: (typeof QUERY_TYPES)[number];
  /** One for each result: its dates resolved, its defaults filled in. */
  normalizedQueries: Record<string, unknown>[];
  queryOrder: Record<string, "asc" | "desc">[];
  /** The fields by which clients pivot. */
  pivotQuery: Record<string, unknown>;
};

/**
 * Plans as of an instant. Throws `validation_failed` for a query that the model does not answer, and `invalid_request`
 * for a list whose answers have no time in common.
 */
type Planner = (sent: Pick<SentQuery, "raws" | "isList">, now: Date) => CubePlan;

/** All that has to be looked up is: planning itself asks nobody. */
export async function openPlanner(ctx: Needs<"scope" | "db" | "openLake">, integrationId: string): Promise<Planner> {
  const { dialect, model } = await openVisibleModel(ctx, integrationId);
  return ({ raws, isList }, now) => {
    const planned = raws.map((raw) => planSemantic({ raw, model, dialect, now }));
    return isList ? planBlended(planned) : planOf(planned[0]!);
  };
}

function planOf(semantic: SemanticStatement): CubePlan {
  const normalizedQueries = semantic.queries.map(({ head }) => head["query"] as Record<string, unknown>);
  return {
    queryType: isCompared(semantic) ? "compareDateRangeQuery" : "regularQuery",
    normalizedQueries,
    queryOrder: semantic.queries.map(({ query: { order } }) =>
      Object.fromEntries(order.map(({ id, desc }) => [id, desc ? "desc" : "asc"])),
    ),
    pivotQuery: (semantic.head["pivotQuery"] as Record<string, unknown> | undefined) ?? normalizedQueries[0]!,
  };
}

/** Cube's rules for a list, and its words. */
function planBlended(semantics: SemanticStatement[]): CubePlan {
  if (semantics.some(isCompared))
    throw new Problem("invalid_request", "Send a query with compareDateRange by itself, not in a list.");
  const plans = semantics.map(planOf);
  const queries = semantics.flatMap((semantic) => semantic.queries.map(({ query }) => query));
  const granularities = unique(queries.map(({ timeDimensions }) => blendedGranularity(timeDimensions) ?? []));
  if (granularities.length > 1) throw new Problem("invalid_request", "Data blending query granularities must match");
  const [granularity] = granularities;
  if (granularity === undefined)
    throw new Problem("invalid_request", "Data blending query without granularity is not supported");
  return {
    queryType: "blendingQuery",
    normalizedQueries: plans.flatMap((plan) => plan.normalizedQueries),
    queryOrder: plans.flatMap((plan) => plan.queryOrder),
    pivotQuery: {
      measures: unique(queries.map(({ measures }) => measures)),
      dimensions: unique(queries.map(({ dimensions }) => dimensions)),
      timeDimensions: [{ dimension: "time", granularity }],
      queryType: "blendingQuery",
    },
  };
}

const unique = (lists: (string | string[])[]): string[] => [...new Set(lists.flat())];

/** Rows are blended by the first time that they are grouped by. */
const blendedGranularity = (times: SemanticQuery["timeDimensions"]): string | undefined =>
  times.find(({ granularity }) => granularity !== undefined)?.granularity;

const isCompared = ({ queries }: SemanticStatement): boolean =>
  queries.some(({ compareDateRange }) => compareDateRange !== undefined);
