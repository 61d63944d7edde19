// A job's own routes on the platform: what the lake has, where to upload, the one commit, and signs of life.

import { unknown, type infer as Infer, type ZodType } from "zod";
import { Failure } from "../core/failure.ts";
import { SignAnswer, type Predicate } from "../../../kernel/lake/lake.ts";
import { CommitAnswer, UploadAnswer, type LakeCommit, type UploadTarget } from "../../../kernel/lake/commit.ts";
import {
  HeartbeatAnswer,
  JobPlanAnswer,
  StateAnswer,
  TablesAnswer,
  type JobOutcome,
  type JobProgress,
  type LogRequest,
} from "../../../kernel/jobs/job.ts";
import {
  CompactionPlan,
  MaintenanceStepAnswer,
  type CompactionPlanRequest,
  type PlatformStep,
} from "../../../kernel/lake/maintenance.ts";
import type { ObjectStore } from "../../program/object-store.ts";
import { openObjectStore } from "./object-store.ts";
import { askPlatform, isUnreachable, type PlatformAddress } from "./ask-platform.ts";
import type { JobRequest } from "../../../kernel/jobs/work.ts";

const LOG_CHARACTERS_MAX = 4_096;
const STATE_KEYS_MAX = 1_000;
const SIGNED_MAX = 500;
type LogLine = Infer<typeof LogRequest>["lines"][number];

export class JobPlatform {
  readonly #env: PlatformAddress;
  readonly #job: Pick<JobRequest, "id" | "token">;
  readonly #signal: AbortSignal;
  readonly #store: ObjectStore;
  #wasReached = false;
  #missedAtMs: number | undefined;

  constructor(env: PlatformAddress, job: Pick<JobRequest, "id" | "token">, signal: AbortSignal) {
    this.#env = env;
    this.#job = job;
    this.#signal = signal;
    this.#store = openObjectStore(env.s3Dial);
  }

  /**
   * Whether the platform has lately been out of reach after it had been in reach, which may explain the job's failure.
   * A platform that was never reached has a wrong address instead.
   */
  get wasAway(): boolean {
    return this.#wasReached && this.#missedAtMs !== undefined && performance.now() - this.#missedAtMs < AWAY_MS;
  }

  /** Fresh paths in the lake for one file each of `tables`, in their order, with the URLs to upload to. */
  async uploads(tables: readonly UploadTarget[]): Promise<Array<{ path: string; url: string }>> {
    return (await this.#ask("uploads", { tables }, UploadAnswer)).uploads;
  }

  async upload(url: string, file: string, bytes: number): Promise<void> {
    await this.#store.upload({ url, file, bytes, signal: this.#signal });
  }

  /** The store that signed URLs point to. */
  get store(): ObjectStore {
    return this.#store;
  }

  async download(url: string, file: string, bytes: number): Promise<void> {
    await this.#store.download({ url, file, bytes, signal: this.#signal });
  }

  async commit(commit: LakeCommit): Promise<CommitAnswer> {
    return this.#ask("commit", commit, CommitAnswer);
  }

  /** The tables of a schema as they are now. */
  tables(schema: string): Promise<TablesAnswer> {
    return this.#ask("tables", { schema }, TablesAnswer);
  }

  /** The state that was kept under each key. */
  async state(keys: readonly string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (let i = 0; i < keys.length; i += STATE_KEYS_MAX) {
      const { values } = await this.#ask("state", { keys: keys.slice(i, i + STATE_KEYS_MAX) }, StateAnswer);
      for (const [key, value] of Object.entries(values)) if (value !== null) found.set(key, value);
    }
    return found;
  }

  /**
   * The files of a table, or only those that may hold rows for which all predicates of one list of `anyOf` hold; as of
   * now, or of a snapshot.
   */
  async plan(
    tableId: number,
    anyOf?: readonly Predicate[][],
    snapshotId?: number,
  ): Promise<Infer<typeof JobPlanAnswer>> {
    return this.#ask(
      "plan",
      { tableIds: [tableId], ...(anyOf ? { anyOf } : {}), ...(snapshotId === undefined ? {} : { snapshotId }) },
      JobPlanAnswer,
    );
  }

  /** GET URLs by file id. */
  async sign(fileIds: readonly number[], snapshotId: number): Promise<Record<string, string>> {
    const urls: Record<string, string> = {};
    for (let i = 0; i < fileIds.length; i += SIGNED_MAX) {
      Object.assign(
        urls,
        (await this.#ask("sign", { fileIds: fileIds.slice(i, i + SIGNED_MAX), snapshotId }, SignAnswer)).urls,
      );
    }
    return urls;
  }

  /** The next files that a maintenance writes anew. */
  planCompaction(request: CompactionPlanRequest): Promise<CompactionPlan> {
    return this.#ask("maintenance/plan", request, CompactionPlan);
  }

  /** Takes a part of one of a maintenance's steps that are the platform's own; `after` as the answer before said. */
  maintain(step: PlatformStep, after?: string): Promise<MaintenanceStepAnswer> {
    return this.#ask(`maintenance/${step}`, after === undefined ? {} : { after }, MaintenanceStepAnswer);
  }

  /** Rejects where the platform can't be reached, and as `cancelled` where it has given the job up. */
  async heartbeat(progress?: JobProgress): Promise<void> {
    const { cancelled } = await this.#ask("heartbeat", progress ? { progress } : {}, HeartbeatAnswer);
    if (cancelled) throw new Failure("cancelled", "The job was cancelled, or another has taken over.");
  }

  /** Reports how the job ended, also where it was aborted. */
  async finish(outcome: JobOutcome): Promise<void> {
    await this.#ask("finish", outcome, unknown(), AbortSignal.timeout(FINISH_MS));
  }

  /** A line for the run's log, for people; one that does not get through is lost, the job goes on. */
  async log(level: LogLine["level"], message: string): Promise<void> {
    const lines: LogLine[] = [{ level, message: message.slice(0, LOG_CHARACTERS_MAX) }];
    await this.#ask("log", { lines }, unknown()).catch(() => undefined);
  }

  async #ask<T>(verb: string, body: unknown, answer: ZodType<T>, signal = this.#signal): Promise<T> {
    try {
      const access = { platformUrl: this.#env.platformUrl, token: this.#job.token };
      const path = `/internal/jobs/${encodeURIComponent(this.#job.id)}/${verb}`;
      const answered = await askPlatform(access, { path, body, answer, signal });
      this.#wasReached = true;
      return answered;
    } catch (error) {
      if (isUnreachable(error)) this.#missedAtMs = performance.now();
      throw error;
    }
  }
}

/**
 * How long after the platform was out of reach a job's failure may be due to that: no job goes on longer without an
 * answer.
 */
const AWAY_MS = 60_000;

/** Less than the 8 s for which an engine that is stopped is waited for. */
const FINISH_MS = 6_000;
