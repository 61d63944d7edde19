// A run as a client of the platform: its heartbeats, logs, results and reports, and its queries.

import { createWriteStream } from "node:fs";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import {
  ResultUploadAnswer,
  RunHeartbeatAnswer,
  type DatasetReport,
  type ResultUpload,
  type RunLog,
  type RunReport,
} from "../contract/protocol.ts";

const ANSWER_MS = 15_000;
const ATTEMPTS_MAX = 3;
/**
 * A report that is not delivered leaves a run without an end, a result that is not stored fails code that has done its
 * work: worth about a minute.
 */
const LAST_ATTEMPTS_MAX = 8;
const BACKOFF_MS = 200;
const BACKOFF_MS_MAX = 15_000;
const ARROW = "application/vnd.apache.arrow.stream";

/** The platform's own no, in its own words, which are written for people. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, body: string) {
    super(messageOf(body) ?? `the platform answered ${status}`);
    this.status = status;
  }
}

export type QueryBody =
  | { sql: string; integration_id?: string }
  | { cube_query: Record<string, unknown>; integration_id?: string };

export class RunPlatform {
  readonly #url: string;
  readonly #runId: string;
  readonly #token: string;

  constructor(url: string, runId: string, token: string) {
    this.#url = url;
    this.#runId = runId;
    this.#token = token;
  }

  heartbeat = (running: string[]) => this.#ask("heartbeat", { running }, RunHeartbeatAnswer, 1);
  log = (lines: z.infer<typeof RunLog>) => this.#ask("log", lines, z.unknown());
  openResult = (result: z.infer<typeof ResultUpload>) =>
    this.#ask("results", result, ResultUploadAnswer, LAST_ATTEMPTS_MAX);
  report = (report: DatasetReport) => this.#ask("report", report, z.unknown());
  finish = (report: RunReport) => this.#ask("finish", report, z.unknown(), LAST_ATTEMPTS_MAX);

  /** POSTs with the run's token. Tries again on 5xx, 429 and broken connections: every route may be repeated. */
  async post<T>(path: string, body: unknown, answer: z.ZodType<T>, attempts = ATTEMPTS_MAX): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await fetch(new URL(path, this.#url), {
          method: "POST",
          headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(ANSWER_MS),
        });
        const text = await response.text();
        if (!response.ok) throw new Refusal(response.status, text);
        return answer.parse(text === "" ? undefined : JSON.parse(text));
      } catch (error) {
        const lasting =
          error instanceof Refusal
            ? error.status < 500 && error.status !== 429
            : !(error instanceof TypeError || error instanceof DOMException);
        if (lasting || attempt >= attempts) throw error;
        await delay(Math.min(BACKOFF_MS_MAX, BACKOFF_MS * 2 ** attempt) * (0.5 + Math.random()));
      }
    }
  }

  #ask<T>(verb: string, body: unknown, answer: z.ZodType<T>, attempts?: number): Promise<T> {
    return this.post(`/internal/runs/${encodeURIComponent(this.#runId)}/${verb}`, body, answer, attempts);
  }

  /**
   * Asks a query with the run's key, and keeps its result as an Arrow stream. Answers its bytes; rejects with an Error
   * for the author.
   */
  async query(
    apiKey: string,
    body: QueryBody,
    timeoutMs: number,
    file: string,
    bytesMax: number,
    signal: AbortSignal,
  ): Promise<number> {
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(new URL("/v1/query", this.#url), {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", accept: ARROW },
        body: JSON.stringify({ ...body, timeout_ms: timeoutMs }),
        signal: AbortSignal.any([signal, deadline]),
      });
      if (!response.ok) throw new Refusal(response.status, await response.text());
      if (!response.headers.get("content-type")?.startsWith(ARROW) || !response.body)
        throw new Error("The query was not answered as an Arrow stream.");
      let bytes = 0;
      const count = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          bytes += chunk.length;
          done(
            bytes > bytesMax
              ? new Error(`The query's result is larger than ${bytesMax} bytes. Select fewer rows or columns.`)
              : null,
            chunk,
          );
        },
      });
      await pipeline(
        Readable.fromWeb(response.body as import("node:stream/web").ReadableStream),
        count,
        createWriteStream(file, { mode: 0o600 }),
      );
      return bytes;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (deadline.aborted) throw new Error(`The query ran longer than its ${timeoutMs} ms.`);
      if (error instanceof TypeError)
        throw new Error("The query broke off; the platform's log says why.", { cause: error });
      throw error;
    }
  }
}

function messageOf(body: string): string | undefined {
  try {
    const { message } = JSON.parse(body) as { message?: string };
    return message;
  } catch {
    return undefined;
  }
}
