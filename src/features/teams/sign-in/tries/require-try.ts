// The tries of callers without a key are counted in the database, so that a bound holds whichever isolate they meet.

import { Problem } from "../../../../core/problem.ts";
import { TEAM_LIMITS } from "../../limits.ts";
import type { Needs } from "../../../../clients/context.ts";
import { callerAddressOf } from "../../../../http/sessions/caller-address.ts";
import { sha256Hex } from "../../../../platform/crypto/digest.ts";
import { takeTry } from "./store.ts";

/** `of`: what is bounded, an address or a user; an empty one stands for all callers whose address nobody names. */
type Try = {
  kind: "session from" | "link from" | "link for" | "client for";
  of: string;
  spanMs: number;
  triesMax: number;
  now: Date;
};

/** Counts a try, and throws 429 where there were as many as may be within the span. */
export async function requireTry({ db }: Needs<"db">, { kind, of, spanMs, triesMax, now }: Try): Promise<void> {
  const spanStart = Math.floor(now.getTime() / spanMs) * spanMs;
  const subject = `${kind} ${await sha256Hex(of)}`;
  const taken = await takeTry(db, { subject, spanAt: new Date(spanStart).toISOString() }, triesMax);
  if (taken.length > 0) return;
  const problem = new Problem("too_many_requests", "This was tried too often; wait, and try again.");
  problem.retryAfterSeconds = Math.max(1, Math.ceil((spanStart + spanMs - now.getTime()) / 1_000));
  throw problem;
}

/** Counts a try to sign in, or to find a way to, from wherever the request is. */
export function requireSignInTry(ctx: Needs<"db">, { request, now }: { request: Request; now: Date }): Promise<void> {
  const { signInTryMs: spanMs, signInTriesMax: triesMax } = TEAM_LIMITS;
  return requireTry(ctx, { kind: "session from", of: callerAddressOf(request), spanMs, triesMax, now });
}
