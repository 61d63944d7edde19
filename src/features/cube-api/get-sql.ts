import { z } from "@hono/zod-openapi";
import type { Needs } from "../../clients/context.ts";
import { getSemanticSql, type SemanticSqlPreview } from "../semantic/get-sql.ts";
import { openPlanner } from "./plan.ts";
import type { SentQuery } from "./sent-query.ts";

export const CubeSql = z
  .object({
    sql: z.object({
      sql: z.array(z.unknown()).openapi({ description: "The text, and the list of its values." }),
      order: z.record(z.string(), z.string()),
      memberNames: z.array(z.string()).openapi({ description: "Which member each column is." }),
      dataSource: z.string(),
      external: z.literal(false),
      cacheKeyQueries: z.array(z.unknown()),
      preAggregations: z.array(z.unknown()).openapi({ description: "Always empty." }),
    }),
    dataSource: z.string(),
  })
  .openapi("CubeSql");
type CubeSql = z.infer<typeof CubeSql>;

/** The SQL that a query would send to its database; a list where it compares ranges, or is one itself. */
export async function getCubeSql(
  ctx: Needs<"scope" | "db" | "openEngine" | "openLake">,
  { integrationId, ...sent }: SentQuery & { integrationId: string },
): Promise<CubeSql | CubeSql[]> {
  const { queryType, queryOrder } = (await openPlanner(ctx, integrationId))(sent, ctx.scope.now);
  const statements: SemanticSqlPreview[] = [];
  for (const raw of sent.raws) statements.push(...(await getSemanticSql(ctx, integrationId, raw)));
  const shown = statements.map((statement, index) => showStatement(statement, queryOrder[index] ?? {}));
  return queryType === "regularQuery" ? shown[0]! : shown;
}

const showStatement = ({ sql, values, columns }: SemanticSqlPreview, order: Record<string, string>): CubeSql => ({
  sql: {
    sql: [sql, values],
    order,
    memberNames: columns,
    dataSource: "default",
    external: false,
    cacheKeyQueries: [],
    preAggregations: [],
  },
  dataSource: "default",
});
