// Counts what a request was, for statistics and for the last use of its key. Nobody waits for it.

import type { BufferedEventType } from "../core/events/event-types.ts";
import type { CallContext } from "./call.ts";
import { durationSince } from "./meta.ts";

/** Counts an event that began with the request and ends now. */
export function countEvent(
  { scope, meter, startedAt, waitUntil }: Pick<CallContext, "scope" | "meter" | "startedAt" | "waitUntil">,
  type: BufferedEventType,
): void {
  const { teamId, keyId, runId } = scope;
  const event = { type, durationMs: durationSince(startedAt), keyId: runId === undefined ? keyId : undefined };
  meter.count(teamId, event, waitUntil);
}
