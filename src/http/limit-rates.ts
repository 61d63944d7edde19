// A key and a team may make so many requests in a minute. Requests are counted in the isolate, and corrected by what
// the team's meter says of all isolates, about each second: no request waits for it, and a little more than the bound
// may pass.

import type { Context } from "hono";
import { Problem } from "../core/problem.ts";
import { boundsOf } from "../core/teams/plans.ts";
import { clientsOf, type AppEnv } from "./app-env.ts";

const MINUTE_MS = 60_000;
const COUNTED_MAX = 50_000;

/** Requests of this minute that this isolate has seen, by key's and team's id. */
const seen = new Map<string, number>();
let minute = 0;

function countHere(id: string): number {
  if (!seen.has(id) && seen.size >= COUNTED_MAX) return 1;
  const count = (seen.get(id) ?? 0) + 1;
  seen.set(id, count);
  return count;
}

/**
 * Throws `too_many_requests`; says in the answer's headers what is left. Runs are bound by their team's rate alone.
 * `keyRate`: of this key, where it may ask less often than the plan allows.
 */
export function limitRates(c: Context<AppEnv>, keyRate = Infinity): void {
  const { teamId, keyId, plan, runId, now } = c.get("ctx").scope;
  const { rates: ofPlan } = boundsOf(plan);
  const rates = { key: Math.min(ofPlan?.key ?? Infinity, keyRate), team: ofPlan?.team ?? Infinity };
  if (rates.key === Infinity && rates.team === Infinity) return;
  const nowMs = now.getTime();
  const thisMinute = Math.floor(nowMs / MINUTE_MS);
  if (thisMinute !== minute) seen.clear();
  minute = thisMinute;
  const all = clientsOf(c).meter.requestCounts(teamId);
  const reported = all?.minute === thisMinute ? all : undefined;
  const used = {
    team: Math.max(countHere(teamId), reported?.team ?? 0),
    key: runId === undefined ? Math.max(countHere(keyId), reported?.keys[keyId] ?? 0) : 0,
  };
  const resetSeconds = Math.max(1, Math.ceil(((thisMinute + 1) * MINUTE_MS - nowMs) / 1_000));
  const left = { key: rates.key - used.key, team: rates.team - used.team };
  const name = left.key <= left.team ? "key" : "team";
  const bounded = (["key", "team"] as const).filter((each) => rates[each] !== Infinity);
  c.header("RateLimit-Policy", bounded.map((each) => `"${each}";q=${rates[each]};w=60`).join(", "));
  c.header("RateLimit", `"${name}";r=${Math.max(0, left[name])};t=${resetSeconds}`);
  if (left[name] >= 0) return;
  const problem = new Problem(
    "too_many_requests",
    `More than ${rates[name]} requests in a minute by this ${name}; wait ${resetSeconds} seconds.`,
  );
  problem.retryAfterSeconds = resetSeconds;
  throw problem;
}
