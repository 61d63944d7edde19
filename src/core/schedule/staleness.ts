// Work that recurs is stale if it should have succeeded again by now. Pure.

import { SCHEDULE_LIMITS } from "./limits.ts";

/** The first time that work is due after an instant. */
export type Timetable = (after: Date) => Date;

/**
 * By when work that last succeeded at `since` should have done so again: when it is due next, and as long after that as
 * until the time after, but no less than half an hour and no more than half a day.
 */
export function successDueBy(next: Timetable, since: Date): Date {
  const due = next(since);
  const slackMs = next(due).getTime() - due.getTime();
  return new Date(
    due.getTime() + Math.min(SCHEDULE_LIMITS.staleSlackMsMax, Math.max(SCHEDULE_LIMITS.staleSlackMsMin, slackMs)),
  );
}

/**
 * The instant at which work became stale; null where that is not past. It is asked of much work at once, most of which
 * is not stale, and then looks at one or two instants of the timetable.
 */
export function overdueBy(next: Timetable, since: Date, now: Date): Date | null {
  const early = now.getTime() - SCHEDULE_LIMITS.staleSlackMsMin;
  if (since.getTime() > early || next(since).getTime() > early) return null;
  const dueBy = successDueBy(next, since);
  return dueBy <= now ? dueBy : null;
}
