// Every part of the API knows a request's context: its bindings and what the middleware left for it.

import type { Context as HonoContext } from "hono";
import { openClients, type Clients } from "../clients/clients.ts";
import type { Context } from "../clients/context.ts";
import type { Call, CallContext, HeaderOverrides, OpenContext } from "./call.ts";

export type AppEnv = {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** Milliseconds, of `performance.now()`'s clock. */
    startedAt: number;
    ctx: Context;
    /** How long it took to find the key's holder, in milliseconds; absent where it was known. */
    authenticateMs?: number;
    /** What the own check of an operation found, for its verb. */
    checked?: unknown;
    /** Headers of this answer that are not the usual ones. */
    headerOverrides?: HeaderOverrides;
  };
};

/** The clients that a request's verbs are built on: all that is made of its bindings. */
export const clientsOf = ({ env }: Pick<HonoContext<AppEnv>, "env">): Clients => openClients(env);

/** The call that an HTTP request of a key's holder is. */
export const callOf = (c: HonoContext<AppEnv>): CallContext => ({ ...c.get("ctx"), ...requestCall(c) });

/** The call that an HTTP request is which asks for no key. */
export const openCallOf = (c: HonoContext<AppEnv>): OpenContext => ({ ...clientsOf(c), ...requestCall(c) });

const requestCall = (c: HonoContext<AppEnv>): Call => ({
  request: c.req.raw,
  requestId: c.get("requestId"),
  startedAt: c.get("startedAt"),
  authenticateMs: c.get("authenticateMs"),
  checked: c.get("checked"),
  waitUntil: (work) => c.executionCtx.waitUntil(work),
  overrideHeaders: (headers) => c.set("headerOverrides", headers),
});
