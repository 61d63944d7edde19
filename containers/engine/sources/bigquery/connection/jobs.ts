// Query jobs: each is made under an id of ours, so that making it twice is making it once; watched until it is done,
// and cancelled where nobody waits for it any more.

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../../core/failure.ts";
import type { BoundValue } from "../../../../../kernel/semantic/query.ts";
import { queryParameters } from "../rows/bound-values.ts";
import { GoogleError, protocolViolation } from "./errors.ts";
import { CancelAnswer, DryRunJob, Job, ResultsPage, type Field } from "./resources.ts";
import type { RestClient } from "./rest.ts";
import { TIMEOUT_SLACK_MS } from "../../connector.ts";

/** How long the service may keep a question open whose answer is not there yet. */
const POLL_MS = 10_000;
/** Between two such answers of a service that does not keep them open. */
const PAUSE_MS = { first: 100, max: 2_000 };
const CANCEL_MS = 5_000;

export type QueryRequest = {
  /** The text is GoogleSQL. */
  sql: string;
  /** Each `?` has one value. Without values, the statement may hold no `?`. */
  values?: readonly BoundValue[] | undefined;
  signal: AbortSignal;
  /** The time left until the deadline, so that the service ends the job by itself where no program of ours does. */
  deadlineMs?: number | undefined;
  /** Whether the service may answer from its cache of equal queries; without it, it may not. */
  mayUseCache?: boolean | undefined;
  /** Where the tables are, where that is known; else the service finds out. */
  location?: string | undefined;
};

/** The service's answer about a statement that it planned and did not run. */
export type DryRun = {
  /** `statistics` of the job as the service sent them: whoever decides by them reads them. */
  statistics: unknown;
  /** Columns of the result, where it has any. */
  fields: readonly Field[];
  location: string | undefined;
};

/** A job that was made, and where. */
export type RunningJob = { jobId: string; location: string | undefined };

/** Asks what a statement would do: its kind, the tables it reads, its columns. Costs nothing and reads no row. */
export async function dryRun(rest: RestClient, request: QueryRequest): Promise<DryRun> {
  const { answer } = await rest.call({
    method: "POST",
    path: ["projects", rest.credentials.projectId, "jobs"],
    body: {
      jobReference: { projectId: rest.credentials.projectId, location: locationOf(rest, request) },
      configuration: { dryRun: true, ...configurationOf(rest, request) },
    },
    answer: DryRunJob,
    signal: request.signal,
  });
  const { status, statistics, jobReference } = answer;
  if (status.errorResult) throw new GoogleError(0, status.errorResult.reason, status.errorResult.message);
  return { statistics, fields: statistics.query.schema?.fields ?? [], location: jobReference.location };
}

/** Makes the job. A job that an earlier try made is taken as it is. */
export async function startJob(rest: RestClient, request: QueryRequest): Promise<RunningJob> {
  const { projectId: project } = rest.credentials;
  const jobId = `fjord_${randomUUID()}`;
  const location = locationOf(rest, request);
  const { deadlineMs } = request;
  const timeout =
    deadlineMs === undefined ? {} : { jobTimeoutMs: String(Math.max(1, Math.round(deadlineMs)) + TIMEOUT_SLACK_MS) };
  try {
    const { answer } = await rest.call({
      method: "POST",
      path: ["projects", project, "jobs"],
      body: {
        jobReference: { projectId: project, jobId, location },
        configuration: { ...timeout, labels: { application: "fjord" }, ...configurationOf(rest, request) },
      },
      answer: Job,
      signal: request.signal,
    });
    const { jobReference, status } = answer;
    if (jobReference.jobId !== jobId) protocolViolation("it made another job than was asked for");
    if (status.errorResult) throw new GoogleError(0, status.errorResult.reason, status.errorResult.message);
    return { jobId, location: jobReference.location ?? location };
  } catch (error) {
    if (error instanceof GoogleError && error.status === 409) return { jobId, location };
    // The service may have made it all the same.
    if (!(error instanceof GoogleError)) await cancelJob(rest, { jobId, location });
    throw error;
  }
}

const locationOf = (rest: RestClient, { location }: QueryRequest): string | undefined =>
  rest.credentials.location ?? location;

const configurationOf = (rest: RestClient, { sql, values, mayUseCache = false }: QueryRequest): object => ({
  query: {
    query: sql,
    useLegacySql: false,
    useQueryCache: mayUseCache,
    ...(rest.credentials.maximumBytesBilled === undefined
      ? {}
      : { maximumBytesBilled: rest.credentials.maximumBytesBilled }),
    ...(values ? { parameterMode: "POSITIONAL", queryParameters: queryParameters(values) } : {}),
  },
});

export type PageRequest = { rowsMax: number; pageToken?: string; startIndex?: number };

/** One page of a job's rows, or word that it is not done. Raw too: what it says twice may be compared. */
export const fetchPage = async (
  rest: RestClient,
  job: RunningJob,
  { rowsMax, pageToken, startIndex }: PageRequest,
  signal: AbortSignal,
): Promise<{ answer: ResultsPage; body: Buffer }> => {
  const fetched = await rest.call({
    path: ["projects", rest.credentials.projectId, "queries", job.jobId],
    query: {
      location: job.location,
      maxResults: String(rowsMax),
      pageToken,
      startIndex: startIndex === undefined ? undefined : String(startIndex),
      timeoutMs: String(POLL_MS),
      // Otherwise instants come as floating-point seconds, without their last digits.
      "formatOptions.useInt64Timestamp": "true",
    },
    answer: ResultsPage,
    signal,
  });
  const { jobReference, jobComplete, rows, totalRows } = fetched.answer;
  if (jobReference.jobId !== job.jobId) protocolViolation("it answers for another job");
  if (!jobComplete && (rows || totalRows !== undefined)) protocolViolation("it has rows of a job that is not done");
  return fetched;
};

/** Waits until the job is done, and gives its first page. Rejects with the job's own error where it has one. */
export async function firstPage(
  rest: RestClient,
  job: RunningJob,
  rowsMax: number,
  signal: AbortSignal,
): Promise<{ answer: ResultsPage; body: Buffer }> {
  for (let pause = PAUSE_MS.first; ; pause = Math.min(pause * 2, PAUSE_MS.max)) {
    const page = await fetchPage(rest, job, { rowsMax }, signal);
    if (page.answer.jobComplete) {
      await checkSucceeded(rest, job, page.answer, signal);
      return page;
    }
    await sleep(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** A page may come of a job that failed, under a status of success and without rows. Only the job says how it ended. */
async function checkSucceeded(
  rest: RestClient,
  job: RunningJob,
  page: ResultsPage,
  signal: AbortSignal,
): Promise<void> {
  const { state, errorResult } = (
    await rest.call({
      path: ["projects", rest.credentials.projectId, "jobs", job.jobId],
      query: { location: job.location },
      answer: Job,
      signal,
    })
  ).answer.status;
  if (errorResult) throw new GoogleError(0, errorResult.reason, errorResult.message);
  if (state !== "DONE") protocolViolation("it has rows of a job that is not done");
  // Warnings come in the same list; without rows there is nothing that says it was one.
  const [error] = page.errors ?? [];
  if (error && !page.rows?.length) throw new GoogleError(0, error.reason, error.message);
  if (!page.schema?.fields?.length) throw new Failure("statement_refused", "The statement gave no rows.");
}

/**
 * Asks the service to stop the job. Settles when the service has answered, or has not answered in time. Never rejects.
 */
export async function cancelJob(rest: RestClient, job: RunningJob): Promise<void> {
  await rest
    .call({
      method: "POST",
      path: ["projects", rest.credentials.projectId, "jobs", job.jobId, "cancel"],
      query: { location: job.location },
      answer: CancelAnswer,
      signal: AbortSignal.timeout(CANCEL_MS),
      triesMax: 2,
    })
    .catch(() => undefined);
}
