// The long works an engine does: started by id, watched by status, ended by cancel or shutdown.

import { Failure, toFailure } from "../core/failure.ts";
import type { JobRequest, JobStatus } from "../../../kernel/jobs/work.ts";
import type { PlatformAddress } from "../platform/ask-platform.ts";
import { JobPlatform } from "../platform/job-platform.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { beginWork, type RunningWork, type WorkKinds } from "./running-work.ts";

const RUNNING_MAX = 4;
/** Finished jobs whose status is still answered. */
const FINISHED_MAX = 200;

type Job = { status: JobStatus; controller: AbortController; ended: Promise<void> };

export class Jobs {
  readonly #env: PlatformAddress;
  readonly #kinds: WorkKinds;
  /** Oldest first. */
  readonly #jobs = new Map<string, Job>();

  constructor(env: PlatformAddress, kinds: WorkKinds) {
    this.#env = env;
    this.#kinds = kinds;
  }

  get running(): number {
    return [...this.#jobs.values()].filter(({ status }) => status.state === "running").length;
  }

  /** Starts a job, or answers with the status of the one that runs under this id. Throws `busy` when no more fit. */
  start(request: JobRequest): JobStatus {
    const known = this.#jobs.get(request.id);
    if (known?.status.state === "running") return known.status;
    if (this.running >= RUNNING_MAX)
      throw new Failure("busy", `This engine does ${RUNNING_MAX} jobs at once, and they are taken; try again.`);
    const controller = new AbortController();
    const beginning = { state: "running" as const, progress: "Starting", error: null, platformAway: false };
    const status: JobStatus = { id: request.id, ...beginning };
    this.#jobs.delete(request.id);
    this.#jobs.set(request.id, { status, controller, ended: this.#run(request, status, controller) });
    return status;
  }

  get(id: string): JobStatus | undefined {
    return this.#jobs.get(id)?.status;
  }

  /** Cancels a job; false where none of this id runs. */
  cancel(id: string): boolean {
    const job = this.#jobs.get(id);
    if (job?.status.state !== "running") return false;
    job.controller.abort(new Failure("cancelled", "The job was cancelled."));
    return true;
  }

  /** Cancels all jobs; settles when none runs. */
  async stop(): Promise<void> {
    for (const id of this.#jobs.keys()) this.cancel(id);
    await Promise.all([...this.#jobs.values()].map(({ ended }) => ended));
  }

  /** Never rejects: the status says how it went. */
  async #run(request: JobRequest, status: JobStatus, controller: AbortController): Promise<void> {
    const { signal } = controller;
    const platform = new JobPlatform(this.#env, request, signal);
    const report = (progress: string): void => {
      status.progress = progress;
      void platform.log("info", progress);
    };
    let work: RunningWork | undefined;
    const stopHeartbeat = startHeartbeat({
      send: (progress) => platform.heartbeat(progress),
      progress: () => work?.progress(),
      job: controller,
    });
    try {
      work = await beginWork(this.#kinds, request.work, { platform, signal, report });
      await work.run();
      status.state = "succeeded";
      report("Done");
    } catch (error) {
      const failure = toFailure(signal.aborted ? signal.reason : error);
      status.error = failure.message;
      status.state = failure.code === "cancelled" ? "cancelled" : "failed";
      status.platformAway = platform.wasAway;
      if (!signal.aborted) await platform.log("error", failure.message);
      console.error(
        `job ${request.id}: ${failure.message}`,
        failure.cause instanceof Error ? failure.cause.message : "",
      );
    } finally {
      stopHeartbeat();
      this.#forgetOld();
    }
  }

  #forgetOld(): void {
    const finished = [...this.#jobs].filter(([, { status }]) => status.state !== "running");
    for (const [id] of finished.slice(0, Math.max(0, finished.length - FINISHED_MAX))) this.#jobs.delete(id);
  }
}
