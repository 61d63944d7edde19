// A lake's engine jobs report how far they are, and how they ended. Reports are kept by lease; the newest fence's
// report counts.

import type { JobOutcome, JobProgress } from "../../../kernel/jobs/job.ts";
import { LAKE_CATALOG_LIMITS } from "../format/limits.ts";
import { accept, refuse, type Answer } from "../../core/answer.ts";
import { isAlive } from "./leases.ts";

/** `fence` says whose word it is: to a caller whose job holds another one it says nothing. */
export type Reported<Value> = { fence: number; value: Value };

/**
 * Keeps how far a job is; progress that is reported after the end comes late, and is ignored. Refused with
 * `resource_conflict` once another job has taken over.
 */
export const keepProgress = (
  storage: DurableObjectStorage,
  lease: string,
  fence: number,
  progress: JobProgress,
): Answer<null> => keep(storage, lease, fence, { progress, outcome: null });

/** Keeps how a job ended, and with it how far it got. A second report replaces the first. */
export const keepOutcome = (
  storage: DurableObjectStorage,
  lease: string,
  fence: number,
  outcome: JobOutcome,
): Answer<null> =>
  keep(storage, lease, fence, { progress: outcome.progress, outcome: { ...outcome, progress: undefined } });

function keep(
  storage: DurableObjectStorage,
  lease: string,
  fence: number,
  report: { progress: JobProgress; outcome: object | null },
): Answer<null> {
  return storage.transactionSync(() => {
    const { sql } = storage;
    if (!isAlive(sql, lease, fence))
      return refuse("resource_conflict", "Another job has taken over; this one may not write any more.");
    const progress = JSON.stringify(report.progress);
    if (new TextEncoder().encode(progress).length > LAKE_CATALOG_LIMITS.progressBytesMax) {
      return refuse(
        "validation_failed",
        `What a job reports has at most ${LAKE_CATALOG_LIMITS.progressBytesMax} bytes.`,
      );
    }
    sql.exec("DELETE FROM fjord_jobs WHERE lease = ? AND fence <> ?", lease, fence);
    sql.exec(
      `INSERT INTO fjord_jobs (lease, fence, progress, outcome) VALUES (?, ?, ?, ?)
       ON CONFLICT (lease) DO UPDATE SET outcome = coalesce(excluded.outcome, outcome),
         progress = CASE WHEN excluded.outcome IS NULL AND outcome IS NOT NULL THEN progress
           ELSE excluded.progress END`,
      lease,
      fence,
      progress,
      report.outcome && JSON.stringify(report.outcome),
    );
    return accept(null);
  });
}

type JobRow = { fence: number; progress: string; outcome: string | null };

const findJob = (sql: SqlStorage, lease: string): JobRow | undefined =>
  sql.exec<JobRow>("SELECT fence, progress, outcome FROM fjord_jobs WHERE lease = ?", lease).toArray()[0];

export function findProgress(sql: SqlStorage, lease: string): Reported<JobProgress> | undefined {
  const job = findJob(sql, lease);
  return job && { fence: job.fence, value: JSON.parse(job.progress) as JobProgress };
}

/** Undefined while the job has not said how it ended. */
export function findOutcome(sql: SqlStorage, lease: string): Reported<JobOutcome> | undefined {
  const job = findJob(sql, lease);
  if (job?.outcome == null) return undefined;
  const outcome = JSON.parse(job.outcome) as Omit<JobOutcome, "progress">;
  return { fence: job.fence, value: { ...outcome, progress: JSON.parse(job.progress) as JobProgress } };
}
