// What every part of the API knows of a request: its bindings and what the middleware left for it.

import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import { openClients, type Clients } from "../clients/clients.ts";
import type { Context } from "../clients/context.ts";

/** What a page or a public document may ask for instead of the usual headers, by `c.set("headerOverrides", …)`. */
export type HeaderOverrides = { "Cache-Control"?: string; "Content-Security-Policy"?: string };

export type AppEnv = {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** Milliseconds, of `performance.now()`'s clock. */
    startedAt: number;
    ctx: Context;
    /** How long it took to find the key's holder, in milliseconds; absent where it was known. */
    authenticateMs?: number;
    /** Headers of this answer that are not the usual ones. */
    headerOverrides?: HeaderOverrides;
  };
};

export type App = OpenAPIHono<AppEnv>;

/** The clients that a request's verbs are built on: all that is made of its bindings. */
export const clientsOf = ({ env }: Pick<HonoContext<AppEnv>, "env">): Clients => openClients(env);
