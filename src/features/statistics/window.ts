// The time range of an answer, and its buckets. This file is pure.

import { minuteOf } from "../../core/events/event-types.ts";

/** The time range that a caller asks for. */
export type WindowQuery = { bucketMinutes: number; windowHours: number };

/** In minutes since 1970. `spanMinutes`: of the rollups that its buckets are made of. */
export type Window = {
  startMinute: number;
  endMinute: number;
  bucketMinutes: number;
  buckets: number;
  spanMinutes: 1 | 10;
};

/**
 * Buckets begin at whole multiples of their length since 1970 in UTC, so that the same instant falls into the same
 * bucket whenever one asks. The last one has `now` in it and is not full yet, so it comes on top of those that the
 * window needs: the window is whole. A length that does not divide the window reaches back a little further.
 */
export function windowOf({ bucketMinutes, windowHours }: WindowQuery, now: Date): Window {
  const endMinute = (Math.floor(minuteOf(now.getTime()) / bucketMinutes) + 1) * bucketMinutes;
  const buckets = Math.ceil((windowHours * 60) / bucketMinutes) + 1;
  const spanMinutes = bucketMinutes % 10 === 0 ? 10 : 1;
  return { startMinute: endMinute - buckets * bucketMinutes, endMinute, bucketMinutes, buckets, spanMinutes };
}

export const instantOf = (minute: number): string => new Date(minute * 60_000).toISOString();
