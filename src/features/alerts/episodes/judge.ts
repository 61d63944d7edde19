// An episode opens and ends by pure rules over its subject's runs.
//
//   a run failed, or no run succeeded in time ──► open ──► a run succeeded: recovered
//   a run succeeded, and tests warned ─────────────►┘└────► gone, stale without a schedule, or warned and now worse:
//                                                          dropped, and nobody hears

import { ALERT_LIMITS } from "../limits.ts";
import type { alertEpisodes } from "../../../platform/db/schema/alert-schema.ts";
import type { Subject } from "./subject.ts";

/** An episode is its row. */
export type Episode = typeof alertEpisodes.$inferSelect;

/** `reportedUntil`: failures up to then were parts of episodes. `watchedSince`: those before it nobody asked for. */
export type Watched = {
  subject: Pick<Subject, "success" | "warning" | "failure" | "isScheduled" | "scheduledSince" | "overdueBy">;
  open: Episode | null;
  reportedUntil: string | null;
  watchedSince: string;
};

export type Verdict =
  | { kind: "open"; cause: Episode["cause"]; since: string }
  | { kind: "recovered"; until: string }
  | { kind: "dropped" };

/** One episode at most is open of a subject: what goes wrong besides is a part of it. */
export function judge({ subject, open, reportedUntil, watchedSince }: Watched, now: Date): Verdict | undefined {
  if (open) return judgeOpen(open, subject);
  const { success, warning, failure, scheduledSince, overdueBy } = subject;
  const oldest = new Date(now.getTime() - ALERT_LIMITS.alertFailureMsMax).toISOString();
  const isNew = ({ endedAt }: { endedAt: string }): boolean => endedAt > watchedSince && endedAt > oldest;
  const reported = reportedUntil ?? "";
  if (failure && isNew(failure) && failure.endedAt > reported)
    return { kind: "open", cause: "failed", since: failure.endedAt };
  if (overdueBy) {
    const since = success && success.endedAt > scheduledSince ? success.endedAt : scheduledSince;
    return { kind: "open", cause: "stale", since };
  }
  // The run that ended an episode may itself have warned.
  const isWarned = warning && isNew(warning) && warning.endedAt >= reported && !isWorse(subject);
  return isWarned ? { kind: "open", cause: "warned", since: warning.endedAt } : undefined;
}

function judgeOpen({ cause, since }: Episode, subject: Watched["subject"]): Verdict | undefined {
  const { success, warning, isScheduled } = subject;
  const isWarned = cause === "warned";
  if (success && success.endedAt > since && !(isWarned && warning))
    return { kind: "recovered", until: success.endedAt };
  const isPast = isWarned ? isWorse(subject) : cause === "stale" && !isScheduled;
  return isPast ? { kind: "dropped" } : undefined;
}

/** Warnings go on silently where more is wrong, which an episode of its own tells of. */
const isWorse = ({ success, failure, overdueBy }: Watched["subject"]): boolean =>
  overdueBy !== null || (failure !== null && failure.endedAt > (success?.endedAt ?? ""));
