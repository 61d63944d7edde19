// Ids of engine jobs: each names the run it is an attempt of, so that its log lines and files say where they come from.

const JOB_ID = /^(.{36})-(\d{1,6})-[0-9a-f]{8}$/;

/**
 * Never the same twice, not even for one attempt: an attempt that did not get off the ground starts anew under another.
 */
export const newJobId = (runId: string, attempt: number): string =>
  `${runId}-${attempt}-${crypto.randomUUID().slice(0, 8)}`;

/** The run and attempt of a job; a job that belongs to no run is its own first attempt. */
export function attemptOfJob(jobId: string): { runId: string; attempt: number } {
  const [, runId, attempt] = JOB_ID.exec(jobId) ?? [];
  return runId === undefined ? { runId: jobId, attempt: 1 } : { runId, attempt: Number(attempt) };
}
