// /v1/dashboards: what the readers of a published dashboard call.

import { z } from "@hono/zod-openapi";
import type { ProblemCode } from "../../../core/problem.ts";
import { describeHeaders } from "../../../http/answer.ts";
import type { OpenContext } from "../../../http/call.ts";
import { createRouter } from "../../../http/router.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";
import {
  admitCallers,
  admittedBy,
  IF_NONE_MATCH,
  kept,
  QUESTION_FAILURES,
  QUESTION_RESPONSES,
} from "../../publications/call/admit-callers.ts";
import { answerOptionsOf, askPublished, sentInQuery, tagsOf, type SentValues } from "../../publications/call/ask.ts";
import { SentFilters } from "../../docs/filters/read-values.ts";
import { SentParameters } from "../../saved-queries/run.ts";
import { bindContent, questionOfDataset } from "./bound-content.ts";
import { DashboardDefinition, definitionOf } from "./definition.ts";

export const dashboardCalls = createRouter(["Published dashboards", "Extensions"]);

const DashboardPath = z.object({ team_id: z.string(), dashboard_name: z.string() });

const declared = {
  permission: "own_check" as const,
  middleware: [admitCallers("dashboard", "dashboard_name")],
  requestHeaders: IF_NONE_MATCH,
};

dashboardCalls.rawOperation("getDashboardDefinition", "GET /{team_id}/{dashboard_name}", {
  summary: "Read what a published dashboard draws",
  description:
    "Its tiles, charts and filters, and the datasets with the parameters that may be sent for each: nothing of what is " +
    "asked. A token is signed for one dashboard; whatever does not open it is the same 404. `If-None-Match` with the " +
    "answer's `ETag` is 304, for whom the dashboard still opens.",
  ...declared,
  params: DashboardPath,
  responses: {
    200: describeHeaders(
      { ETag: "Names the answer.", "Cache-Control": "`private, no-cache`." },
      { description: "What it draws", content: { "application/json": { schema: DashboardDefinition } } },
    ),
    304: { description: "The caller has the answer" },
  },
  fails: ["validation_failed", "too_many_requests"] satisfies ProblemCode[],
  respond: async (ctx) => {
    const { publication, fixed } = admittedBy(ctx).call;
    const body = JSON.stringify(definitionOf(publication, bindContent(publication, fixed)));
    const etag = `W/"${(await sha256Hex(body)).slice(0, 32)}"`;
    const headers = { etag, vary: "Authorization" };
    const isKnown = tagsOf(ctx.request.headers.get("if-none-match") ?? undefined).includes(etag);
    if (isKnown) return kept(ctx, new Response(null, { status: 304, headers }));
    return kept(ctx, new Response(body, { headers: { ...headers, "content-type": "application/json" } }));
  },
});

const DatasetPath = DashboardPath.extend({ dataset_key: z.string() });
const description =
  "Answers by `Accept`, as `POST /v1/query` does, what the dashboard's role reads. What the token binds, and what is not " +
  "open, can't be sent; a filter that is not sent has its default. Only datasets that a tile draws are there. Where the versions of the tables decide the answer it " +
  "has an `ETag`: `If-None-Match` with it is 304 without running, for whom the dashboard still opens.";
const asking = { ...declared, params: DatasetPath, responses: QUESTION_RESPONSES, fails: QUESTION_FAILURES };

dashboardCalls.rawOperation("getDashboardDataset", "GET /{team_id}/{dashboard_name}/datasets/{dataset_key}", {
  summary: "Read a dataset of a published dashboard, with its parameters in the query",
  description: `A parameter that is a list is repeated. ${description}`,
  ...asking,
  query: z.object({}).loose(),
  respond: (ctx, { params }) => askDashboardDataset(ctx, params.dataset_key, sentInQuery(ctx.request)),
});

const DashboardDatasetRequest = z
  .strictObject({ parameters: SentParameters, filters: SentFilters })
  .openapi("DashboardDatasetRequest", { example: { parameters: { status: "shipped" }, filters: { country: "NO" } } });

dashboardCalls.rawOperation("askDashboardDataset", "POST /{team_id}/{dashboard_name}/datasets/{dataset_key}", {
  summary: "Read a dataset of a published dashboard, with its parameters and the filters in the body",
  description,
  ...asking,
  audit: "none",
  reads: true,
  optionalBody: DashboardDatasetRequest,
  respond: (ctx, { params, body }) =>
    askDashboardDataset(ctx, params.dataset_key, {
      sent: body.parameters,
      pointer: "/parameters",
      filters: body.filters,
    }),
});

async function askDashboardDataset(
  ctx: OpenContext,
  key: string,
  { filters = {}, ...sent }: SentValues & { filters?: Record<string, unknown> },
): Promise<Response> {
  const { call, scoped } = admittedBy(ctx);
  const asked = { key, filters, now: scoped.scope.now };
  const question = questionOfDataset(bindContent(call.publication, call.fixed), asked);
  return kept(ctx, await askPublished(scoped, call, question, { ...sent, ...answerOptionsOf(ctx) }));
}
