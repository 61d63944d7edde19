import { z } from "@hono/zod-openapi";
import { SEMANTIC_LIMITS } from "./limits.ts";
import type { Needs } from "../../clients/context.ts";
import { planSemantic } from "./query/plan.ts";
import { openVisibleModel } from "./visible-model.ts";

export const SemanticSqlPreview = z
  .object({
    sql: z.string().openapi({ description: "With `?`, or on PostgreSQL `$1`, where a value is bound." }),
    values: z.array(z.unknown()).openapi({ description: "What is bound, in order: text, numbers, booleans or null." }),
    columns: z
      .array(z.string())
      .openapi({ description: "Which member each column is; `cube.time.granularity` of a time that is grouped by." }),
    join_path: z
      .array(z.object({ from: z.string(), to: z.string(), relationship: z.string(), sql: z.string() }))
      .openapi({ description: "How the cubes are joined, step by step; empty where the query reads one." }),
    multiplied_cubes: z
      .array(z.string())
      .openapi({ description: "Those whose rows the joins repeat: their measures are computed by distinct keys." }),
    compareDateRange: z.string().optional().openapi({ description: "Of queries that compare: which of the ranges." }),
  })
  .openapi("SemanticSqlPreview");
export type SemanticSqlPreview = z.infer<typeof SemanticSqlPreview>;

/**
 * The SQL that a query would send to its database, before data access narrows the tables; one statement for each range.
 */
export async function getSemanticSql(
  ctx: Needs<"scope" | "db" | "openEngine" | "openLake">,
  integrationId: string,
  raw: Record<string, unknown>,
): Promise<SemanticSqlPreview[]> {
  const { dialect, model: seen } = await openVisibleModel(ctx, integrationId);
  const { model, queries } = planSemantic({ raw, model: seen, dialect, now: ctx.scope.now });
  const engine = ctx.openEngine(ctx.scope.teamId);
  const statements: SemanticSqlPreview[] = [];
  for (const { query, compareDateRange } of queries) {
    const { sql, values, columns, joinPath, multiplied } = await engine.semanticSql({
      model,
      dialect,
      query,
      sender: ctx.scope.userId,
      deadlineMs: SEMANTIC_LIMITS.sqlMs,
    });
    statements.push({
      sql,
      values,
      columns: columns.map(({ member }) => member),
      join_path: joinPath,
      multiplied_cubes: multiplied,
      ...(compareDateRange === undefined ? {} : { compareDateRange }),
    });
  }
  return statements;
}
