// A lake's maintenance: its steps one after the other. A step that fails does not keep the later ones from running, and
// the job fails in the end: success means that all steps succeeded. A repeated attempt asks anew what there is to do.

import type { JobOutcome, MaintenanceOutcome } from "../../../../kernel/jobs/job.ts";
import type { MaintenanceStep, MaintenanceWork, PlatformStep } from "../../../../kernel/lake/maintenance.ts";
import { Failure } from "../../core/failure.ts";
import type { LakeSettings } from "../../core/settings.ts";
import { Semaphore } from "../../../program/semaphore.ts";
import type { JobContext, RunningWork } from "../running-work.ts";
import { describeFailure, isRetryable } from "../failures.ts";
import { isPlatformGone } from "./failures.ts";
import { compactTables } from "./compact-tables.ts";
import { ProgressReport, shorten, type CompactionStep, type StepProgress } from "./progress.ts";
import { RewriteProcess } from "./rewrite-process.ts";

/** Calls of one step. Each does as much as fits one request. */
const CALLS_MAX = 10_000;
const ERROR_CHARACTERS_MAX = 8_000;

type Failed = { step: MaintenanceStep; error: unknown };

export class MaintenanceJob implements RunningWork {
  readonly #work: MaintenanceWork;
  readonly #context: JobContext;
  readonly #settings: LakeSettings;
  readonly #report: ProgressReport;
  readonly #failed: Failed[] = [];

  constructor(work: MaintenanceWork, context: JobContext, settings: LakeSettings) {
    this.#work = work;
    this.#context = context;
    this.#settings = settings;
    this.#report = new ProgressReport(work.level);
  }

  readonly progress = () => this.#report.report();

  /** Reports the job's outcome to the platform, and rejects with the reason where it did not succeed. */
  async run(): Promise<void> {
    const { platform, signal } = this.#context;
    let end: { error: unknown } | undefined;
    try {
      await this.#maintain();
    } catch (error) {
      end = { error: signal.aborted ? signal.reason : error };
    }
    await platform.finish(this.#outcomeOf(end)).catch((error: unknown) => {
      end ??= { error };
    });
    if (end) throw end.error;
  }

  #outcomeOf(end: { error: unknown } | undefined): JobOutcome {
    const progress = this.progress();
    if (!end) return { outcome: "succeeded", error: null, retryable: false, progress } satisfies MaintenanceOutcome;
    const { code, message } = describeFailure(end.error);
    const errors = this.#failed.length > 0 ? this.#failed.map(({ error }) => error) : [end.error];
    const outcome = code === "cancelled" ? "cancelled" : "failed";
    const { wasAway: platformAway } = this.#context.platform;
    return { outcome, error: message, retryable: errors.some(isRetryable), platformAway, progress };
  }

  async #maintain(): Promise<void> {
    const { signal, report } = this.#context;
    const process = await RewriteProcess.open(this.#settings);
    let isOver = false;
    try {
      for (const step of this.#report.steps) {
        signal.throwIfAborted();
        if (isOver) {
          step.state = "skipped";
          continue;
        }
        step.state = "running";
        try {
          report(TITLES[step.step]);
          await this.#take(step, process);
          step.state = "done";
          report(FIGURES[step.step](step));
        } catch (error) {
          this.#fail(step, signal.aborted ? signal.reason : error);
          // Without the platform the other steps would fail as well.
          isOver = isPlatformGone(error);
        }
      }
    } finally {
      await process.close();
    }
    signal.throwIfAborted();
    if (this.#failed.length > 0) throw new Failure(describeFailure(this.#failed[0]!.error).code, this.#whyFailed());
  }

  async #take(progress: StepProgress, process: RewriteProcess): Promise<void> {
    const { platform, signal } = this.#context;
    const { step } = progress;
    if (step !== "merge" && step !== "rewrite") return this.#drive(progress, step);
    const turns = { writing: new Semaphore(1), committing: new Semaphore(1) };
    const log = (level: "info" | "warning" | "error", line: string): void => {
      if (level === "info") this.#context.report(line);
      else void platform.log(level, line);
    };
    const shared = { work: this.#work, platform, process, signal, wide: new Set<number>(), ...turns };
    await compactTables({ ...shared, report: this.#report, log }, progress as StepProgress & { step: CompactionStep });
  }

  /** One of the platform's own steps, part by part. */
  async #drive(progress: StepProgress, step: PlatformStep): Promise<void> {
    const { platform, signal } = this.#context;
    let after: string | undefined;
    for (let call = 0; call < CALLS_MAX; call++) {
      signal.throwIfAborted();
      const { done, files, bytes, next } = await platform.maintain(step, after);
      progress.done += done;
      progress.files += files;
      progress.bytes += bytes;
      if (next === null) return;
      after = next;
    }
    throw new Failure("busy", "There is more of it than one run does; the next one goes on.");
  }

  #fail(progress: StepProgress, error: unknown): void {
    const { message } = describeFailure(error);
    Object.assign(progress, { state: "failed", error: shorten(message) });
    if (this.#context.signal.aborted) return;
    this.#failed.push({ step: progress.step, error });
    void this.#context.platform.log("error", `${TITLES[progress.step]} failed: ${message}`);
  }

  #whyFailed(): string {
    const reasons = this.#failed.map(({ step, error }) => `${TITLES[step]} failed: ${describeFailure(error).message}`);
    const done = this.#report.steps.filter(({ state }) => state === "done").length;
    const rest = ` ${done} of ${this.#report.steps.length} steps are done.`;
    const all = reasons.join(" ");
    const room = ERROR_CHARACTERS_MAX - rest.length;
    return (all.length > room ? `${all.slice(0, room - 1)}…` : all) + rest;
  }
}

const TITLES: Record<MaintenanceStep, string> = {
  merge: "Merging small files",
  rewrite: "Rewriting files with many deleted rows",
  expire: "Expiring snapshots",
  delete: "Deleting files that are due",
  collect: "Collecting orphaned files",
  statistics: "Making table statistics exact",
};

const FIGURES: Record<MaintenanceStep, (of: StepProgress) => string> = {
  merge: ({ done, files }) => `${done} small files became ${files}`,
  rewrite: ({ done, files }) => `${done} files with many deleted rows became ${files}`,
  expire: ({ done, files }) => `${done} snapshots expired, ${files} files are scheduled for deletion`,
  delete: ({ done, bytes }) => `${done} files that were due are deleted, ${bytes} bytes`,
  collect: ({ done, bytes }) => `${done} orphaned files are deleted, ${bytes} bytes`,
  statistics: ({ done }) => `The statistics of ${done} tables were corrected`,
};
