// One run: its datasets in the order their dependencies ask for, its deadline and heartbeat, and the report on it.

import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { PlatformRefusal } from "../../program/platform-client.ts";
import { Semaphore } from "../../program/semaphore.ts";
import {
  HEARTBEAT_MS,
  type DatasetReport,
  type RunDataset,
  type RunOrder,
  type RunReport,
} from "../../../kernel/wire/sandbox.ts";
import type { Envelope } from "../envelope/envelopes.ts";
import { neededBy } from "./check-order.ts";
import { DatasetLog } from "./dataset-log.ts";
import { DatasetOutputs } from "./dataset-outputs.ts";
import { isStaged, publish } from "./publish.ts";
import { runStaged } from "./stage.ts";
import type { RunContext, RunServices } from "./run-context.ts";
import { RunPlatform } from "./run-platform.ts";
import { runPython } from "./run-python.ts";
import { runQuery } from "./run-query.ts";

/**
 * Until then the platform waits for a cold start, which is long: a sandbox that dies early is missed sooner so. Short
 * runs need none.
 */
const FIRST_HEARTBEAT_MS = 1_000;
const QUERIES_MAX = 4;
const ERROR_CHARACTERS_MAX = 16_384;

/** `asksFirst`: it does nothing before the platform has said that it is wanted. */
export type NewRun = { order: RunOrder; envelope: Envelope | undefined; asksFirst: boolean };

export class Run {
  readonly report: Promise<RunReport>;
  readonly #context: RunContext;
  readonly #platform: RunPlatform;
  readonly #directory: string;
  readonly #asksFirst: boolean;
  readonly #controller = new AbortController();
  /** Execution ids. */
  readonly #running = new Set<string>();
  #outcome: "cancelled" | "timed_out" | undefined;

  constructor({ order, envelope, asksFirst }: NewRun, services: RunServices) {
    const { signal } = this.#controller;
    const { store } = services;
    const platform = new RunPlatform(services.platformUrl, order.runId, order.token);
    this.#platform = platform;
    this.#directory = join(services.directory, crypto.randomUUID());
    this.#context = {
      order,
      services,
      envelope,
      outputs: new DatasetOutputs({ directory: this.#directory, platform, store, signal }),
      queries: new Semaphore(QUERIES_MAX),
      platform,
      signal,
      ask: (path, body, answer) => platform.post({ path, body, answer }),
      driveReady: undefined,
    };
    this.#asksFirst = asksFirst;
    this.report = this.#run();
  }

  cancel(): void {
    this.#end("cancelled", "The run was cancelled.");
  }

  #end(outcome: "cancelled" | "timed_out", why: string): void {
    this.#outcome ??= outcome;
    this.#controller.abort(new Error(why));
  }

  async #run(): Promise<RunReport> {
    const { order, envelope } = this.#context;
    const stopTimers = this.#startTimers();
    try {
      await mkdir(this.#directory, { mode: 0o700 });
      if (this.#asksFirst) await this.#askFirst();
      const datasets = await this.#runDatasets();
      await publish(this.#context, datasets);
      const report = this.#reportOn(datasets);
      await this.#platform.finish(report).catch(logLost({ event: "sandbox.finish_lost", runId: order.runId }));
      return report;
    } finally {
      stopTimers();
      await rm(this.#directory, { recursive: true, force: true });
      if (envelope?.dataFile) await rm(envelope.dataFile, { force: true });
    }
  }

  /** The deadline, and the heartbeat. */
  #startTimers(): () => void {
    const { deadlineMs } = this.#context.order;
    const tooLong = () => this.#end("timed_out", `The run took longer than its ${deadlineMs} ms.`);
    const deadline = setTimeout(tooLong, deadlineMs);
    const heartbeat = setInterval(() => void this.#beat(), HEARTBEAT_MS);
    const firstHeartbeat = setTimeout(() => void this.#beat(), FIRST_HEARTBEAT_MS);
    return () => {
      clearTimeout(deadline);
      clearInterval(heartbeat);
      clearTimeout(firstHeartbeat);
    };
  }

  /** A run that nobody answers for is not begun: the sender of the order may have given it up. */
  async #askFirst(): Promise<void> {
    try {
      const { cancelled } = await this.#platform.ask(this.#context.signal);
      if (cancelled) this.cancel();
    } catch (error) {
      this.#end("cancelled", `The platform did not say that this run is wanted: ${String(error)}`);
    }
  }

  /** A sandbox that is refused has lost the run: it was cancelled, or its token died. */
  async #beat(): Promise<void> {
    try {
      const { cancelled } = await this.#platform.heartbeat([...this.#running]);
      if (cancelled) this.cancel();
    } catch (error) {
      if (error instanceof PlatformRefusal && !error.isPassing) this.cancel();
    }
  }

  #runDatasets(): Promise<DatasetReport[]> {
    const { datasets } = this.#context.order;
    if (datasets.some(({ engine }) => engine === "python"))
      this.#context.driveReady = this.#context.services.drive.refresh(this.#context.ask);
    const reports = new Map<string, Promise<DatasetReport>>();
    // The promises refer to each other by key, so an order of the list would be one too many to check.
    const reportOn = (key: string): Promise<DatasetReport> => {
      const known = reports.get(key);
      if (known) return known;
      const dataset = datasets.find((one) => one.key === key)!;
      const report = Promise.all(neededBy(dataset).map(reportOn)).then((before) => this.#runDataset(dataset, before));
      reports.set(key, report);
      return report;
    };
    return Promise.all(datasets.map(({ key }) => reportOn(key)));
  }

  #reportOn(datasets: DatasetReport[]): RunReport {
    const broken = datasets.filter(({ success }) => !success);
    const failed = broken.find(({ errorCode }) => errorCode !== "not_published") ?? broken[0];
    const why = failed ? `${failed.key}: ${failed.error ?? "failed"}`.slice(0, ERROR_CHARACTERS_MAX) : null;
    return {
      runId: this.#context.order.runId,
      outcome: this.#outcome ?? (failed ? "failed" : "succeeded"),
      error: this.#outcome ? this.#whyOver() : why,
      datasets,
    };
  }

  async #runDataset(dataset: RunDataset, before: DatasetReport[]): Promise<DatasetReport> {
    const { executionId } = dataset;
    const log = new DatasetLog(this.#platform, executionId);
    const report = emptyReport(dataset);
    const broken = before.find(({ success }) => !success);
    if (broken || this.#context.signal.aborted) {
      report.skipped = true;
      report.error = broken ? whyNotRun(broken) : `Not run: ${this.#whyOver()}`;
    } else {
      this.#running.add(executionId);
      await this.#runEngine(dataset, report, log);
      this.#running.delete(executionId);
    }
    await log.end();
    // The end of a dataset whose rows are staged is known once they are published.
    if (report.success && isStaged(dataset)) return report;
    await this.#platform.report(report).catch(logLost({ event: "sandbox.report_lost", executionId }));
    return report;
  }

  /** Never rejects: what goes wrong is the report's error. */
  async #runEngine(dataset: RunDataset, report: DatasetReport, log: DatasetLog): Promise<void> {
    try {
      if (dataset.engine === "python") await runPython(this.#context, dataset, report, log);
      else if (dataset.engine === "staged" || dataset.isStaged) await runStaged(this.#context, dataset, report);
      else await runQuery(this.#context, dataset, report);
      report.success = report.error === null;
    } catch (error) {
      report.error = (error instanceof Error ? error.message : String(error)).slice(0, ERROR_CHARACTERS_MAX);
      report.result = null;
    }
  }

  #whyOver(): string {
    return (this.#context.signal.reason as Error).message;
  }
}

const emptyReport = ({ key, executionId }: RunDataset): DatasetReport => ({
  key,
  executionId,
  success: false,
  skipped: false,
  error: null,
  errorCode: null,
  traceback: null,
  startedAt: null,
  durationMs: 0,
  peakBytes: null,
  result: null,
});

/** A dataset is not run where it needs one that failed, or one that was not run: the first reason is passed on. */
const whyNotRun = ({ key, skipped, error }: DatasetReport): string =>
  (skipped ? error! : `Not run: ${key}, which it needs, failed: ${error}`).slice(0, ERROR_CHARACTERS_MAX);

/** A report that could not be delivered is only in this log. */
const logLost = (what: { event: string } & Record<string, string>) => (error: unknown) =>
  console.error(JSON.stringify({ ...what, cause: String(error) }));
