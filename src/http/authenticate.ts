// Turns a bearer key into a Scope and opens the request's Context.

import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { Problem, type ProblemCode } from "../core/problem.ts";
import { rightsOfCaller, type Caller } from "../core/scope.ts";
import type { Clients } from "../clients/clients.ts";
import { callOf, clientsOf, type AppEnv } from "./app-env.ts";
import { countEvent } from "./count-event.ts";
import { limitRates } from "./limit-rates.ts";
import { hasOperation } from "./unrouted.ts";

export type FindCaller = (clients: Clients, key: string, now: Date) => Caller | Promise<Caller | undefined>;

/** `refusal` is 401 by the specification, but 403 on version 3, where the drive is, and by Cube's API. */
export const authenticate = (
  findCaller: FindCaller,
  refusal: ProblemCode = "auth_invalid_token",
  keyOf: (headers: Headers) => string | undefined = bearerOf,
) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const now = new Date();
    const key = keyOf(c.req.raw.headers);
    const found = key === undefined ? undefined : findCaller(clientsOf(c), key, now);
    const caller = found instanceof Promise ? await timed(c, found) : found;
    if (caller) {
      const scope = { ...caller, rights: rightsOfCaller(caller), requestId: c.get("requestId"), now };
      c.set("ctx", { ...clientsOf(c), scope });
      limitRates(c);
    } else if (hasOperation(c)) {
      // A path or method that nobody answers is 404 without a key: the document names them all anyway.
      throw new Problem(refusal, "Send a valid API key: `Authorization: Bearer <API_KEY>`.");
    }
    await next();
    // Whatever came of it; without a key it is no team's. Its end is where its answer begins.
    if (caller) countEvent(callOf(c), "api_request");
  });

async function timed<Found>(c: Context<AppEnv>, finding: Promise<Found>): Promise<Found> {
  const startedAt = performance.now();
  const found = await finding;
  c.set("authenticateMs", performance.now() - startedAt);
  return found;
}

/** The token of `Authorization: Bearer <token>`; the scheme's case is the caller's own. */
export function bearerOf(headers: Headers): string | undefined {
  return /^bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1];
}

/** {@link bearerOf}, or a token without a scheme, which is how clients of Cube send theirs. */
export const bearerOrPlain = (headers: Headers): string | undefined =>
  bearerOf(headers) ?? /^(\S+) *$/.exec(headers.get("authorization") ?? "")?.[1];
