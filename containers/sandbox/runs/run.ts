// One run: its datasets in the order their dependencies ask for, and the report on each.

import { mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { WorkerProcess, InputKind } from "../processes/worker-process.ts";
import { DRIVE_PATH } from "../jail/paths.ts";
import type { WorkerPool } from "../processes/pool.ts";
import type { Ask, Drive } from "../drive/drive.ts";
import { Semaphore } from "../../program/semaphore.ts";
import type { ObjectStore } from "../../program/object-store.ts";
import type { Envelope } from "../envelope/envelopes.ts";
import {
  HEARTBEAT_MS,
  type DatasetReport,
  type RunDataset,
  type RunOrder,
  type RunReport,
} from "../contract/protocol.ts";
import type { Proxy } from "../proxy/proxy.ts";
import { DatasetLog } from "./dataset-log.ts";
import { PlatformRefusal } from "../../program/platform-client.ts";
import { queryToFile } from "./query-to-file.ts";
import { RunPlatform } from "./run-platform.ts";

export type RunParts = {
  platformUrl: string;
  store: ObjectStore;
  directory: string;
  resultBytesMax: number;
  pool: WorkerPool;
  proxy: Proxy;
  drive: Drive;
  /** Why no worker finds the drive; null where they do. */
  driveTrouble: string | null;
  /** The folders of a doc's own packages, and what is wrong with those that everybody has. */
  packages: (requirements: string[]) => Promise<{ folders: string[]; trouble: string | null }>;
};

/** What a dataset left for those that need it: a file of the parent's. */
type Product = { kind: InputKind; file: string };
type PythonDataset = Extract<RunDataset, { engine: "python" }>;

const CONTENT_TYPES = {
  frame: "application/vnd.apache.arrow.stream",
  records: "application/vnd.apache.arrow.stream",
  json: "application/json",
} as const;
/**
 * Until then the platform waits for a cold start, which is long: a sandbox that dies early is missed sooner so. Short
 * runs need none.
 */
const FIRST_BEAT_MS = 1_000;
const QUERIES_MAX = 4;

export class Run {
  readonly report: Promise<RunReport>;
  readonly #order: RunOrder;
  readonly #parts: RunParts;
  readonly #envelope: Envelope | undefined;
  readonly #platform: RunPlatform;
  readonly #directory: string;
  readonly #controller = new AbortController();
  readonly #products = new Map<string, Product>();
  readonly #running = new Set<string>();
  #outcome: "cancelled" | "timed_out" | undefined;
  #drive: Promise<string | null> | undefined;
  readonly #queries = new Semaphore(QUERIES_MAX);

  constructor(order: RunOrder, envelope: Envelope | undefined, parts: RunParts) {
    this.#order = order;
    this.#envelope = envelope;
    this.#parts = parts;
    this.#platform = new RunPlatform(parts.platformUrl, order.runId, order.token);
    this.#directory = join(parts.directory, crypto.randomUUID());
    this.report = this.#run();
  }

  cancel(): void {
    this.#end("cancelled", "The run was cancelled.");
  }

  readonly #ask: Ask = (path, body, answer) => this.#platform.post({ path, body, answer });

  #end(outcome: "cancelled" | "timed_out", why: string): void {
    this.#outcome ??= outcome;
    this.#controller.abort(new Error(why));
  }

  async #run(): Promise<RunReport> {
    const { datasets, runId, deadlineMs } = this.#order;
    const deadline = setTimeout(
      () => this.#end("timed_out", `The run took longer than its ${deadlineMs} ms.`),
      deadlineMs,
    );
    const beats = setInterval(() => void this.#beat(), HEARTBEAT_MS);
    const firstBeat = setTimeout(() => void this.#beat(), FIRST_BEAT_MS);
    try {
      await mkdir(this.#directory, { mode: 0o700 });
      if (datasets.some(({ engine }) => engine === "python")) this.#drive = this.#parts.drive.refresh(this.#ask);
      const works = new Map<string, Promise<DatasetReport>>();
      // The promises refer to each other by key, so an order of the list would be one too many to check.
      const work = (dataset: RunDataset): Promise<DatasetReport> => {
        const known = works.get(dataset.key);
        if (known) return known;
        const needed = new Set([
          ...dataset.dependsOn,
          ...(dataset.engine === "python" ? dataset.inputs.map(({ ref }) => ref) : []),
        ]);
        const promise = Promise.all([...needed].map((key) => work(datasets.find((one) => one.key === key)!))).then(
          (before) => this.#runDataset(dataset, before),
        );
        works.set(dataset.key, promise);
        return promise;
      };
      const reports = await Promise.all(datasets.map(work));
      const failed = reports.find(({ success }) => !success);
      const outcome = this.#outcome ?? (failed ? "failed" : "succeeded");
      const why = failed ? `${failed.key}: ${failed.error ?? "failed"}`.slice(0, 16_384) : null;
      const report: RunReport = {
        runId,
        outcome,
        error: this.#outcome ? (this.#controller.signal.reason as Error).message : why,
        datasets: reports,
      };
      await this.#platform
        .finish(report)
        .catch((error: unknown) =>
          console.error(JSON.stringify({ event: "sandbox.finish_lost", runId, cause: String(error) })),
        );
      return report;
    } finally {
      clearTimeout(deadline);
      clearInterval(beats);
      clearTimeout(firstBeat);
      await rm(this.#directory, { recursive: true, force: true });
      if (this.#envelope?.dataFile) await rm(this.#envelope.dataFile, { force: true });
    }
  }

  /** Who is refused has lost the run: it was cancelled, or its token died. */
  async #beat(): Promise<void> {
    try {
      const { cancelled } = await this.#platform.heartbeat([...this.#running]);
      if (cancelled) this.cancel();
    } catch (error) {
      if (error instanceof PlatformRefusal && !error.isPassing) this.cancel();
    }
  }

  async #runDataset(dataset: RunDataset, before: DatasetReport[]): Promise<DatasetReport> {
    const { key, executionId } = dataset;
    const log = new DatasetLog(this.#platform, executionId);
    const report: DatasetReport = {
      key,
      executionId,
      success: false,
      skipped: false,
      error: null,
      traceback: null,
      startedAt: null,
      durationMs: 0,
      peakBytes: null,
      result: null,
    };
    const broken = before.find(({ success }) => !success);
    try {
      if (broken || this.#controller.signal.aborted) {
        report.skipped = true;
        report.error = broken ? whyNot(broken) : `Not run: ${(this.#controller.signal.reason as Error).message}`;
      } else {
        this.#running.add(executionId);
        if (dataset.engine === "python") await this.#runPython(dataset, report, log);
        else await this.#runQuery(dataset, report);
        report.success = report.error === null;
      }
    } catch (error) {
      report.error = (error instanceof Error ? error.message : String(error)).slice(0, 16_384);
      report.result = null;
    }
    this.#running.delete(executionId);
    await log.end();
    await this.#platform
      .report(report)
      .catch((error: unknown) =>
        console.error(JSON.stringify({ event: "sandbox.report_lost", executionId, cause: String(error) })),
      );
    return report;
  }

  async #runQuery(dataset: Exclude<RunDataset, PythonDataset>, report: DatasetReport): Promise<void> {
    const file = join(this.#directory, crypto.randomUUID());
    const integration = dataset.integrationId === null ? {} : { integration_id: dataset.integrationId };
    const body =
      dataset.engine === "sql" ? { sql: dataset.sql, ...integration } : { cube_query: dataset.query, ...integration };
    const { signal } = this.#controller;
    const query = async (): Promise<void> => {
      const startedAt = performance.now();
      report.startedAt = new Date().toISOString();
      try {
        const { platformUrl, resultBytesMax: bytesMax } = this.#parts;
        const { apiKey } = this.#order;
        const bytes = await queryToFile({
          platformUrl,
          apiKey,
          body,
          timeoutMs: dataset.timeoutMs,
          file,
          bytesMax,
          signal,
        });
        report.result = { kind: "frame", rows: null, bytes, columns: null, path: null };
      } finally {
        report.durationMs = performance.now() - startedAt;
      }
    };
    await this.#queries.run(query, signal);
    await this.#keep(dataset.key, "answer", file, report);
  }

  async #runPython(dataset: PythonDataset, report: DatasetReport, log: DatasetLog): Promise<void> {
    const { signal } = this.#controller;
    const driveTrouble = this.#parts.driveTrouble ?? (await this.#drive) ?? null;
    if (driveTrouble) log.note(driveTrouble);
    if (driveTrouble && dataset.code.includes(DRIVE_PATH)) throw new Error(driveTrouble);
    const packages = await this.#parts.packages(dataset.requirements);
    if (packages.trouble) log.note(packages.trouble);
    await this.#parts.pool.use(packages.folders, signal, async (worker) => {
      const { teamId, internet } = this.#order;
      this.#parts.proxy.grant(worker.token, { teamId, internet }, (text) => log.note(text));
      worker.drive.open({ ask: this.#ask, report: (text) => log.note(text) });
      try {
        const closed = driveTrouble === null ? null : { path: DRIVE_PATH, why: driveTrouble };
        const { key: name, code } = dataset;
        const order = {
          name,
          code,
          ...(await this.#prepareOrder(worker, dataset)),
          baseUrl: this.#parts.platformUrl,
          closed,
        };
        const { startedAt, result, ...outcome } = await worker.run(order, dataset.timeoutMs, signal, (stream, chunk) =>
          log.take(stream, chunk),
        );
        Object.assign(report, outcome, {
          startedAt: startedAt?.toISOString() ?? null,
          result: result && { ...result, path: null },
        });
        if (driveTrouble && report.error?.includes(DRIVE_PATH) && !report.error.includes(driveTrouble)) {
          report.error = `${report.error}\n${driveTrouble}`.slice(0, 16_384);
        }
        report.error ??= worker.drive.trouble();
        if (report.error !== null) report.result = null;
        if (!report.result || report.result.kind === "none")
          return void this.#products.set(dataset.key, { kind: "none", file: "" });
        const file = join(this.#directory, crypto.randomUUID());
        // What was said of its size is checked; the bytes are only ever read by a jailed process.
        if ((await stat(worker.resultFile)).size !== report.result.bytes)
          throw new Error("The result was changed after it was written.");
        await rename(worker.resultFile, file);
        await this.#keep(dataset.key, report.result.kind, file, report);
      } finally {
        this.#parts.proxy.revoke(worker.token);
        worker.drive.close();
      }
    });
  }

  /** Files and environment of one dataset. The run's own variables come last: none can be set over. */
  async #prepareOrder(worker: WorkerProcess, dataset: PythonDataset) {
    const { apiKey } = this.#order;
    const { platformUrl } = this.#parts;
    const inputs = await Promise.all(
      dataset.inputs.map(async ({ ref, as }, at) => {
        const { kind, file } = this.#products.get(ref)!;
        return {
          as,
          kind,
          path: file === "" ? "" : await worker.give({ name: `input-${at}`, from: file, mode: 0o444 }),
        };
      }),
    );
    const dataFile = this.#envelope?.dataFile;
    const environment = {
      ...this.#envelope?.environment,
      SERVICE_API_KEY: apiKey,
      SERVICE_API_BASE_URL: platformUrl,
      DEFINITE_API_KEY: apiKey,
      DEFINITE_API_BASE_URL: platformUrl,
      ...(dataFile
        ? { WEBHOOK_DATA_FILE: await worker.give({ name: "webhook-data.json", from: dataFile, mode: 0o400 }) }
        : {}),
    };
    return { environment, inputs };
  }

  /** The platform's own no is for people, and so is why the run ends; what a store or a network says is not. */
  readonly #unstored = (error: unknown): never => {
    this.#controller.signal.throwIfAborted();
    if (error instanceof PlatformRefusal) throw error;
    throw new Error("The result could not be stored; try again.", { cause: error });
  };

  /** Keeps a result for its dependents, and uploads it. */
  async #keep(key: string, kind: InputKind, file: string, report: DatasetReport): Promise<void> {
    const result = report.result!;
    const { path, url } = await this.#platform
      .openResult({
        executionId: report.executionId,
        contentType: CONTENT_TYPES[result.kind as keyof typeof CONTENT_TYPES],
        bytes: result.bytes,
      })
      .catch(this.#unstored);
    const { signal } = this.#controller;
    await this.#parts.store.upload({ url, file, bytes: result.bytes, signal }).catch(this.#unstored);
    result.path = path;
    this.#products.set(key, { kind, file });
  }
}

/** Of a dataset that needs one that failed, or needs one that needs it: the first reason is passed on. */
const whyNot = ({ key, skipped, error }: DatasetReport): string =>
  (skipped ? error! : `Not run: ${key}, which it needs, failed: ${error}`).slice(0, 16_384);
