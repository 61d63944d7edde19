import { z } from "@hono/zod-openapi";
import type { Needs } from "../../clients/context.ts";
import { openPlanner, QUERY_TYPES } from "./plan.ts";
import type { SentQuery } from "./sent-query.ts";

const Query = z.record(z.string(), z.unknown());

export const CubeDryRun = z
  .object({
    queryType: z.enum(QUERY_TYPES),
    normalizedQueries: z.array(Query).openapi({ description: "Dates resolved, defaults filled in." }),
    queryOrder: z.array(z.record(z.string(), z.enum(["asc", "desc"]))),
    transformedQueries: z
      .array(Query)
      .openapi({ description: "Always empty: there are no pre-aggregations that they would be matched with." }),
    pivotQuery: Query,
  })
  .openapi("CubeDryRun");

/** Explains a query without asking a database. */
export async function dryRunCubeQuery(
  ctx: Needs<"scope" | "db" | "openLake">,
  { integrationId, ...sent }: SentQuery & { integrationId: string },
): Promise<z.infer<typeof CubeDryRun>> {
  const planAt = await openPlanner(ctx, integrationId);
  const { queryType, normalizedQueries, queryOrder, pivotQuery } = planAt(sent, ctx.scope.now);
  return { queryType, normalizedQueries, queryOrder, transformedQueries: [], pivotQuery };
}
