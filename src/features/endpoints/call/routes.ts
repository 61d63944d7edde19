// /v1/endpoints: what applications call.

import { z } from "@hono/zod-openapi";
import type { ProblemCode } from "../../../core/problem.ts";
import { createMiddleware } from "hono/factory";
import { describeHeaders } from "../../../http/answer.ts";
import { callOf, clientsOf, type AppEnv } from "../../../http/app-env.ts";
import { bearerOf } from "../../../http/authenticate.ts";
import { countEvent } from "../../../http/count-event.ts";
import { limitRates } from "../../../http/limit-rates.ts";
import { durationSince } from "../../../http/meta.ts";
import type { OpenContext } from "../../../http/call.ts";
import { createRouter } from "../../../http/router.ts";
import { chooseFormat } from "../../query/format.ts";
import { RESULT, RESULT_FAILURES, RESULT_HEADERS } from "../../query/result-declaration.ts";
import { SentParameters } from "../../saved-queries/run.ts";
import { countCall } from "../statistics/count-call.ts";
import { admitCall, type AdmittedCall } from "./admit.ts";
import { callEndpoint, getEndpointResult, tagsOf } from "./call-endpoint.ts";

export const endpointCalls = createRouter(["Endpoints", "Extensions"]);

const admitCaller = createMiddleware<AppEnv>(async (c, next) => {
  const clients = clientsOf(c);
  const { team_id: teamId = "", endpoint_name: name = "" } = c.req.param() as Record<string, string>;
  const call = { teamId, name, credential: bearerOf(c.req.raw.headers) };
  const found = await admitCall(clients, call, { requestId: c.get("requestId"), now: new Date() });
  const { endpoint, scope } = found;
  c.set("checked", found);
  c.set("ctx", { ...clients, scope });
  const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
  const count = (status: number, cacheStatus: string | null) =>
    countCall(
      clients.db,
      { endpoint, status, cacheStatus, durationMs: durationSince(c.get("startedAt")), now: scope.now },
      waitUntil,
    );
  try {
    limitRates(c, endpoint.ratePerMinute);
  } catch (error) {
    count(429, null);
    throw error;
  }
  await next();
  countEvent(callOf(c), "api_request");
  count(c.res.status, c.res.headers.get("cache-status"));
});

const description =
  "Answers by `Accept`, as `POST /v1/query` does, what the endpoint's role reads. A key is of one endpoint; a token is " +
  "signed for one, and what it binds can't be sent. Whatever does not open the endpoint is the same 404. Where the " +
  "versions of the tables decide the answer it has an `ETag`: `If-None-Match` with it is 304 without running, for whom " +
  "the endpoint still opens.";

const declared = {
  permission: "own_check" as const,
  middleware: [admitCaller],
  requestHeaders: { "If-None-Match": "The `ETag` of an answer that the caller has." },
  params: z.object({ team_id: z.string(), endpoint_name: z.string() }),
  responses: {
    200: describeHeaders(
      {
        ...RESULT_HEADERS,
        ETag: "Names the answer, where the versions of the lake's tables decide it.",
        "Cache-Control": "`private, no-cache` beside an `ETag`, else `no-store`.",
      },
      RESULT,
    ),
    304: { description: "The caller has the answer" },
  },
  fails: [
    "resource_conflict",
    "validation_failed",
    "business_quota_exceeded",
    "monthly_quota_exceeded",
    "too_many_requests",
    "forbidden_insufficient_permissions",
    ...RESULT_FAILURES,
  ] satisfies ProblemCode[],
};

endpointCalls.rawOperation("getEndpointResult", "GET /{team_id}/{endpoint_name}", {
  summary: "Call an endpoint, with its parameters in the query",
  description: `A parameter that is a list is repeated. ${description}`,
  ...declared,
  query: z.object({}).loose(),
  respond: async (ctx) => {
    const { call, scoped } = admittedBy(ctx);
    const queries = valuesByName(new URL(ctx.request.url).searchParams);
    return kept(ctx, await getEndpointResult(scoped, call, { queries, ...askedBy(ctx) }));
  },
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
  respond: async (ctx, { body }) => {
    const { call, scoped } = admittedBy(ctx);
    const asked = { sent: body.parameters, pointer: "/parameters", ...askedBy(ctx) };
    return kept(ctx, await callEndpoint(scoped, call, asked));
  },
});

function admittedBy(ctx: OpenContext) {
  const call = ctx.checked as AdmittedCall;
  return { call, scoped: { ...ctx, scope: call.scope } };
}

/** The values of each parameter of a query; a list is a repeated parameter. */
function valuesByName(query: URLSearchParams): Record<string, string[]> {
  return Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name)]));
}

const askedBy = ({ request, waitUntil }: OpenContext) => ({
  format: chooseFormat(request.headers.get("accept") ?? undefined),
  ifNoneMatch: tagsOf(request.headers.get("if-none-match") ?? undefined),
  life: { signal: request.signal, waitUntil, isNamed: request.headers.has("x-request-id") },
});

/** Kept by the caller alone, and asked for again each time: rights may have gone. */
function kept(ctx: OpenContext, answer: Response): Response {
  if (answer.headers.has("etag")) ctx.overrideHeaders({ "Cache-Control": "private, no-cache" });
  return answer;
}
