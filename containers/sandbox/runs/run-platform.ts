// A run as a client of the platform: its heartbeats, logs, results and reports.

import { z } from "zod";
import { PlatformClient, type PlatformRequest } from "../../program/platform-client.ts";
import {
  ResultUploadAnswer,
  RunHeartbeatAnswer,
  type DatasetReport,
  type ResultUpload,
  type RunLog,
  type RunReport,
} from "../../../kernel/wire/sandbox.ts";

/**
 * A report that is not delivered leaves a run without an end, a result that is not stored fails code that has done its
 * work: worth about a minute.
 */
const LAST_ATTEMPTS_MAX = 8;

export class RunPlatform {
  readonly #client: PlatformClient;
  readonly #runId: string;

  constructor(url: string, runId: string, token: string) {
    this.#client = new PlatformClient(url, token);
    this.#runId = runId;
  }

  heartbeat = (running: string[]) => this.#post("heartbeat", { running }, RunHeartbeatAnswer, 1);
  /** A heartbeat before anything is done: worth waiting for, unless the run ends meanwhile. */
  ask = (signal: AbortSignal) =>
    this.post({
      path: this.#path("heartbeat"),
      body: { running: [] },
      answer: RunHeartbeatAnswer,
      attempts: LAST_ATTEMPTS_MAX,
      signal,
    });
  log = (lines: z.infer<typeof RunLog>) => this.#post("log", lines, z.unknown());
  openResult = (result: z.infer<typeof ResultUpload>) =>
    this.#post("results", result, ResultUploadAnswer, LAST_ATTEMPTS_MAX);
  report = (report: DatasetReport) => this.#post("report", report, z.unknown());
  finish = (report: RunReport) => this.#post("finish", report, z.unknown(), LAST_ATTEMPTS_MAX);

  /** Posts like {@link PlatformClient.post}, with the run's token. */
  post<T>(request: PlatformRequest<T>): Promise<T> {
    return this.#client.post(request);
  }

  #path = (verb: string): string => `/internal/runs/${encodeURIComponent(this.#runId)}/${verb}`;

  #post<T>(verb: string, body: unknown, answer: z.ZodType<T>, attempts?: number): Promise<T> {
    return this.post({ path: this.#path(verb), body, answer, attempts });
  }
}
