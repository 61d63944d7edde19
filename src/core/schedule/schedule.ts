// Recurring work is due at fixed intervals, and at an offset of its own within the interval.

import { hashOf } from "../../../kernel/text/hash.ts";

export const SCHEDULES = ["hourly", "every_4_hours", "every_6_hours", "every_12_hours", "daily", "weekly"] as const;
export type Schedule = (typeof SCHEDULES)[number];

const HOUR_MS = 3_600_000;
const INTERVALS_MS: Record<Schedule, number> = {
  hourly: HOUR_MS,
  every_4_hours: 4 * HOUR_MS,
  every_6_hours: 6 * HOUR_MS,
  every_12_hours: 12 * HOUR_MS,
  daily: 24 * HOUR_MS,
  weekly: 168 * HOUR_MS,
};

export const intervalMs = (schedule: Schedule): number => INTERVALS_MS[schedule];

/**
 * Where in its interval the work with this id is due, in whole seconds: the same for ever, and spread evenly over all
 * ids.
 */
export const offsetMs = (schedule: Schedule, id: string): number =>
  (hashOf(id) % (INTERVALS_MS[schedule] / 1_000)) * 1_000;

/** The first due instant after `after`. Ticks that were missed lie behind it and are not made up for one by one. */
export function nextDue(schedule: Schedule, id: string, after: Date): Date {
  const interval = INTERVALS_MS[schedule];
  const offset = offsetMs(schedule, id);
  return new Date((Math.floor((after.getTime() - offset) / interval) + 1) * interval + offset);
}
