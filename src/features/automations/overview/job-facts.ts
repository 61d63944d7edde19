// What is known of how an automation job goes, and by when it should succeed. Pure.

import { parseCron } from "../../../core/cron.ts";
import { successDueBy } from "../../../core/staleness.ts";
import type { Job } from "../jobs/job.ts";

export type JobFacts = {
  job: Pick<
    Job,
    "id" | "teamId" | "name" | "resourceType" | "resourceId" | "kind" | "isEnabled" | "cron" | "timezone" | "updatedAt"
  >;
  success: { id: string; endedAt: string } | null;
  failure: { id: string; endedAt: string; error: string | null } | null;
  /** Whether a run of it has begun and not ended. */
  isRunning: boolean;
};

export const isScheduled = ({ isEnabled, cron }: JobFacts["job"]): boolean => isEnabled && cron !== null;

/**
 * By when it should succeed next, counted from its last success, or from its last change; null where nothing is
 * scheduled, or its first run goes on.
 */
export function dueByOf({ job, success, isRunning }: JobFacts): Date | null {
  if (!isScheduled(job) || (!success && isRunning)) return null;
  const parsed = parseCron(job.cron ?? "", job.timezone ?? "");
  if (!("next" in parsed)) return null;
  const since = success && success.endedAt > job.updatedAt ? success.endedAt : job.updatedAt;
  return successDueBy((after) => parsed.next(after), new Date(since));
}
