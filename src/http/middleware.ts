// Every answer carries the same headers, whoever gives it: the request's id and duration, leave for browsers, and
// security headers.

import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { isUuid, newId } from "../core/ids.ts";
import type { AppEnv } from "./app-env.ts";
import { durationMs } from "./meta.ts";

/**
 * Any origin may call, and none gains by it: keys travel in a header, and a cookie counts for pages of the platform's
 * own alone. That browsers may send cookies along from elsewhere (`Access-Control-Allow-Credentials`) is never said.
 */
const FOR_BROWSERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "X-Request-Id, Server-Timing, Retry-After, RateLimit, RateLimit-Policy, Allow, ETag, Location, Age, Cache-Status, " +
    "Fjord-Engine, Idempotency-Replayed",
};

/** An answer of the API is data for one caller: it is not kept, and nothing in it may run, load or be framed. */
const USUAL = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Strict-Transport-Security": "max-age=31536000",
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
};

// Pairs made once, and no look at what is there already: setting headers is most of what this costs a request.
const usual = Object.entries(USUAL);
const forBrowsers = Object.entries(FOR_BROWSERS);

/** A caller's own request id is honoured when it is a UUID; anything else could forge log lines. */
export const standardHeaders = createMiddleware<AppEnv>(async (c, next) => {
  const asked = c.req.raw.headers;
  const given = asked.get("x-request-id");
  c.set("requestId", given && isUuid(given) ? given.toLowerCase() : newId());
  c.set("startedAt", performance.now());
  await next();
  const headers = openHeaders(c);
  // After what the operation itself told of its parts.
  headers.append("Server-Timing", `total;dur=${durationMs(c)}`);
  for (const [name, value] of usual) headers.set(name, value);
  const overrides = c.get("headerOverrides");
  if (overrides) for (const [name, value] of Object.entries(overrides)) headers.set(name, value);
  // An answer that others may keep must serve browsers too, whoever asked for it first.
  if (overrides || asked.has("origin")) for (const [name, value] of forBrowsers) headers.set(name, value);
});

/**
 * The answer's headers, its id among them. One passed through from another server has them sealed, and is given new
 * ones.
 */
function openHeaders(c: Context<AppEnv>): Headers {
  try {
    c.res.headers.set("X-Request-Id", c.get("requestId"));
  } catch {
    c.res = new Response(c.res.body, c.res);
    c.res.headers.set("X-Request-Id", c.get("requestId"));
  }
  return c.res.headers;
}
