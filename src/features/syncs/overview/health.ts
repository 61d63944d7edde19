// The faults of a sync, graded and in words. This file is pure.

import { overdueBy, successDueBy } from "../../../core/schedule/staleness.ts";
import { nextRunOf } from "../timetable.ts";
import type { SyncFacts } from "./facts.ts";

export const HEALTHS = ["ok", "failing", "stale", "never_ran", "paused"] as const;
export type Health = (typeof HEALTHS)[number];

/** `dueBy`: by when it should have succeeded again; null where nothing is scheduled, or its first run goes on. */
export type Graded = { health: Health; problem: string | null; dueBy: string | null };

/**
 * From when on a sync is to succeed again: from its last success, or from when it was configured or resumed; null where
 * nothing is scheduled. A first run may take as long as a run may: all of a database is read.
 */
function expectedSince({ sync, success, newest }: SyncFacts): Date | null {
  if (sync.status !== "active") return null;
  if (!success && newest?.endedAt === null) return null;
  return new Date(success && success.endedAt > sync.updatedAt ? success.endedAt : sync.updatedAt);
}

const timetableOf =
  ({ sync }: SyncFacts) =>
  (after: Date) =>
    nextRunOf(sync, after);

/** By when it should have succeeded, where that is past. */
export function overdueByOf(facts: SyncFacts, now: Date): Date | null {
  const since = expectedSince(facts);
  return since && overdueBy(timetableOf(facts), since, now);
}

export function gradeSync(facts: SyncFacts, now: Date): Graded {
  const { sync, success, failure } = facts;
  const since = expectedSince(facts);
  const dueBy = since && successDueBy(timetableOf(facts), since);
  const graded = (health: Health, problem: string | null): Graded => ({
    health,
    problem,
    dueBy: dueBy?.toISOString() ?? null,
  });
  const lastSuccess = success ? `Its last success ended at ${success.endedAt}.` : "It has never succeeded.";
  if (sync.status === "paused") return graded("paused", `It is paused, and starts no run by itself. ${lastSuccess}`);
  if (failure && (!success || failure.endedAt > success.endedAt))
    return graded(
      "failing",
      `Its run that ended at ${failure.endedAt} failed: ${failure.error ?? "no reason is known"}`,
    );
  if (dueBy && dueBy <= now)
    return graded("stale", `It should have succeeded by ${dueBy.toISOString()}. ${lastSuccess}`);
  return success ? graded("ok", null) : graded("never_ran", neverRan(facts));
}

const neverRan = ({ newest }: SyncFacts): string =>
  newest?.endedAt === null ? "Its first run has not ended yet." : "No run of it has brought all its tables yet.";
