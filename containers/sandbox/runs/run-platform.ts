// A run as a client of the platform: its heartbeats, logs, results and reports.

import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { isUnanswered, PlatformClient, PlatformRefusal, type PlatformRequest } from "../../program/platform-client.ts";
import { PublishedResult, StagedResult, type StageCall } from "../../../kernel/wire/run-builds.ts";
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
const PAUSE_MS = 1_000;

/** How long a call may take in all, and what ends it before. */
export type Wait = { waitMs: number; signal: AbortSignal };

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
  stage = (call: z.infer<typeof StageCall>, wait: Wait) => this.#await("stage", call, StagedResult, wait);
  publish = (wait: Wait) => this.#await("publish", {}, PublishedResult, wait);
  report = (report: DatasetReport) => this.#post("report", report, z.unknown());
  finish = (report: RunReport) => this.#post("finish", report, z.unknown(), LAST_ATTEMPTS_MAX);

  /** Posts like {@link PlatformClient.post}, with the run's token. */
  post<T>(request: PlatformRequest<T>): Promise<T> {
    return this.#client.post(request);
  }

  /**
   * A call that the platform works for, and that may come again: it is made anew while its outcome is open, because the
   * connection broke or an earlier call is at it.
   */
  async #await<T>(verb: string, body: unknown, answer: z.ZodType<T>, { waitMs, signal }: Wait): Promise<T> {
    const until = performance.now() + waitMs;
    for (let failures = 0; ; ) {
      const answerMs = Math.max(1, Math.ceil(until - performance.now()));
      try {
        return await this.post({ path: this.#path(verb), body, answer, attempts: 1, answerMs, signal });
      } catch (error) {
        const isAtWork = error instanceof PlatformRefusal && error.code === "work_in_progress";
        const isPassing = isUnanswered(error) || (error instanceof PlatformRefusal && error.isPassing);
        if (!isAtWork && (!isPassing || ++failures >= LAST_ATTEMPTS_MAX)) throw error;
        if (performance.now() >= until) throw error;
      }
      await delay(PAUSE_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }

  #path = (verb: string): string => `/internal/runs/${encodeURIComponent(this.#runId)}/${verb}`;

  #post<T>(verb: string, body: unknown, answer: z.ZodType<T>, attempts?: number): Promise<T> {
    return this.post({ path: this.#path(verb), body, answer, attempts });
  }
}
