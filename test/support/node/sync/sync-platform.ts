// The routes of a sync's job over a real catalog: what it commits is a lake, as production would have it.

import { createWriteStream, mkdirSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { sendObject } from "../lake/send-object.ts";
import { Jobs } from "../../../../containers/engine/jobs/jobs.ts";
import { workKinds } from "../../../../containers/engine/jobs/work-kinds.ts";
import { readLakeSettings } from "../../../../containers/engine/core/settings.ts";
import { LakeCommit, UploadRequest } from "../../../../kernel/lake/commit.ts";
import {
  SyncOutcome,
  JobPlanRequest,
  JobSignRequest,
  StateRequest,
  TablesRequest,
} from "../../../../kernel/jobs/job.ts";
import type { SyncWork } from "../../../../kernel/jobs/work.ts";
import type { Source } from "../../../../kernel/wire/source.ts";
import { accept, valueOf, type Answer } from "../../../../src/core/answer.ts";
import { commitToCatalog } from "../../../../src/lake/commit/commit.ts";
import { describeSchema } from "../../../../src/lake/plan/describe.ts";
import { acquireLease, releaseLease } from "../../../../src/lake/writers/leases.ts";
import { uploadPath } from "../../../../src/lake/format/names.ts";
import { pathsOfFiles, planTables } from "../../../../src/lake/plan/plan.ts";
import { readNotes } from "../../../../src/lake/writers/notes.ts";
import { uploadFolders } from "../../../../src/lake/writers/upload-folders.ts";
import { ROOT, type CatalogPlatform } from "../lake/catalog-platform.ts";

const LEASE = "sync/sync-1";

export class SyncPlatform {
  readonly outcomes: SyncOutcome[] = [];
  /** Called before each request is answered, with its verb; `get` and `put` are of objects. */
  onRequest: (verb: string) => void = () => undefined;
  readonly #catalog: CatalogPlatform;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #fence = 0;
  #url = "";
  #runs = 0;
  #files = 0;

  private constructor(catalog: CatalogPlatform) {
    this.#catalog = catalog;
    this.takeLease();
  }

  static async start(catalog: CatalogPlatform): Promise<SyncPlatform> {
    const platform = new SyncPlatform(catalog);
    await new Promise<void>((resolve) => platform.#server.listen(0, "127.0.0.1", resolve));
    platform.#url = `http://127.0.0.1:${(platform.#server.address() as AddressInfo).port}`;
    return platform;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Takes the lease, as a run of the sync does when it begins; {@link sync} does it where it is free. */
  takeLease(): void {
    const request = { name: LEASE, holder: this.#job.jobId, ttlMs: 3_600_000 };
    this.#fence = valueOf(acquireLease(this.#catalog.storage.sql, request, Date.now())).fence;
  }

  /** Releases the lease, as a run of the sync does when it has ended. */
  releaseLease(): void {
    releaseLease(this.#catalog.storage.sql, LEASE, this.#fence);
  }

  /** The job of the last run, as the catalog knows it. */
  get #job() {
    return { lease: LEASE, fence: this.#fence, jobId: `job-${this.#runs}` };
  }

  /** Runs a sync to its end, and keeps the lease. Each run is a job of its own, which takes over from the last one. */
  async sync(source: Source, more: Partial<SyncWork> & Pick<SyncWork, "tables">): Promise<SyncOutcome> {
    this.releaseLease();
    this.#runs++;
    this.takeLease();
    const jobs = new Jobs({ platformUrl: this.#url, s3Dial: "" }, workKinds(readLakeSettings()));
    const id = this.#job.jobId;
    const usual = {
      lakeId: "lake",
      destSchema: "main",
      loadMethod: "merge" as const,
      cursors: {},
      appendFullRows: false,
      full: false,
      only: null,
    };
    jobs.start({
      id,
      token: "token",
      work: { kind: "sync", source, syncId: "sync-1", runId: `run-${this.#runs}`, attempt: 1, ...usual, ...more },
    });
    while (jobs.get(id)?.state === "running") await new Promise((resolve) => setTimeout(resolve, 10));
    return this.outcomes.at(-1)!;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", this.#url);
    const file = join(this.#catalog.bucket, decodeURIComponent(pathname.slice("/bucket/".length)));
    this.onRequest(request.method === "POST" ? pathname.split("/").at(-1)! : request.method!.toLowerCase());
    if (request.method === "PUT") {
      mkdirSync(dirname(file), { recursive: true });
      await pipeline(request, createWriteStream(file));
      return void response.end();
    }
    if (request.method === "GET") return sendObject(file, request, response);
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const result = this.#internal(pathname.split("/").at(-1)!, JSON.parse(Buffer.concat(chunks).toString() || "{}"));
    response.writeHead(result.ok ? 200 : 409, { "content-type": "application/json" });
    response.end(
      JSON.stringify(
        result.ok ? result.value : { message: `${result.refusal.detail} ${JSON.stringify(result.refusal.flaws)}` },
      ),
    );
  }

  #internal(verb: string, body: unknown): Answer<unknown> {
    const { storage, snapshotId: newest } = this.#catalog;
    const { sql } = storage;
    const within = <T>(answer: Answer<T>, wrap: (value: T) => unknown): Answer<unknown> =>
      answer.ok ? accept(wrap(answer.value)) : answer;
    const at = (path: string) => `${this.#url}/bucket/${encodeURIComponent(path)}`;
    switch (verb) {
      case "uploads":
        return within(uploadFolders(sql, this.#job, UploadRequest.parse(body).tables), (folders) => ({
          uploads: folders
            .map((folder) => uploadPath(this.#job.jobId, folder, String(++this.#files)))
            .map((path) => ({ path, url: at(path) })),
        }));
      case "commit":
        return commitToCatalog(storage, { ...this.#job, commit: LakeCommit.parse(body) }, Date.now());
      case "tables":
        return accept({ snapshotId: newest, tables: describeSchema(sql, newest, TablesRequest.parse(body).schema) });
      case "state":
        return accept({ values: readNotes(sql, StateRequest.parse(body).keys) });
      case "plan": {
        const { tableIds, anyOf, snapshotId = newest } = JobPlanRequest.parse(body);
        return within(planTables(sql, snapshotId, { tableIds, anyOf, reader: "everything" }), (tables) => ({
          snapshotId,
          root: ROOT,
          tables,
        }));
      }
      case "sign": {
        const { fileIds, snapshotId = newest } = JobSignRequest.parse(body);
        return within(pathsOfFiles(sql, snapshotId, fileIds, "everything"), (paths) => ({
          urls: Object.fromEntries(Object.entries(paths).map(([id, path]) => [id, at(path)])),
        }));
      }
      case "finish":
        this.outcomes.push(SyncOutcome.parse(body));
        return accept(null);
      default:
        return accept({ cancelled: false });
    }
  }
}
