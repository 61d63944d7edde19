// What every room of the API knows of a request: its bindings and what the middleware left for it.

import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "../platform/context.ts";

/** What a page or a public document may ask for instead of the usual headers, by `c.set("instead", …)`. */
export type Instead = { "Cache-Control"?: string; "Content-Security-Policy"?: string };

export type AppEnv = {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** Milliseconds, of `performance.now()`'s clock. */
    startedAt: number;
    ctx: Context;
    /** Headers of this answer that are not the usual ones. */
    instead?: Instead;
  };
};

export type App = OpenAPIHono<AppEnv>;
