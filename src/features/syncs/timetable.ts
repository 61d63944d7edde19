// A sync is due by its cron expression, or at a minute of its own within the interval. Pure.

import { parseCron, type CronSchedule } from "../../core/schedule/cron.ts";
import { SYNC_LIMITS } from "./limits.ts";
import type { Flaw } from "../../core/problem.ts";
import { nextDue, type Schedule } from "../../core/schedule/schedule.ts";

type Timed = { id: string; schedule: Schedule; cron: string | null; timezone: string | null };

/** The first time after `after`. Times that were missed lie behind it, and are not made up for one by one. */
export function nextRunOf({ id, schedule, cron, timezone }: Timed, after: Date): Date {
  const parsed = cron === null || timezone === null ? undefined : parseCron(cron, timezone);
  // A zone that was known once may leave the time zone database: such a sync goes on, at its own minute.
  return parsed && "next" in parsed ? parsed.next(after) : nextDue(schedule, id, after);
}

const DAY_MS = 86_400_000;
const MINUTES_MIN = SYNC_LIMITS.cronMsMin / 60_000;

/** The flaws of a timetable that was sent: both fields are there, or neither. */
export function flawsOfTimetable(
  { cron, timezone }: { cron?: string | undefined; timezone?: string | undefined },
  now: Date,
): Flaw[] {
  if (cron === undefined)
    return timezone === undefined ? [] : [flaw("timezone", "is for `cron`, which is missing: send both, or neither.")];
  if (timezone === undefined) return [flaw("timezone", "is missing: `cron` is read in an IANA zone, such as UTC.")];
  const parsed = parseCron(cron, timezone);
  if ("reason" in parsed) return [flaw(parsed.field, `${parsed.reason}.`)];
  return isTooOften(cron, now) ? [flaw("cron", `is due more often than every ${MINUTES_MIN} minutes.`)] : [];
}

const flaw = (field: "cron" | "timezone", rest: string): Flaw => ({
  pointer: `/${field}`,
  message: `\`${field}\` ${rest}`,
});

/**
 * Five fields are due at the same minutes of each of their days, and two days on end show every gap there is, whichever
 * days these are. In UTC, so that no change of clocks makes one seem shorter.
 */
function isTooOften(cron: string, now: Date): boolean {
  const [minute, hour] = cron.trim().split(/\s+/);
  const times = parseCron(`${minute} ${hour} * * *`, "UTC") as CronSchedule;
  const first = times.next(now);
  for (let last = first; last.getTime() - first.getTime() <= 2 * DAY_MS; ) {
    const next = times.next(last);
    if (next.getTime() - last.getTime() < SYNC_LIMITS.cronMsMin) return true;
    last = next;
  }
  return false;
}
