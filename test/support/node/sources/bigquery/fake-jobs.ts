// The fake's query jobs: made, watched, read page by page, cancelled.

import type { FakeDatabase, FakeResult, Parameter } from "./fake-database.ts";
import type { FakeField } from "./fake-rows.ts";
import { PROJECT } from "./fake-tokens.ts";

export const LOCATION = "EU";

export type Answer = {
  status: number;
  /** An object is sent as JSON; a text as it is. */
  body: object | string;
  headers?: Record<string, string>;
};

export type JobRequest = {
  jobReference?: { jobId?: string; location?: string };
  configuration: {
    dryRun?: boolean;
    jobTimeoutMs?: string;
    labels?: Record<string, string>;
    query: {
      query: string;
      useLegacySql?: boolean;
      useQueryCache?: boolean;
      maximumBytesBilled?: string;
      queryParameters?: Parameter[];
    };
  };
};

/** A statement that the fake was sent. */
export type SeenStatement = { sql: string; isDryRun: boolean; jobId: string; request: JobRequest };

type FakeJob = {
  jobId: string;
  request: JobRequest;
  result: Promise<FakeResult | undefined>;
  error?: { reason: string; message: string };
  isDone: boolean;
  /** Cancelled, or every row of it was sent. */
  isOver: boolean;
};

const ok = (body: object): Answer => ({ status: 200, body });

export const refusal = (status: number, reason: string, message: string): Answer => ({
  status,
  body: { error: { code: status, message, errors: [{ message, domain: "global", reason }], status: reason } },
});

export class FakeJobs {
  readonly statements: SeenStatement[] = [];
  readonly cancellations: string[] = [];
  /** Bytes that every statement is said to process. */
  bytesProcessed = 1_024;
  /** While it holds, no statement ends but by being cancelled. */
  isHeldUp = false;
  pageRows = 100_000;

  readonly #database: FakeDatabase;
  readonly #jobs = new Map<string, FakeJob>();

  constructor(database: FakeDatabase) {
    this.#database = database;
  }

  /** Jobs that run, or whose rows are read. */
  get running(): number {
    return [...this.#jobs.values()].filter(({ isOver }) => !isOver).length;
  }

  async insert(request: JobRequest): Promise<Answer> {
    const { dryRun: isDryRun = false, query } = request.configuration;
    const jobId = request.jobReference?.jobId ?? `job_${this.statements.length}`;
    if (this.#jobs.has(jobId)) return refusal(409, "duplicate", `Already Exists: Job ${PROJECT}:${LOCATION}.${jobId}`);
    this.statements.push({ sql: query.query, isDryRun, jobId, request });
    if (query.useLegacySql !== false) return refusal(400, "invalid", "The fake speaks GoogleSQL alone.");
    if (isDryRun) return this.#dryRun(request);
    const job: FakeJob = { jobId, request, result: Promise.resolve(undefined), isDone: false, isOver: false };
    job.result = this.#run(job);
    this.#jobs.set(jobId, job);
    // A statement that is wrong is so at once.
    await Promise.race([job.result, new Promise((resolve) => setTimeout(resolve, 20))]);
    return ok(this.#resource(job));
  }

  get(jobId: string): Answer {
    const job = this.#jobs.get(jobId);
    return job ? ok(this.#resource(job)) : notFound(`Job ${PROJECT}:${jobId}`);
  }

  cancel(jobId: string): Answer {
    this.cancellations.push(jobId);
    const job = this.#jobs.get(jobId);
    if (!job) return notFound(`Job ${PROJECT}:${jobId}`);
    job.isOver = true;
    if (!job.isDone)
      this.#end(job, { reason: "stopped", message: "Job execution was cancelled: User requested cancellation" });
    return ok({ kind: "bigquery#jobCancelResponse", job: this.#resource(job) });
  }

  async results(jobId: string, query: URLSearchParams): Promise<Answer> {
    const job = this.#jobs.get(jobId);
    if (!job) return notFound(`Job ${PROJECT}:${jobId}`);
    const waited = Math.min(Number(query.get("timeoutMs") ?? 10_000), 200);
    await Promise.race([job.result, new Promise((resolve) => setTimeout(resolve, waited))]);
    if (job.error) return refusal(400, job.error.reason, job.error.message);
    const head = { kind: "bigquery#getQueryResultsResponse", jobReference: reference(job) };
    const result = job.isDone ? await job.result : undefined;
    if (!result) return ok({ ...head, jobComplete: false });
    const start = Number(query.get("startIndex") ?? query.get("pageToken")?.replace(/^page-/, "") ?? 0);
    const count = Math.min(Number(query.get("maxResults") ?? this.pageRows), this.pageRows);
    const rows = await result.rows(start, count, query.get("formatOptions.useInt64Timestamp") === "true");
    const next = start + rows.length;
    const isLast = next >= result.totalRows;
    job.isOver ||= isLast;
    const { fields, totalRows } = result;
    const page = {
      ...head,
      schema: { fields },
      totalRows: String(totalRows),
      ...(isLast ? {} : { pageToken: `page-${next}` }),
    };
    // Google's order; the rows' text is as DuckDB wrote it.
    const text = JSON.stringify(page).slice(0, -1);
    return {
      status: 200,
      body: `${text},"rows":[${rows.join(",")}],"totalBytesProcessed":"1024","jobComplete":true,"cacheHit":false}`,
    };
  }

  async close(): Promise<void> {
    for (const { result } of this.#jobs.values()) (await result.catch(() => undefined))?.close();
  }

  async #dryRun(request: JobRequest): Promise<Answer> {
    const { query: sql, queryParameters = [] } = request.configuration.query;
    const statementType = statementTypeOf(sql);
    try {
      const fields: FakeField[] = statementType === "SELECT" ? await this.#database.describe(sql, queryParameters) : [];
      const referencedTables = this.#database
        .tablesOf(sql)
        .map(([datasetId, tableId]) => ({ projectId: PROJECT, datasetId, tableId }));
      const totalBytesProcessed = String(this.bytesProcessed);
      return ok({
        kind: "bigquery#job",
        jobReference: { projectId: PROJECT, location: LOCATION },
        configuration: request.configuration,
        status: { state: "DONE" },
        statistics: {
          totalBytesProcessed,
          query: { totalBytesProcessed, statementType, referencedTables, schema: { fields } },
        },
      });
    } catch (error) {
      const { reason, message } = explain(error);
      return refusal(reason === "notFound" ? 404 : 400, reason, message);
    }
  }

  async #run(job: FakeJob): Promise<FakeResult | undefined> {
    const { query: sql, queryParameters = [], maximumBytesBilled } = job.request.configuration.query;
    if (maximumBytesBilled !== undefined && Number(maximumBytesBilled) < this.bytesProcessed) {
      const message = `Query exceeded limit for bytes billed: ${maximumBytesBilled}. ${this.bytesProcessed} or higher required.`;
      this.#end(job, { reason: "bytesBilledLimitExceeded", message });
      return undefined;
    }
    try {
      const result = await this.#database.open(sql, queryParameters);
      while (this.isHeldUp && !job.isDone) await new Promise((resolve) => setTimeout(resolve, 10));
      job.isDone = true;
      return result;
    } catch (error) {
      this.#end(job, explain(error));
      return undefined;
    }
  }

  #end(job: FakeJob, error: { reason: string; message: string }): void {
    job.error = error;
    job.isDone = true;
    job.isOver = true;
  }

  #resource(job: FakeJob): object {
    const failed = job.error ? { errorResult: job.error, errors: [job.error] } : {};
    return {
      kind: "bigquery#job",
      jobReference: reference(job),
      configuration: job.request.configuration,
      status: { state: job.isDone ? "DONE" : "RUNNING", ...failed },
      statistics: { query: { statementType: statementTypeOf(job.request.configuration.query.query) } },
    };
  }
}

const reference = ({ jobId }: FakeJob) => ({ projectId: PROJECT, jobId, location: LOCATION });

const notFound = (what: string): Answer => refusal(404, "notFound", `Not found: ${what}`);

/** By the first word, and by whether there is a second statement. */
function statementTypeOf(sql: string): string {
  const [, word = ""] = /^[\s(]*([A-Za-z]+)/.exec(sql.replace(/(--|#)[^\n]*\n|\/\*[\s\S]*?\*\//g, " ")) ?? [];
  if (/;\s*\S/.test(sql) || /^(DECLARE|BEGIN|SET|IF|LOOP)$/i.test(word)) return "SCRIPT";
  return /^(SELECT|WITH|FROM)$/i.test(word) ? "SELECT" : word.toUpperCase();
}

function explain(error: unknown): { reason: string; message: string } {
  const message = error instanceof Error ? error.message : String(error);
  const [, missing] = /Table with name (\S+) does not exist/.exec(message) ?? [];
  return missing === undefined
    ? { reason: "invalidQuery", message: message.split("\n")[0]! }
    : { reason: "notFound", message: `Not found: Table ${PROJECT}:${missing} was not found in location ${LOCATION}` };
}
