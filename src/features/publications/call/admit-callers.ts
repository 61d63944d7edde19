// The operations that callers of publications use: who is let in, how often, and how they are declared.

import { createMiddleware } from "hono/factory";
import type { ProblemCode } from "../../../core/problem.ts";
import { describeHeaders } from "../../../http/answer.ts";
import { callOf, clientsOf, type AppEnv } from "../../../http/app-env.ts";
import { bearerOf } from "../../../http/authenticate.ts";
import type { OpenContext } from "../../../http/call.ts";
import { countEvent } from "../../../http/count-event.ts";
import { limitRates } from "../../../http/limit-rates.ts";
import { durationSince } from "../../../http/meta.ts";
import { RESULT, RESULT_FAILURES, RESULT_HEADERS } from "../../query/result-declaration.ts";
import type { PublicationKind } from "../publication.ts";
import { countCall } from "../statistics/count-call.ts";
import { admitCall, type AdmittedCall } from "./admit.ts";

/** `nameIn`: the part of the path that is the publication's name, beside `team_id`. */
export const admitCallers = (kind: PublicationKind, nameIn: string) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const clients = clientsOf(c);
    const { team_id: teamId = "", [nameIn]: name = "" } = c.req.param() as Record<string, string>;
    const call = { kind, teamId, name, credential: bearerOf(c.req.raw.headers) };
    const found = await admitCall(clients, call, { requestId: c.get("requestId"), now: new Date() });
    const { publication, scope } = found;
    c.set("checked", found);
    c.set("ctx", { ...clients, scope });
    const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
    const count = (status: number, cacheStatus: string | null) =>
      countCall(
        clients.db,
        { publication, status, cacheStatus, durationMs: durationSince(c.get("startedAt")), now: scope.now },
        waitUntil,
      );
    try {
      limitRates(c, publication.ratePerMinute);
    } catch (error) {
      count(429, null);
      throw error;
    }
    await next();
    countEvent(callOf(c), "api_request");
    count(c.res.status, c.res.headers.get("cache-status"));
  });

/** The call that was let in, with the scope that it has. */
export function admittedBy<Ctx extends OpenContext>(ctx: Ctx) {
  const call = ctx.checked as AdmittedCall;
  return { call, scoped: { ...ctx, scope: call.scope } };
}

export const IF_NONE_MATCH = { "If-None-Match": "The `ETag` of an answer that the caller has." };

/** The answers of a question that is published. */
export const QUESTION_RESPONSES = {
  200: describeHeaders(
    {
      ...RESULT_HEADERS,
      ETag: "Names the answer, where the versions of the lake's tables decide it.",
      "Cache-Control": "`private, no-cache` beside an `ETag`, else `no-store`.",
    },
    RESULT,
  ),
  304: { description: "The caller has the answer" },
};

export const QUESTION_FAILURES = [
  "resource_conflict",
  "validation_failed",
  "business_quota_exceeded",
  "monthly_quota_exceeded",
  "too_many_requests",
  "forbidden_insufficient_permissions",
  ...RESULT_FAILURES,
] satisfies ProblemCode[];

/** Kept by the caller alone, and asked for again each time: rights may have gone. */
export function kept(ctx: OpenContext, answer: Response): Response {
  if (answer.headers.has("etag")) ctx.overrideHeaders({ "Cache-Control": "private, no-cache" });
  return answer;
}
