// The facts of an automation job's last runs, and whether it should have succeeded by now. This file is pure.

import { parseCron } from "../../../core/schedule/cron.ts";
import { overdueBy } from "../../../core/schedule/staleness.ts";
import type { Job } from "../jobs/job.ts";

/** `attemptJobId`: of its last attempt, the engine's job or the doc's run. */
type EndedRun = { id: string; endedAt: string; attemptJobId: string | null };

export type JobFacts = {
  job: Pick<
    Job,
    | "id"
    | "teamId"
    | "name"
    | "resourceType"
    | "resourceId"
    | "kind"
    | "datasetKeys"
    | "isEnabled"
    | "pausedReason"
    | "cron"
    | "timezone"
    | "updatedAt"
  >;
  success: EndedRun | null;
  failure: (EndedRun & { error: string | null }) | null;
  /** Whether a run of it has begun and not ended. */
  isRunning: boolean;
};

/** What staleness follows from: `success` is when the work, or what it makes, was last well. */
type Recurring = Pick<JobFacts, "job" | "isRunning"> & { success: { endedAt: string } | null };

export const isScheduled = ({ isEnabled, cron }: JobFacts["job"]): boolean => isEnabled && cron !== null;

/**
 * By when it should have succeeded, where that is past: counted from its last success, or from its last change. Null
 * where nothing is scheduled, and while its first run goes on.
 */
export function overdueByOf({ job, success, isRunning }: Recurring, now: Date): Date | null {
  if (!isScheduled(job) || (!success && isRunning)) return null;
  const parsed = parseCron(job.cron ?? "", job.timezone ?? "");
  if (!("next" in parsed)) return null;
  const since = success && success.endedAt > job.updatedAt ? success.endedAt : job.updatedAt;
  return overdueBy((after) => parsed.next(after), new Date(since), now);
}
