// A platform whose catalog is the real one, over Node's SQLite: commits, plans and exports as production does, files on
// disk.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { createHash } from "node:crypto";
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { AccessRoles } from "../../../../kernel/access/access.ts";
import { indexAccess, type AccessIndex } from "../../../../kernel/access/decide-table.ts";
import { SnapshotRequest, type LakeColumn, type Predicate, type TablePlan } from "../../../../kernel/lake/lake.ts";
import {
  LakeCommit,
  UploadRequest,
  type LakeChange,
  type NewDataFile,
  type NewDeleteFile,
} from "../../../../kernel/lake/commit.ts";
import { writeParquet } from "../../../../containers/engine/parquet/writer.ts";
import { WriterRequest } from "../../../../kernel/lake/writer.ts";
import type { LakeGrant } from "../../../../kernel/wire/engine.ts";
import { foldName } from "../../../../kernel/text/fold-name.ts";
import { PROBLEMS } from "../../../../src/core/problem.ts";
import { refuse, valueOf, type Answer } from "../../../../src/core/answer.ts";
import { outlineCatalog, readPage } from "../../../../src/lake/browse/export.ts";
import { commitToCatalog } from "../../../../src/lake/commit/commit.ts";
import { readHead } from "../../../../src/lake/state/state.ts";
import { readTable } from "../../../../src/lake/state/table-state.ts";
import { findSnapshot } from "../../../../src/lake/plan/describe.ts";
import { describeNamed, type DescribedTables } from "../../../../src/lake/plan/named-tables.ts";
import { acquireLease } from "../../../../src/lake/writers/leases.ts";
import { tableFolder, uploadPath } from "../../../../src/lake/format/names.ts";
import { openCatalog } from "../../../../src/lake/catalog/open-catalog.ts";
import { endStatement, openStatement, statementKey } from "../../../../src/lake/commit/statements.ts";
import { uploadFolders } from "../../../../src/lake/writers/upload-folders.ts";
import { pathsOfFiles, planTables } from "../../../../src/lake/plan/plan.ts";
import { openStorage } from "./sql-storage.ts";
import { sendObject } from "./send-object.ts";

const JOB = { lease: "test", jobId: "job" };
/** A lake's root like those of production; here the files lie in a folder. */
export const ROOT = "s3://fjord/team/lake/lake/";

export class CatalogPlatform {
  readonly storage = openStorage();
  /** The lake's root: paths of the catalog are relative to it. */
  readonly bucket = mkdtempSync(join(tmpdir(), "fjord-bucket-"));
  url = "";
  /** Called before each request is answered, with its verb. */
  onRequest: (verb: string) => void | Promise<void> = () => undefined;
  /** The next so many commits are done, and their answers lost. */
  losingAnswers = 0;
  /** The team's plan allows no more data. */
  isFull = false;
  /** Bytes of objects that were read so far. */
  bytesRead = 0;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #fence: number;
  readonly #instance: DuckDBInstance;
  readonly duckdb: DuckDBConnection;
  readonly #readers = new Map<string, AccessIndex>();
  readonly #writers: SentWriter[] = [];
  #commits = 0;
  #files = 0;

  private constructor(instance: DuckDBInstance, duckdb: DuckDBConnection) {
    this.#instance = instance;
    this.duckdb = duckdb;
    openCatalog(this.storage, Date.now());
    this.#fence = valueOf(
      acquireLease(this.storage.sql, { name: JOB.lease, holder: JOB.jobId, ttlMs: 3_600_000 }, Date.now()),
    ).fence;
  }

  static async start(): Promise<CatalogPlatform> {
    const instance = await DuckDBInstance.create(":memory:");
    const duckdb = await instance.connect();
    await duckdb.run("SET TimeZone = 'UTC'");
    const platform = new CatalogPlatform(instance, duckdb);
    await new Promise<void>((resolve) => platform.#server.listen(0, "127.0.0.1", resolve));
    platform.url = `http://127.0.0.1:${(platform.#server.address() as AddressInfo).port}`;
    return platform;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    this.duckdb.closeSync();
    this.#instance.closeSync();
    rmSync(this.bucket, { recursive: true, force: true });
  }

  get snapshotId(): number {
    return readHead(this.storage.sql).snapshotId;
  }

  grant(snapshotId = this.snapshotId): LakeGrant {
    return { teamId: "team", lakeId: "lake", snapshotId, token: `at-${snapshotId}` };
  }

  /** The grant of a caller who has these roles. */
  grantFor(roles: AccessRoles, snapshotId = this.snapshotId): LakeGrant {
    const digest = createHash("sha256").update(JSON.stringify(roles)).digest("hex");
    this.#readers.set(digest, indexAccess(roles, foldName));
    return { ...this.grant(snapshotId), token: `at-${snapshotId}-${digest}`, reader: digest };
  }

  /** Leave to write as well, for one statement. Grants of one snapshot read alike. */
  writerGrant(statementId: string, read = this.grant()): LakeGrant {
    return this.grantOf({ statementId, jobId: `${this.#writers.length}-${statementId}`, actor: "user" }, read);
  }

  /** Leave to write for a statement whose job and actor are known. */
  grantOf(writer: SentWriter, read = this.grant()): LakeGrant {
    this.#writers.push(writer);
    return { reader: `by ${read.token}`, ...read, token: `${read.token}+${this.#writers.length - 1}` };
  }

  /** Made from the newest snapshot, so that it conflicts with nothing. */
  commit(...changes: LakeChange[]): number {
    const commit: LakeCommit = {
      key: `commit-${++this.#commits}`,
      author: null,
      message: null,
      baseSnapshotId: this.snapshotId,
      changes,
    };
    const answer = commitToCatalog(this.storage, { ...JOB, fence: this.#fence, commit }, Date.now());
    if (!answer.ok) throw new Error(`${answer.refusal.detail} ${JSON.stringify(answer.refusal.flaws)}`);
    return answer.value.snapshotId;
  }

  /** The rows of `select` as a data file in the folder of the table of this name, or of the name it was made under. */
  async write(schema: string, table: string, columns: readonly LakeColumn[], select: string): Promise<NewDataFile> {
    const { path, file } = this.#place(schema, table);
    const written = await writeParquet(this.duckdb, { select, columns }, file);
    if (!written) throw new Error("There are no rows to write.");
    return { path, ...written };
  }

  /** A delete file of these positions, ascending. */
  async writeDeletes(schema: string, table: string, dataFile: string, positions: string): Promise<NewDeleteFile> {
    const { path, file } = this.#place(schema, table);
    const rows = `SELECT '${dataFile}' AS file_path, pos::BIGINT AS pos FROM (${positions}) AS p(pos) ORDER BY pos`;
    const reader = await this.duckdb.runAndReadAll(`COPY (${rows}) TO '${file}' (FORMAT parquet, RETURN_STATS)`);
    const [metadata] = reader.getRowObjectsJson() as {
      count: string;
      file_size_bytes: string;
      footer_size_bytes: string;
    }[];
    return {
      path,
      bytes: Number(metadata!.file_size_bytes),
      footerBytes: Number(metadata!.footer_size_bytes),
      rows: Number(metadata!.count),
    };
  }

  #place(schema: string, table: string): { path: string; file: string } {
    const folder = readTable(this.storage.sql, schema, table)?.path ?? tableFolder(schema, table);
    const path = uploadPath(JOB.jobId, folder, String(++this.#files));
    const file = join(this.bucket, path);
    mkdirSync(dirname(file), { recursive: true });
    return { path, file };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", this.url);
    const isObject = pathname.startsWith("/bucket/");
    const verb = isObject ? request.method!.toLowerCase() : pathname.split("/").at(-1)!;
    await this.onRequest(verb);
    if (verb === "put")
      return this.#take(join(this.bucket, decodeURIComponent(pathname.slice("/bucket/".length))), request, response);
    if (isObject)
      return sendObject(
        join(this.bucket, decodeURIComponent(pathname.slice("/bucket/".length))),
        request,
        response,
        (bytes) => void (this.bytesRead += bytes),
      );
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const token = request.headers.authorization?.slice("Bearer ".length) ?? "";
    const body = JSON.parse(Buffer.concat(chunks).toString() || "{}") as Body;
    const isWrite = token.startsWith("job-") || pathname.includes("/writers");
    const result = isWrite ? this.#written(verb, token, body) : this.#internal(verb, token, body);
    if (verb === "commit" && this.losingAnswers-- > 0) return void response.destroy();
    response.writeHead(result.ok ? 200 : PROBLEMS[result.refusal.code].status, { "content-type": "application/json" });
    response.end(
      JSON.stringify(
        result.ok ? result.value : { message: result.refusal.detail, error: { flaws: result.refusal.flaws } },
      ),
    );
  }

  /** What a statement that writes asks. */
  #written(verb: string, token: string, body: Body): Answer<unknown> {
    const storage = this.storage as unknown as DurableObjectStorage;
    if (verb === "writers" && this.isFull && WriterRequest.parse(body).adds)
      return refuse("business_quota_exceeded", "The plan allows no more.");
    const number = Number(/^(?:at-.*\+|job-\d+-)(\d+)$/.exec(token)?.[1] ?? -1);
    const writer = this.#writers[number];
    if (writer === undefined)
      return refuse("forbidden_insufficient_permissions", "Writing to the lake needs the right lake:write.");
    const { jobId, statementId, actor } = writer;
    const key = statementKey(statementId);
    if (verb === "end") return { ok: true, value: endStatement(storage, { key, jobId }, Date.now()) };
    if (verb === "writers") {
      const opened = openStatement(
        storage,
        { key, jobId, actor, table: WriterRequest.parse(body).table, ttlMs: 60_000 },
        Date.now(),
      );
      if (!opened.ok) return opened;
      const { fence, snapshotId, columnIdLast } = opened.value;
      return {
        ok: true,
        value: {
          jobId,
          token: `job-${fence}-${number}`,
          key,
          actor,
          author: "Ada",
          snapshotId,
          root: ROOT,
          lakeToken: `at-${snapshotId}`,
          columnIdLast,
        },
      };
    }
    const [, fence] = /^job-(\d+)-/.exec(token)!;
    const held = { lease: `${key}/${jobId}`, fence: Number(fence), jobId };
    if (verb === "commit") return commitToCatalog(storage, { ...held, commit: LakeCommit.parse(body) }, Date.now());
    const folders = uploadFolders(this.storage.sql, held, UploadRequest.parse(body).tables);
    if (!folders.ok) return folders;
    const paths = folders.value.map((folder) => uploadPath(jobId, folder, String(++this.#files)));
    return { ok: true, value: { uploads: paths.map((path) => ({ path, url: `${this.url}/bucket/${path}` })) } };
  }

  async #take(file: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    mkdirSync(dirname(file), { recursive: true });
    try {
      await pipeline(request, createWriteStream(file));
      response.writeHead(200).end();
    } catch {
      // Whoever sent it died: as in a bucket, there is no part of an object.
      rmSync(file, { force: true });
      response.destroy();
    }
  }

  #internal(verb: string, token: string, body: Body): Answer<unknown> {
    const { sql } = this.storage;
    const [, at, digest] = /^at-(\d+)(?:-([^+]+))?(?:\+|$)/.exec(token) ?? [];
    const snapshotId = body.snapshotId ?? Number(at);
    const reader = digest === undefined ? "everything" : this.#readers.get(digest);
    if (!reader) throw new Error("The test's platform does not know this reader.");
    const within = (answer: Answer<unknown>, wrap: (value: never) => unknown): Answer<unknown> =>
      answer.ok ? { ok: true, value: wrap(answer.value as never) } : answer;
    if (verb === "describe")
      return within(describeNamed(sql, snapshotId, { ...body, reader }), (described: DescribedTables) => ({
        ...described,
        urls: this.#urlsOf(described.plans),
      }));
    if (verb === "snapshots")
      return { ok: true, value: { snapshotId: findSnapshot(sql, SnapshotRequest.parse(body)) } };
    if (verb === "outline") return outlineCatalog(sql, snapshotId);
    if (verb === "rows") return readPage(sql, snapshotId, body.table, body.after);
    if (verb === "plan")
      return within(planTables(sql, snapshotId, { ...body, reader }), (tables: TablePlan[]) => ({
        tables,
        urls: this.#urlsOf(tables),
      }));
    const urls = (paths: Record<string, string>) =>
      Object.fromEntries(Object.entries(paths).map(([id, path]) => [id, `${this.url}/bucket/${path}`]));
    return within(pathsOfFiles(sql, snapshotId, body.fileIds, reader), (paths) => ({ urls: urls(paths) }));
  }

  #urlsOf(plans: readonly TablePlan[]): Record<string, string> {
    const files = plans.flatMap(({ files }) => files.flatMap((file) => (file.deletes ? [file, file.deletes] : [file])));
    return Object.fromEntries(files.map(({ id, path }) => [id, `${this.url}/bucket/${path}`]));
  }
}

/** One sending of a statement that writes, and whose tables it may write. */
export type SentWriter = { statementId: string; jobId: string; actor: string };

type Body = {
  snapshotId?: number;
  at: string;
  table: string;
  after: number | null;
  tableIds: number[];
  anyOf?: Predicate[][];
  names?: string[];
  fileIds: number[];
};
