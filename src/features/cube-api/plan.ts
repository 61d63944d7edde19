// A query as Cube's API tells of it before it has run.

import type { SemanticStatement } from "../../../containers/engine/contract/semantic/query.ts";
import type { Needs } from "../../platform/context.ts";
import { planSemantic } from "../semantic/query/plan.ts";
import { openVisibleModel } from "../semantic/visible-model.ts";

export type CubePlan = {
  queryType: "regularQuery" | "compareDateRangeQuery";
  /** One for each result: its dates resolved, its defaults filled in. */
  normalizedQueries: Record<string, unknown>[];
  queryOrder: Record<string, "asc" | "desc">[];
  /** What clients pivot by. */
  pivotQuery: Record<string, unknown>;
};

/** Plans as of an instant. Throws `validation_failed` for a query that the model does not answer. */
type Planner = (raw: Record<string, unknown>, now: Date) => CubePlan;

/** All that has to be looked up is: planning itself asks nobody. */
export async function openPlanner(ctx: Needs<"scope" | "db" | "openLake">, integrationId: string): Promise<Planner> {
  const { dialect, model } = await openVisibleModel(ctx, integrationId);
  return (raw, now) => planOf(planSemantic({ raw, model, dialect, now }));
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

const isCompared = ({ queries }: SemanticStatement): boolean =>
  queries.some(({ compareDateRange }) => compareDateRange !== undefined);
