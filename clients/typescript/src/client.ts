// The client of Fjord's API: every operation by its types, and what goes beyond one request and one answer.

import createClient from "openapi-fetch";
import type { components, paths } from "../schema.d.ts";
import type { FjordApi } from "./api.ts";
import { askQuery, bodyOf, readResult, readRows, type Format, type NewQuery } from "./query.ts";
import type { QueryOptions, QueryResult } from "./query.ts";
import { DEFAULT_RETRY, type RetryPolicy } from "./retry.ts";
import { fetchBefore, send, type Fetch, type Transport } from "./send.ts";
import { uploadFile, type UploadOptions } from "./upload.ts";

export {
  MEDIA_TYPES,
  type Format,
  type NewQuery,
  type QueryOptions,
  type QueryResult,
  type ResultColumn,
} from "./query.ts";
export { itemsOf, type PageBounds } from "./pages.ts";
export { FjordProblem, type Flaw } from "./problem.ts";
export { DEFAULT_RETRY, type RetryPolicy } from "./retry.ts";
export type { FjordApi } from "./api.ts";
export type { UploadOptions, UploadState } from "./upload.ts";
export type { components, operations, paths } from "../schema.d.ts";

export type DriveFile = components["schemas"]["DriveFile"];
export type Row = Readonly<Record<string, unknown>>;

export type FjordOptions = Readonly<{
  /** Where the platform is, as `https://fjord.example.com`. */
  baseUrl: string;
  apiKey: string;
  retry?: Partial<RetryPolicy>;
  /** How long an answer may take to begin, in milliseconds; statements have their own deadline, too. */
  answerMsMax?: number;
  /** A `fetch` of the caller's own, as a Worker's service binding has. */
  fetch?: Fetch;
}>;

/** The longest that a statement may take, and a little for the way. */
const ANSWER_MS_MAX = 16 * 60_000;
const OBJECT_MS_MAX = 60_000;

/** Every method throws `FjordProblem` for what the platform refuses. */
export class Fjord {
  /** Every operation, by its path and method, as openapi-fetch calls them; `data` is there, since failures throw. */
  readonly api: FjordApi;
  readonly #transport: Transport;
  readonly #baseUrl: string;

  constructor({ baseUrl, apiKey, retry, answerMsMax = ANSWER_MS_MAX, fetch }: FjordOptions) {
    this.#baseUrl = baseUrl.replace(/\/+$/, "");
    const send = fetch ?? ((request: Request, init?: RequestInit) => globalThis.fetch(request, init));
    this.#transport = { fetch: send, apiKey, answerMsMax, retry: { ...DEFAULT_RETRY, ...retry } };
    this.api = createClient<paths>({ baseUrl: this.#baseUrl, fetch: (request) => this.#send(request) });
  }

  /** A request by its path alone, for what the typed operations do not cover. */
  readonly request = async (path: string, init: RequestInit = {}): Promise<Response> =>
    this.#send(new Request(`${this.#baseUrl}${path}`, init));

  /** The result as one document, which ends at 100,000 rows and then says that it is truncated. */
  async query<Shape = Row>(query: NewQuery | string, options: QueryOptions = {}): Promise<QueryResult<Shape>> {
    return readResult<Shape>(await askQuery(this.request, asQuery(query), "json", options));
  }

  /** The rows as they come, however many there are. */
  rows<Shape = Row>(query: NewQuery | string, options: QueryOptions = {}): AsyncGenerator<Shape, void, undefined> {
    return readRows<Shape>(askQuery(this.request, asQuery(query), "ndjson", options));
  }

  /** The result's bytes in a format. The stream fails where the result breaks off. */
  async stream(
    query: NewQuery | string,
    format: Format,
    options: QueryOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return bodyOf(await askQuery(this.request, asQuery(query), format, options));
  }

  /** Cancels a statement that runs, by the id under which it was sent. */
  async cancel(requestId: string): Promise<void> {
    await this.api.DELETE("/v1/query/{request_id}", { params: { path: { request_id: requestId } } });
  }

  /** Sends a file to the drive, in parts where it is large. */
  upload(path: string, file: Blob, options: UploadOptions = {}): Promise<void> {
    return uploadFile({ api: this.api, fetch: this.#transport.fetch }, path, file, options);
  }

  /** A file of the drive from a byte on, as a response whose body streams. */
  async download(path: string, options: { signal?: AbortSignal; fromByte?: number } = {}): Promise<Response> {
    const { signal, fromByte = 0 } = options;
    const { data } = await this.api.POST("/v3/drive/download-url", { body: { path }, signal: signal ?? null });
    const { etag } = data!.file;
    const range = fromByte > 0 ? { range: `bytes=${fromByte}-`, "if-match": `"${etag.replaceAll('"', "")}"` } : {};
    const request = new Request(data!.download_url, { headers: range, signal: signal ?? null });
    const response = await fetchBefore(OBJECT_MS_MAX, this.#transport.fetch, request);
    if (!response.ok) throw new Error(`The object store answered ${response.status}: ${await response.text()}`);
    return response;
  }

  /** The files of the drive below a prefix, in the order of their paths. */
  async *driveFiles(prefix = ""): AsyncGenerator<DriveFile, void, undefined> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { prefix, ...(cursor !== undefined && { cursor }) };
      const { data } = await this.api.GET("/v3/drive/files", { params: { query } });
      yield* data!.files;
      cursor = data!.cursor;
    }
  }

  #send(request: Request): Promise<Response> {
    return send(request, this.#transport);
  }
}

const asQuery = (query: NewQuery | string): NewQuery => (typeof query === "string" ? { sql: query } : query);
