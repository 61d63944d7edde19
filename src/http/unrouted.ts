// The answer where no operation is: which methods a path knows is read from the router itself.

import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import { Problem } from "../core/problem.ts";
import { answerProblem } from "./render-problem.ts";
import type { AppEnv } from "./app-env.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** What a page of any origin may send along: all that operations read. */
const ASKED_HEADERS =
  "Authorization, Content-Type, Accept, X-Request-Id, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, Prefer, webhook-id, " +
  "webhook-timestamp, webhook-signature, X-Trino-Catalog, X-Trino-Schema, X-Trino-Time-Zone, X-Trino-Prepared-Statement, " +
  "X-Trino-Client-Capabilities";

/** Browsers may keep a preflight's answer this long. */
const PREFLIGHT_SECONDS = 7_200;

/** OPTIONS answers the methods, another method of a known path is 405, and the rest is 404. */
export function answerUnrouted(app: OpenAPIHono<AppEnv>, c: Context<AppEnv>): Response {
  const methods = METHODS.filter((method) =>
    app.router.match(method, c.req.path)[0].some(([[, route]]) => route.method === method),
  );
  if (methods.length === 0) {
    return answerProblem(new Problem("resource_not_found", `No operation answers ${c.req.method} ${c.req.path}.`), c);
  }
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  c.header("Allow", allow);
  if (c.req.method !== "OPTIONS") {
    return answerProblem(new Problem("method_not_allowed", `This path answers ${allow}.`), c);
  }
  return c.body(null, 204, {
    "Access-Control-Allow-Methods": allow,
    "Access-Control-Allow-Headers": ASKED_HEADERS,
    "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
  });
}

/** Whether the router found an operation, and not only middleware, for this request. */
export const hasOperation = (c: Context<AppEnv>): boolean => matchedRoutes(c).some(({ method }) => method !== "ALL");
