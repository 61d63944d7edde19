// The routes of a maintenance's job over a real catalog, and the engine's own jobs that ask them.

import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ZodError } from "zod";
import { readLakeSettings, type LakeSettings } from "../../../../containers/engine/core/settings.ts";
import { Jobs } from "../../../../containers/engine/jobs/jobs.ts";
import { workKinds } from "../../../../containers/engine/jobs/work-kinds.ts";
import { LakeCommit, UploadRequest } from "../../../../kernel/lake/commit.ts";
import {
  HeartbeatRequest,
  JobSignRequest,
  LogRequest,
  MaintenanceOutcome,
  TablesRequest,
} from "../../../../kernel/jobs/job.ts";
import {
  CompactionPlanRequest,
  MaintenanceStepRequest,
  type CompactionGroup,
  type CompactionPlan,
  type MaintenanceLevel,
  type MaintenanceStepAnswer,
  type PlatformStep,
} from "../../../../kernel/lake/maintenance.ts";
import type { JobStatus } from "../../../../kernel/jobs/work.ts";
import { PROBLEMS } from "../../../../src/core/problem.ts";
import { accept, refuse, valueOf, type Answer } from "../../../../src/core/answer.ts";
import { commitToCatalog } from "../../../../src/lake/commit/commit.ts";
import { expireDue } from "../../../../src/lake/maintenance/expire.ts";
import { makeStatisticsExact } from "../../../../src/lake/maintenance/exact-statistics.ts";
import { planCompaction, type PlannedCompaction } from "../../../../src/lake/maintenance/plan-compaction.ts";
import { uploadPath } from "../../../../src/lake/format/names.ts";
import { describeSchema } from "../../../../src/lake/plan/describe.ts";
import { pathsOfFiles } from "../../../../src/lake/plan/plan.ts";
import { acquireLease } from "../../../../src/lake/writers/leases.ts";
import { uploadFolders } from "../../../../src/lake/writers/upload-folders.ts";
import { ROOT, type CatalogPlatform } from "../lake/catalog-platform.ts";

const LEASE = "maintenance";
const STEPS: readonly string[] = ["expire", "delete", "collect", "statistics"];
/** Nothing to do, and no more of it. */
const NOTHING: MaintenanceStepAnswer = { done: 0, files: 0, bytes: 0, next: null };

export type Plan = Pick<CompactionPlan, "groups"> & Partial<CompactionPlan>;

export class MaintenancePlatform {
  readonly outcomes: MaintenanceOutcome[] = [];
  readonly heartbeats: unknown[] = [];
  readonly lines: string[] = [];
  readonly commits: LakeCommit[] = [];
  /** What there is to write anew: as the catalog plans it, unless a test says otherwise. */
  plan: (request: CompactionPlanRequest) => Plan | Answer<PlannedCompaction> = (request) => this.planned(request);
  /** The platform's own steps: the catalog's; no object is ever deleted here. */
  take: (step: PlatformStep, after?: string) => MaintenanceStepAnswer | Answer<never> = (step, after) =>
    this.taken(step, after);
  /** Called before each request is answered, with its verb. */
  onRequest: (verb: string) => void | Promise<void> = () => undefined;
  /** Called once a request was done, before its answer goes out. */
  onAnswered: (verb: string) => void | Promise<void> = () => undefined;
  /** The next so many commits are done, and their answers lost. */
  losingAnswers = 0;
  /** What a heartbeat answers. */
  cancelsJobs = false;
  jobs: Jobs;
  readonly #settings: LakeSettings;
  readonly #catalog: CatalogPlatform;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #url = "";
  #fence = 0;
  #attempts = 0;

  private constructor(catalog: CatalogPlatform, settings: LakeSettings) {
    this.#catalog = catalog;
    this.#settings = settings;
    this.jobs = new Jobs({ platformUrl: "", s3Dial: "" }, workKinds(settings));
  }

  static async start(catalog: CatalogPlatform, settings: Partial<LakeSettings> = {}): Promise<MaintenancePlatform> {
    const platform = new MaintenancePlatform(catalog, { ...readLakeSettings({}), ...settings });
    await new Promise<void>((resolve) => platform.#server.listen(0, "127.0.0.1", resolve));
    platform.#url = `http://127.0.0.1:${(platform.#server.address() as AddressInfo).port}`;
    platform.jobs = new Jobs({ platformUrl: platform.#url, s3Dial: "" }, workKinds(platform.#settings));
    return platform;
  }

  async stop(): Promise<void> {
    await this.jobs.stop();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get url(): string {
    return this.#url;
  }

  /** Has these groups written anew, at the first ask, and nothing else. */
  planOnce(groups: () => CompactionGroup[]): void {
    let isPlanned = false;
    this.plan = ({ step }) => {
      if (isPlanned || step !== "merge") return { groups: [] };
      isPlanned = true;
      return { groups: groups() };
    };
  }

  planned(request: CompactionPlanRequest): Answer<PlannedCompaction> {
    return planCompaction(this.#storage, { lease: LEASE, fence: this.#fence }, request, Date.now());
  }

  taken(step: PlatformStep, after?: string): MaintenanceStepAnswer {
    if (step === "expire") {
      const { snapshots, files, bytes, isMore } = expireDue(this.#storage, Date.now());
      return { done: snapshots, files, bytes, next: isMore ? "more" : null };
    }
    if (step !== "statistics") return NOTHING;
    const { tables, next } = valueOf(makeStatisticsExact(this.#storage, after ?? null));
    return { ...NOTHING, done: tables, next };
  }

  get #storage(): DurableObjectStorage {
    return this.#catalog.storage as unknown as DurableObjectStorage;
  }

  /** What a job is started with, which holds the lease from now on. */
  attempt(level: MaintenanceLevel = "full", runId = "run-1") {
    const attempt = ++this.#attempts;
    const id = `maintenance-${attempt}`;
    const request = { name: `${LEASE}`, holder: id, ttlMs: 0 };
    this.#fence = valueOf(acquireLease(this.#catalog.storage.sql, request, Date.now())).fence;
    return {
      id,
      token: `${this.#fence}`,
      work: { kind: "maintenance" as const, lakeId: "lake", level, runId, attempt },
    };
  }

  start(level?: MaintenanceLevel, runId?: string): string {
    return this.jobs.start(this.attempt(level, runId)).id;
  }

  async ended(id: string): Promise<{ status: JobStatus; outcome: MaintenanceOutcome }> {
    while (this.jobs.get(id)?.state === "running") await new Promise((resolve) => setTimeout(resolve, 10));
    return { status: this.jobs.get(id)!, outcome: this.outcomes.at(-1)! };
  }

  /** Runs a maintenance to its end. */
  async run(level?: MaintenanceLevel, runId?: string): Promise<MaintenanceOutcome> {
    return (await this.ended(this.start(level, runId))).outcome;
  }

  /** All of a table's files that `isWanted`, as one group. */
  groupOf(
    table: string,
    more: Partial<CompactionGroup> = {},
    isWanted: (file: CompactionGroup["files"][number], at: number) => boolean = () => true,
  ): CompactionGroup {
    const [schema = "", name = ""] = table.split(".");
    const { sql } = this.#catalog.storage;
    const [found] = sql
      .exec<{ tableId: number; folder: string }>(
        `SELECT t.table_id AS tableId, s.path || t.path AS folder FROM ducklake_table t JOIN ducklake_schema s USING (schema_id)
         WHERE s.schema_name = ? AND t.table_name = ? AND t.end_snapshot IS NULL AND s.end_snapshot IS NULL`,
        schema,
        name,
      )
      .toArray();
    if (!found) throw new Error(`There is no table ${table}.`);
    const { tableId, folder } = found;
    const rows = sql
      .exec<
        Record<"id" | "bytes" | "rows" | "deleteId" | "deleteBytes" | "deleted", number> & {
          path: string;
          deletePath: string;
          rowIdStart: number | null;
        }
      >(
        `SELECT f.data_file_id AS id, f.path, f.file_size_bytes AS bytes, f.record_count AS rows, f.row_id_start AS rowIdStart,
           d.delete_file_id AS deleteId, d.path AS deletePath, d.file_size_bytes AS deleteBytes, d.delete_count AS deleted
         FROM ducklake_data_file f LEFT JOIN ducklake_delete_file d
           ON d.data_file_id = f.data_file_id AND d.end_snapshot IS NULL
         WHERE f.table_id = ? AND f.end_snapshot IS NULL ORDER BY f.file_order`,
        tableId,
      )
      .toArray();
    const files = rows.map(
      ({ id, path, bytes, rows: count, rowIdStart, deleteId, deletePath, deleteBytes, deleted }) => ({
        id,
        path: folder + path,
        bytes,
        rows: count,
        rowIdStart,
        deletes:
          deleteId === null ? null : { id: deleteId, path: folder + deletePath, bytes: deleteBytes, rows: deleted },
      }),
    );
    const usual = { targetBytes: 512 * 1024 * 1024, rowGroupRows: null, compression: null };
    return { tableId, schema, name, files: files.filter(isWanted), ...usual, ...more };
  }

  /** The path of one of a table's live data files below the bucket. */
  pathsOf(table: string): string[] {
    return this.groupOf(table).files.map(({ path }) => path);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const verb = new URL(request.url ?? "/", this.#url).pathname.split("/").slice(4).join("/");
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      // The engine was killed as it asked.
      return void response.destroy();
    }
    await this.onRequest(verb);
    const token = request.headers.authorization?.slice("Bearer ".length) ?? "";
    const result = this.#parsed(verb, Number(token), JSON.parse(Buffer.concat(chunks).toString() || "{}"));
    await this.onAnswered(verb);
    if (verb === "commit" && this.losingAnswers-- > 0) return void response.destroy();
    response.writeHead(result.ok ? 200 : PROBLEMS[result.refusal.code].status, { "content-type": "application/json" });
    response.end(
      JSON.stringify(
        result.ok ? result.value : { message: result.refusal.detail, error: { flaws: result.refusal.flaws } },
      ),
    );
  }

  /** What is not of the contract's form is refused. */
  #parsed(verb: string, fence: number, body: unknown): Answer<unknown> {
    try {
      return this.#internal(verb, fence, body);
    } catch (error) {
      if (!(error instanceof ZodError)) throw error;
      return refuse("validation_failed", `${verb}: ${error.message}`);
    }
  }

  #internal(verb: string, fence: number, body: unknown): Answer<unknown> {
    const { storage, snapshotId } = this.#catalog;
    const { sql } = storage;
    const jobId = `maintenance-${this.#attempts}`;
    const held = { lease: LEASE, fence, jobId };
    const at = (path: string) => `${this.#catalog.url}/bucket/${encodeURIComponent(path)}`;
    if (verb === "maintenance/plan") {
      const plan = this.plan(CompactionPlanRequest.parse(body));
      const usual = { snapshotId, root: ROOT, leftAlone: [], next: null };
      if (!("ok" in plan)) return accept({ ...usual, ...plan });
      return plan.ok ? accept({ ...usual, ...plan.value }) : plan;
    }
    const step = verb.slice("maintenance/".length);
    if (STEPS.includes(step)) {
      const answer = this.take(step as PlatformStep, MaintenanceStepRequest.parse(body).after);
      return "next" in answer ? accept(answer) : answer;
    }
    switch (verb) {
      case "uploads": {
        const folders = uploadFolders(sql, { lease: LEASE, fence, jobId }, UploadRequest.parse(body).tables);
        if (!folders.ok) return folders;
        const paths = folders.value.map((folder) => uploadPath(jobId, folder, randomUUID()));
        return accept({ uploads: paths.map((path) => ({ path, url: at(path) })) });
      }
      case "commit": {
        const commit = LakeCommit.parse(body);
        const answer = commitToCatalog(storage, { ...held, commit }, Date.now());
        if (answer.ok) this.commits.push(commit);
        return answer;
      }
      case "tables":
        return accept({ snapshotId, tables: describeSchema(sql, snapshotId, TablesRequest.parse(body).schema) });
      case "sign": {
        const { fileIds, snapshotId: asOf = snapshotId } = JobSignRequest.parse(body);
        const paths = pathsOfFiles(sql, asOf, fileIds, "everything");
        if (!paths.ok) return paths;
        return accept({ urls: Object.fromEntries(Object.entries(paths.value).map(([id, path]) => [id, at(path)])) });
      }
      case "finish":
        this.outcomes.push(MaintenanceOutcome.parse(body));
        return accept(null);
      case "log":
        this.lines.push(...LogRequest.parse(body).lines.map(({ level, message }) => `${level}: ${message}`));
        return accept(null);
      default:
        this.heartbeats.push(HeartbeatRequest.parse(body));
        return accept({ cancelled: this.cancelsJobs });
    }
  }
}
