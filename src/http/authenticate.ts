// Turns a bearer key, or the session of a cookie, into a Scope and opens the request's Context.

import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { fromBase64 } from "../core/encoding.ts";
import { Problem, type ProblemCode } from "../core/problem.ts";
import { rightsOfCaller, type Caller } from "../core/scope.ts";
import type { Clients } from "../clients/clients.ts";
import { callOf, clientsOf, type AppEnv } from "./app-env.ts";
import { countEvent } from "./count-event.ts";
import { limitRates } from "./limit-rates.ts";
import { sessionTokenOf } from "./sessions/cookie.ts";
import { hasOperation } from "./unrouted.ts";

/** Who holds a secret: at once where that is remembered. */
type FindCaller = (clients: Clients, secret: string, now: Date) => Caller | Promise<Caller | undefined>;

/** Who holds a key, and whose session a cookie names. */
export type FindCallers = { ofKey: FindCaller; ofSession: FindCaller };

/**
 * A session counts where no key was sent, see `sessions/cookie.ts`. `refusal` is 401 by the specification, but 403 on
 * version 3, where the drive is, and by Cube's API.
 */
export const authenticate = (
  find: FindCallers,
  refusal: ProblemCode = "auth_invalid_token",
  keyOf: (headers: Headers) => string | undefined = bearerOf,
) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const now = new Date();
    const found = findCaller(c, find, { key: keyOf(c.req.raw.headers), now });
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

function findCaller(
  c: Context<AppEnv>,
  { ofKey, ofSession }: FindCallers,
  { key, now }: { key: string | undefined; now: Date },
): ReturnType<FindCaller> | undefined {
  if (key !== undefined) return ofKey(clientsOf(c), key, now);
  const token = sessionTokenOf(c.req.raw);
  return token === undefined ? undefined : ofSession(clientsOf(c), token, now);
}

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

/** {@link bearerOf}, or Basic's password, which is how clients of Trino send a key; the name beside it says nothing. */
export function bearerOrPassword(headers: Headers): string | undefined {
  const basic = /^basic +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1];
  if (basic === undefined) return bearerOf(headers);
  const bytes = fromBase64(basic);
  const text = bytes && new TextDecoder().decode(bytes);
  const colon = text?.indexOf(":") ?? -1;
  return colon < 0 ? undefined : text!.slice(colon + 1);
}

/** {@link bearerOf}, or a token without a scheme, which is how clients of Cube send theirs. */
export const bearerOrPlain = (headers: Headers): string | undefined =>
  bearerOf(headers) ?? /^(\S+) *$/.exec(headers.get("authorization") ?? "")?.[1];
