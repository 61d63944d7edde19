// A job's rows, page by page, each once and all of them: as many as the service counts, in one order, by tokens that
// are never the same. The next page is asked for while one is read.

import { createHash } from "node:crypto";
import { protocolViolation } from "./errors.ts";
import { fetchPage, firstPage, type RunningJob } from "./jobs.ts";
import type { Field, ResultsPage } from "./resources.ts";
import type { RestClient } from "./rest.ts";

/** The service cuts pages of wide rows itself, at some 10 to 20 MB. */
const PAGE_ROWS = 25_000;
/** Pages without a row, one after the other, of a result that has more. */
const EMPTY_PAGES_MAX = 5;

type Fetched = { answer: ResultsPage; body: Buffer };

export class JobPages {
  readonly fields: readonly Field[];
  readonly totalRows: number;
  readonly #rest: RestClient;
  readonly #job: RunningJob;
  readonly #first: Fetched;
  readonly #schema: string;
  readonly #tokens = new Set<string>();
  /** The digests of the rows of each page so far. */
  readonly #digests = new Set<string>();

  private constructor(rest: RestClient, job: RunningJob, first: Fetched) {
    this.#rest = rest;
    this.#job = job;
    this.#first = first;
    this.fields = first.answer.schema!.fields!;
    this.#schema = JSON.stringify(first.answer.schema);
    this.totalRows = Number(first.answer.totalRows ?? protocolViolation("it does not say how many rows there are"));
  }

  /** Waits for the job. Rejects as {@link firstPage} does. */
  static async open(rest: RestClient, job: RunningJob, signal: AbortSignal): Promise<JobPages> {
    return new JobPages(rest, job, await firstPage(rest, job, PAGE_ROWS, signal));
  }

  /** Ends after the last row that there is; everything else is an error. To be asked for once. */
  async *pages(signal: AbortSignal): AsyncGenerator<unknown[], void> {
    const given = new AbortController();
    const until = AbortSignal.any([signal, given.signal]);
    let rowsBefore = 0;
    let empty = 0;
    let next: Promise<Fetched> | undefined = Promise.resolve(this.#first);
    try {
      while (next) {
        const page: Fetched = await next;
        const rows = this.#checked(page.answer, rowsBefore);
        empty = rows.length === 0 ? empty + 1 : 0;
        if (empty > EMPTY_PAGES_MAX) protocolViolation("its pages hold no rows, and do not end");
        const { pageToken } = page.answer;
        next = pageToken === undefined ? undefined : this.#ask(pageToken, until);
        await this.#checkNew(page, rows, rowsBefore, until);
        rowsBefore += rows.length;
        if (rows.length > 0) yield rows;
      }
      if (rowsBefore !== this.totalRows)
        protocolViolation(`of ${this.totalRows} rows it sent ${rowsBefore}, and no more`);
    } finally {
      given.abort();
    }
  }

  #ask(pageToken: string, signal: AbortSignal): Promise<Fetched> {
    if (this.#tokens.has(pageToken)) protocolViolation("a page is followed by one that was read before");
    this.#tokens.add(pageToken);
    const asked = fetchPage(this.#rest, this.#job, { rowsMax: PAGE_ROWS, pageToken }, signal);
    // A later reader that awaits the page gets its error. Where nobody reads on, the error matters to nobody.
    asked.catch(() => undefined);
    return asked;
  }

  #checked({ jobComplete, totalRows, schema, rows = [] }: ResultsPage, rowsBefore: number): unknown[] {
    if (!jobComplete) protocolViolation("a job that was done no longer is");
    if (Number(totalRows) !== this.totalRows) protocolViolation("its pages do not agree on how many rows there are");
    if (schema && JSON.stringify(schema) !== this.#schema) protocolViolation("its pages do not agree on their columns");
    if (rowsBefore + rows.length > this.totalRows) protocolViolation("it sent more rows than it says there are");
    return rows;
  }

  /**
   * Rows that came before, to the byte, may be there twice, or the page was: the same rows are asked for by where they
   * stand, and have to come again.
   */
  async #checkNew({ body }: Fetched, rows: unknown[], rowsBefore: number, signal: AbortSignal): Promise<void> {
    if (rows.length === 0) return;
    const digest = createHash("sha1").update(rowBytes(body)).digest("base64");
    if (!this.#digests.has(digest)) {
      this.#digests.add(digest);
      return;
    }
    const { answer } = await fetchPage(this.#rest, this.#job, { rowsMax: rows.length, startIndex: rowsBefore }, signal);
    const again = answer.rows ?? [];
    const isSame = again.length > 0 && JSON.stringify(again) === JSON.stringify(rows.slice(0, again.length));
    if (!isSame) protocolViolation("it sent a page of rows twice");
  }
}

/** The list of rows within an answer, whatever stands around it. Two that differ only there have the same rows. */
const rowBytes = (body: Buffer): Buffer => body.subarray(Math.max(0, body.indexOf('"rows"')), body.lastIndexOf("]"));
