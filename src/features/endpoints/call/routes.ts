// /v1/endpoints: what applications call.

import { z } from "@hono/zod-openapi";
import { pointerStep } from "../../../../kernel/text/json-pointer.ts";
import { Problem } from "../../../core/problem.ts";
import type { OpenContext } from "../../../http/call.ts";
import { createRouter } from "../../../http/router.ts";
import {
  admitCallers,
  admittedBy,
  IF_NONE_MATCH,
  kept,
  QUESTION_FAILURES,
  QUESTION_RESPONSES,
} from "../../publications/call/admit-callers.ts";
import { answerOptionsOf, askPublished, sentInQuery, type SentValues } from "../../publications/call/ask.ts";
import { SentParameters } from "../../saved-queries/run.ts";
import { questionOfEndpoint } from "../endpoint.ts";

export const endpointCalls = createRouter(["Endpoints", "Extensions"]);

const description =
  "Answers by `Accept`, as `POST /v1/query` does, what the endpoint's role reads. A key is of one endpoint; a token is " +
  "signed for one, and what it binds can't be sent. Whatever does not open the endpoint is the same 404. Where the " +
  "versions of the tables decide the answer it has an `ETag`: `If-None-Match` with it is 304 without running, for whom " +
  "the endpoint still opens.";

const declared = {
  permission: "own_check" as const,
  middleware: [admitCallers("endpoint", "endpoint_name")],
  requestHeaders: IF_NONE_MATCH,
  params: z.object({ team_id: z.string(), endpoint_name: z.string() }),
  responses: QUESTION_RESPONSES,
  fails: QUESTION_FAILURES,
};

endpointCalls.rawOperation("getEndpointResult", "GET /{team_id}/{endpoint_name}", {
  summary: "Call an endpoint, with its parameters in the query",
  description: `A parameter that is a list is repeated. ${description}`,
  ...declared,
  query: z.object({}).loose(),
  respond: (ctx) => callEndpoint(ctx, sentInQuery(ctx.request)),
});

const EndpointRequest = z
  .strictObject({ parameters: SentParameters })
  .openapi("EndpointRequest", { example: { parameters: { status: "shipped" } } });

endpointCalls.rawOperation("callEndpoint", "POST /{team_id}/{endpoint_name}", {
  summary: "Call an endpoint, with its parameters in the body",
  description,
  ...declared,
  audit: "none",
  reads: true,
  optionalBody: EndpointRequest,
  respond: (ctx, { body }) => callEndpoint(ctx, { sent: body.parameters, pointer: "/parameters" }),
});

async function callEndpoint(ctx: OpenContext, sent: SentValues): Promise<Response> {
  const { call, scoped } = admittedBy(ctx);
  const { parameters, filters } = call.fixed;
  // What was to narrow the answer would do nothing.
  const flaws = Object.keys(filters).map((id) => ({
    pointer: `/token/filters${pointerStep(id)}`,
    message: `An endpoint has no filter ${id}.`,
  }));
  if (flaws.length > 0) throw new Problem("validation_failed", "The token binds what this endpoint lacks.", flaws);
  const published = { question: questionOfEndpoint(call.publication), fixed: parameters };
  return kept(ctx, await askPublished(scoped, call, published, { ...sent, ...answerOptionsOf(ctx) }));
}
