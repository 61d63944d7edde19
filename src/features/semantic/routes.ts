// /v1/api/integrations/{integration_id}/meta and /sql: what a semantic model offers to whoever asks it.

import { z } from "@hono/zod-openapi";
import { succeeded } from "../../http/answer.ts";
import { createRouter } from "../../http/router.ts";
import { getSemanticMeta, SemanticMeta } from "./get-meta.ts";
import { getSemanticSql, SemanticSqlPreview } from "./get-sql.ts";

export const semantic = createRouter(["Semantic models", "Extensions"]);

const Path = z.object({ integration_id: z.string() });
const SemanticSqlRequest = z
  .strictObject({ cube_query: z.record(z.string(), z.unknown()) })
  .openapi("SemanticSqlRequest", { example: { cube_query: { measures: ["orders.count"] } } });
const SemanticSqlPreviews = z
  .object({
    success: z.literal(true),
    statements: z
      .array(SemanticSqlPreview)
      .openapi({ description: "One, or with `compareDateRange` one for each of the ranges, in their order." }),
  })
  .openapi("SemanticSqlPreviews");

semantic.operation("getSemanticMeta", "GET /{integration_id}/meta", {
  permission: "query",
  summary: "List what a semantic model offers",
  description:
    "Its cubes and views with their measures, dimensions and segments, in the form that Cube's `/v1/meta` has. What the " +
    "model does not make public is left out, and so is what your roles hide.",
  params: Path,
  answer: succeeded("What there is to ask for", SemanticMeta),
  run: async (ctx, { params }) => {
    const cubes = await getSemanticMeta(ctx, params.integration_id);
    return { cubes };
  },
});

semantic.operation("getSemanticSql", "POST /{integration_id}/sql", {
  permission: "query",
  audit: "none",
  reads: true,
  summary: "Show the SQL of a semantic query",
  description:
    "It is not run. The statement reads the tables as they are: what your roles filter of them is filtered when it runs.",
  params: Path,
  body: SemanticSqlRequest,
  answer: succeeded("The statements that would be sent", SemanticSqlPreviews),
  fails: ["query_failed", "query_timeout", "engine_unavailable"],
  run: async (ctx, { params, body }) => {
    const statements = await getSemanticSql(ctx, params.integration_id, body.cube_query);
    return { statements };
  },
});
