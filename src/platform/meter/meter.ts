// The teams' meters as the rest of the Worker sees them. What happens in requests is summed up in the isolate, and
// handed to the meter at most once a second and after the answer: no request waits for it. An isolate that dies loses
// what it had not handed over yet, of a second.

import { newId } from "../../core/ids.ts";
import { EVENT_LIMITS } from "../../core/events/limits.ts";
import type { MeterObject } from "./meter-object.ts";
import type { BufferedEvent, RequestCounts } from "./report.ts";
import { TeamBuffer } from "./team-buffer.ts";

/** Keeps work alive after the answer. */
export type WaitUntil = (work: Promise<unknown>) => void;

export type Meter = {
  /** Counts an event that ends now. */
  count(teamId: string, event: BufferedEvent, waitUntil: WaitUntil): void;
  /** What the meter said last of this minute's requests; undefined where it has not been heard of. */
  requestCounts(teamId: string): RequestCounts | undefined;
  /** The team's object itself, for what has to be exact. */
  openObject(teamId: string): DurableObjectStub<MeterObject>;
};

export function openMeter(env: Pick<Env, "METER">): Meter {
  const buffers = new Map<string, TeamBuffer>();
  const openObject = (teamId: string) => env.METER.get(env.METER.idFromName(teamId));

  const open = (teamId: string): TeamBuffer | undefined => {
    const known = buffers.get(teamId);
    // In the order they were used, so that those are first that may go.
    buffers.delete(teamId);
    if (known) buffers.set(teamId, known);
    if (known) return known;
    if (buffers.size >= EVENT_LIMITS.meterTeamsMax && !dropEmpty(buffers)) return undefined;
    const buffer = new TeamBuffer(teamId, newId(), (report) => openObject(teamId).add(report));
    buffers.set(teamId, buffer);
    return buffer;
  };

  return {
    count(teamId, event, waitUntil) {
      const buffer = open(teamId);
      if (!buffer) return console.error(JSON.stringify({ event: "meter_full", teamId, type: event.type }));
      buffer.add(event, Date.now());
      const sending = buffer.send();
      if (sending) waitUntil(sending);
    },
    requestCounts: (teamId) => buffers.get(teamId)?.requestCounts,
    openObject,
  };
}

/** Makes room by a team that was not heard of for the longest time. False where each has something to hand over. */
function dropEmpty(buffers: Map<string, TeamBuffer>): boolean {
  for (const [teamId, buffer] of buffers) if (buffer.isEmpty) return buffers.delete(teamId);
  return false;
}
