// Connections to BigQuery reach Google's two hosts by addresses that were checked, or the emulator that stands in for
// both.

import type { BigQueryCredentials } from "../../../../../kernel/wire/source.ts";
import { emulatorOf } from "../../emulator.ts";
import { PinnedHttp } from "../../services/pinned-http.ts";
import { RowCollector, type RowFormat, type TextRow } from "../../row-collector.ts";
import { createCellReader } from "../rows/cell-text.ts";
import { describeColumns, type ResultColumn } from "../rows/column-types.ts";
import { checkCredentials } from "./check-credentials.ts";
import { protocolViolation } from "./errors.ts";
import { GoogleHost, SOCKETS_MAX } from "./google-host.ts";
import { cancelJob, dryRun, startJob, type DryRun, type QueryRequest, type RunningJob } from "./jobs.ts";
import { JobPages } from "./pages.ts";
import type { Field } from "./resources.ts";
import { TOKEN_URL } from "./service-account.ts";
import { PATIENCE, RestClient, type Call, type Hosts, type Patience } from "./rest.ts";

const API = "https://bigquery.googleapis.com";

/** Takes a row's cells, canonical text or null. A promise pauses the reading; false, or a promise of it, ends it. */
export type TakeCells = (cells: (string | null)[]) => boolean | void | Promise<boolean | void>;

/** Rows of a job that is done. */
export type StreamedRows = {
  fields: readonly Field[];
  columns: readonly ResultColumn[];
  /** The service itself counted these rows. */
  totalRows: number;
  /** Feeds every row to `take`. Rejects unless every row came exactly once. May be called once only. */
  rows(take: TakeCells): Promise<void>;
};

export class BigQueryConnection {
  readonly rest: RestClient;
  readonly isEncrypted: boolean;
  readonly #http: PinnedHttp;
  readonly #jobs = new Set<RunningJob>();

  constructor(rest: RestClient, http: PinnedHttp, isEncrypted: boolean) {
    this.rest = rest;
    this.isEncrypted = isEncrypted;
    this.#http = http;
  }

  get project(): string {
    return this.rest.credentials.projectId;
  }

  /** Rejects with a GoogleError, a Failure, or the signal's reason; so do the others. */
  dryRun(request: QueryRequest): Promise<DryRun> {
    return dryRun(this.rest, request);
  }

  /**
   * Runs a statement and gives its rows once they are there. The service stops the job as soon as nobody reads any
   * more: where `signal` aborts, where `take` has enough or throws, and where the rows are not as they should be.
   */
  async stream(request: QueryRequest): Promise<StreamedRows> {
    const job = await startJob(this.rest, request);
    this.#jobs.add(job);
    const pages = await this.#orStop(job, () => JobPages.open(this.rest, job, request.signal));
    return {
      fields: pages.fields,
      columns: describeColumns(pages.fields),
      totalRows: pages.totalRows,
      rows: (take) =>
        this.#orStop(job, async () => {
          const read = createCellReader(pages.fields);
          for await (const page of pages.pages(request.signal))
            for (const row of page) {
              const taken = take(read(row));
              if ((taken instanceof Promise ? await taken : taken) === false) return this.#stop(job);
            }
          this.#jobs.delete(job);
        }),
    };
  }

  async #orStop<T>(job: RunningJob, use: () => Promise<T>): Promise<T> {
    try {
      return await use();
    } catch (error) {
      await this.#stop(job);
      throw error;
    }
  }

  async #stop(job: RunningJob): Promise<void> {
    if (this.#jobs.delete(job)) await cancelJob(this.rest, job);
  }

  /** Reads the rows of a statement of the engine's own. */
  async fetchRows(sql: string, format: RowFormat, signal: AbortSignal): Promise<TextRow[]> {
    const collector = new RowCollector(format, protocolViolation);
    const { rows } = await this.stream({ sql, signal });
    await rows((cells) => collector.add(cells));
    return collector.rows;
  }

  /** One of the API's resources. `path` is that below the project. */
  async get<T>({ path, ...call }: Call<T>): Promise<T> {
    return (await this.rest.call({ ...call, path: ["projects", this.project, ...path] })).answer;
  }

  /** Has the service stop every job whose rows were not all read, and closes the sockets. Never rejects. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#jobs, (job) => this.#stop(job)));
    this.#http.close(new Error("The connection was closed."));
  }
}

/**
 * Nothing is asked of the account before the first call. Rejects with `connection_failed` and a reason, or with
 * `signal.reason`.
 */
export async function connect(
  credentials: BigQueryCredentials,
  signal: AbortSignal,
  patience: Patience = PATIENCE,
): Promise<BigQueryConnection> {
  const checked = checkCredentials(credentials);
  signal.throwIfAborted();
  const http = new PinnedHttp("BigQuery", { socketsMax: SOCKETS_MAX });
  const emulator = emulatorOf("bigquery");
  const [api, token] = [emulator ?? new URL(API), emulator ?? new URL(TOKEN_URL)];
  await Promise.all([api, token].map(({ hostname }) => http.dial(hostname, signal)));
  const hosts: Hosts = { api: new GoogleHost(http, api), token: new GoogleHost(http, token) };
  return new BigQueryConnection(new RestClient(checked, hosts, patience), http, hosts.api.isEncrypted);
}
