// An isolate hands reports to a team's meter, which answers each of them.

import type { DurationSummary } from "../../core/events/duration-summary.ts";
import type { BufferedEventType } from "../../core/events/event-types.ts";

/** `keyId`: of the key whose use it is, where it is a person's. */
export type BufferedEvent = { type: BufferedEventType; durationMs: number; keyId?: string | undefined };

/** The events of one kind that ended in one minute, counted from 1970. */
export type EventSum = DurationSummary & { type: BufferedEventType; minute: number };

/**
 * `source` and `sequence` name it: one that is sent again, since no answer came, counts once. `keyUses`: when each key
 * was used last, in Unix milliseconds. `requests`: how many each key has made.
 */
export type MeterReport = {
  teamId: string;
  source: string;
  sequence: number;
  events: EventSum[];
  keyUses: Record<string, number>;
  requests: Record<string, number>;
};

/** The requests of one minute that all isolates have reported so far: the team's, and those of each reported key. */
export type RequestCounts = { minute: number; team: number; keys: Record<string, number> };

/**
 * Use of a month's bound, as `2026-11`: `amount` more, as far as `limit` allows. `what` is the bound's name in the
 * quotas.
 */
export type Reservation = { what: string; month: string; amount: number; limit: number };
/** `used` counts what is granted to anybody this month. */
export type Reserved = { granted: number; used: number };

/** Among what was used in a month: statements as they ended, whether or not the plan bounds them. */
export const QUERIES_RUN = "queries_run";
