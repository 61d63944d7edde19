// When an episode opens and when it ends, as pure rules over what is known of a subject.
//
//   a run failed, or no run succeeded in time ──► open ──► a run succeeded: recovered
//                                                  └─────► gone, or stale without a schedule: dropped, and nobody hears

import { LIMITS } from "../../../core/limits.ts";
import type { alertEpisodes } from "../../../platform/db/schema/alert-schema.ts";
import type { Subject } from "./subject.ts";

/** An episode is its row. */
export type Episode = typeof alertEpisodes.$inferSelect;

/** `reportedUntil`: failures up to then were parts of episodes. `watchedSince`: those before it nobody asked for. */
export type Watched = {
  subject: Pick<Subject, "success" | "failure" | "isScheduled" | "scheduledSince" | "overdueBy">;
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
  const { success, failure, isScheduled, scheduledSince, overdueBy } = subject;
  if (open) {
    if (success && success.endedAt > open.since) return { kind: "recovered", until: success.endedAt };
    return open.cause === "stale" && !isScheduled ? { kind: "dropped" } : undefined;
  }
  const oldest = new Date(now.getTime() - LIMITS.alertFailureMsMax).toISOString();
  const isNews = failure && [watchedSince, reportedUntil ?? "", oldest].every((bound) => failure.endedAt > bound);
  if (isNews) return { kind: "open", cause: "failed", since: failure.endedAt };
  if (!overdueBy) return undefined;
  const since = success && success.endedAt > scheduledSince ? success.endedAt : scheduledSince;
  return { kind: "open", cause: "stale", since };
}
