// Counts what a request was, for statistics and for the last use of its key. Nobody waits for it.

import type { Context } from "hono";
import type { BufferedEventType } from "../core/events/event-types.ts";
import { clientsOf, type AppEnv } from "./app-env.ts";
import { durationMs } from "./meta.ts";

/** One that began with the request and ends now. */
export function countEvent(c: Context<AppEnv>, type: BufferedEventType): void {
  const { teamId, keyId, runId } = c.get("ctx").scope;
  const event = { type, durationMs: durationMs(c), keyId: runId === undefined ? keyId : undefined };
  clientsOf(c).meter.count(teamId, event, (work) => c.executionCtx.waitUntil(work));
}
