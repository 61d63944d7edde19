// /v1/api/integrations/{integration_id}/meta and /sql: what a semantic model offers to whoever asks it.

import { z } from "@hono/zod-openapi";
import { answers, BODY_FAILURES, fails, json } from "../../http/answer.ts";
import { operation } from "../../http/operation.ts";
import { createRouter } from "../../http/router.ts";
import { getSemanticMeta, SemanticMeta } from "./get-meta.ts";
import { getSemanticSql, SemanticSqlPreview } from "./get-sql.ts";

export const semantic = createRouter();

const TAGS = ["Semantic models", "Extensions"];
const Path = z.object({ integration_id: z.string() });
const Asked = z
  .strictObject({ cube_query: z.record(z.string(), z.unknown()) })
  .openapi("SemanticSqlRequest", { example: { cube_query: { measures: ["orders.count"] } } });
const Previewed = z
  .object({
    success: z.literal(true),
    statements: z
      .array(SemanticSqlPreview)
      .openapi({ description: "One, or with `compareDateRange` one for each of the ranges, in their order." }),
  })
  .openapi("SemanticSqlPreviews");

semantic.openapi(
  operation({
    method: "get",
    path: "/{integration_id}/meta",
    operationId: "getSemanticMeta",
    summary: "List what a semantic model offers",
    description:
      "Its cubes and views with their measures, dimensions and segments, in the form that Cube's `/v1/meta` has. What the " +
      "model does not make public is left out, and so is what your roles hide.",
    tags: TAGS,
    permission: "query",
    request: { params: Path },
    responses: { 200: answers("What there is to ask for", SemanticMeta), ...fails("resource_not_found") },
  }),
  async (c) => {
    const cubes = await getSemanticMeta(c.get("ctx"), c.req.valid("param").integration_id);
    return c.json({ success: true as const, cubes }, 200);
  },
);

semantic.openapi(
  operation({
    method: "post",
    path: "/{integration_id}/sql",
    operationId: "getSemanticSql",
    summary: "Show the SQL of a semantic query",
    description:
      "It is not run. The statement reads the tables as they are: what your roles filter of them is filtered when it runs.",
    tags: TAGS,
    permission: "query",
    request: { params: Path, body: { required: true, ...json(Asked) } },
    responses: {
      200: answers("The statements that would be sent", Previewed),
      ...fails("resource_not_found", "query_failed", "query_timeout", "engine_unavailable", ...BODY_FAILURES),
    },
  }),
  async (c) => {
    const { cube_query: raw } = c.req.valid("json");
    const statements = await getSemanticSql(c.get("ctx"), c.req.valid("param").integration_id, raw);
    return c.json({ success: true as const, statements }, 200);
  },
);
