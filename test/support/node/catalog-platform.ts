// A platform whose catalog is the real one, over Node's SQLite: commits, plans and exports as production does, files on disk.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { createReadStream, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { LakeChange, LakeColumn, LakeCommit, NewDataFile, NewDeleteFile } from "../../../containers/engine/lake-protocol.ts";
import { writeParquet } from "../../../containers/engine/lake/parquet-writer.ts";
import type { LakeGrant } from "../../../containers/engine/protocol.ts";
import { valueOf, type Answer } from "../../../src/platform/lake/answer.ts";
import { outlineCatalog, readPage } from "../../../src/platform/lake/browse-export.ts";
import { commitToCatalog } from "../../../src/platform/lake/commit.ts";
import { readHead } from "../../../src/platform/lake/commit-state.ts";
import { describeCatalog } from "../../../src/platform/lake/describe.ts";
import { acquireLease } from "../../../src/platform/lake/leases.ts";
import { tableFolder, uploadPath } from "../../../src/platform/lake/names.ts";
import { openCatalog } from "../../../src/platform/lake/open-catalog.ts";
import { pathsOfFiles, planTables } from "../../../src/platform/lake/plan.ts";
import { openStorage } from "./sql-storage.ts";

const JOB = { lease: "test", jobId: "job" };

export class CatalogPlatform {
  readonly storage = openStorage();
  /** The lake's root: paths of the catalog are relative to it. */
  readonly bucket = mkdtempSync(join(tmpdir(), "fjord-bucket-"));
  url = "";
  /** Called before each request is answered, with its verb. */
  onRequest: (verb: string) => void = () => undefined;
  private readonly server = createServer((request, response) => void this.answer(request, response));
  private readonly fence: number;
  private readonly instance: DuckDBInstance;
  readonly duckdb: DuckDBConnection;
  private commits = 0;
  private files = 0;

  private constructor(instance: DuckDBInstance, duckdb: DuckDBConnection) {
    this.instance = instance;
    this.duckdb = duckdb;
    openCatalog(this.storage, Date.now());
    this.fence = valueOf(acquireLease(this.storage.sql, JOB.lease, JOB.jobId, 3_600_000, Date.now())).fence;
  }

  static async start(): Promise<CatalogPlatform> {
    const instance = await DuckDBInstance.create(":memory:");
    const duckdb = await instance.connect();
    await duckdb.run("SET TimeZone = 'UTC'");
    const platform = new CatalogPlatform(instance, duckdb);
    await new Promise<void>((resolve) => platform.server.listen(0, "127.0.0.1", resolve));
    platform.url = `http://127.0.0.1:${(platform.server.address() as AddressInfo).port}`;
    return platform;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    this.duckdb.closeSync();
    this.instance.closeSync();
    rmSync(this.bucket, { recursive: true, force: true });
  }

  get snapshotId(): number {
    return readHead(this.storage.sql).snapshotId;
  }

  grant(snapshotId = this.snapshotId): LakeGrant {
    return { teamId: "team", lakeId: "lake", snapshotId, token: `at-${snapshotId}` };
  }

  /** Made from the newest snapshot, so that it conflicts with nothing. */
  commit(...changes: LakeChange[]): number {
    const commit: LakeCommit = { key: `commit-${++this.commits}`, author: null, message: null, baseSnapshotId: this.snapshotId, changes };
    const answer = commitToCatalog(this.storage, { ...JOB, fence: this.fence, commit }, Date.now());
    if (!answer.ok) throw new Error(`${answer.refusal.detail} ${JSON.stringify(answer.refusal.flaws)}`);
    return answer.value.snapshotId;
  }

  /** The rows of `select` as a data file in a table's folder, which is that of the name the table was made under. */
  async write(schema: string, table: string, columns: readonly LakeColumn[], select: string): Promise<NewDataFile> {
    const { path, file } = this.place(schema, table);
    const written = await writeParquet(this.duckdb, select, columns, file);
    if (!written) throw new Error("There are no rows to write.");
    return { path, ...written };
  }

  /** A delete file of these positions, ascending. */
  async writeDeletes(schema: string, table: string, dataFile: string, positions: string): Promise<NewDeleteFile> {
    const { path, file } = this.place(schema, table);
    const rows = `SELECT '${dataFile}' AS file_path, pos::BIGINT AS pos FROM (${positions}) AS p(pos) ORDER BY pos`;
    const reader = await this.duckdb.runAndReadAll(`COPY (${rows}) TO '${file}' (FORMAT parquet, RETURN_STATS)`);
    const [told] = reader.getRowObjectsJson() as { count: string; file_size_bytes: string; footer_size_bytes: string }[];
    return { path, bytes: Number(told!.file_size_bytes), footerBytes: Number(told!.footer_size_bytes), rows: Number(told!.count) };
  }

  private place(schema: string, table: string): { path: string; file: string } {
    const path = uploadPath(JOB.jobId, tableFolder(schema, table), String(++this.files));
    const file = join(this.bucket, path);
    mkdirSync(dirname(file), { recursive: true });
    return { path, file };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", this.url);
    const verb = pathname.startsWith("/bucket/") ? "get" : pathname.split("/").at(-1)!;
    this.onRequest(verb);
    if (verb === "get") return this.read(join(this.bucket, decodeURIComponent(pathname.slice("/bucket/".length))), request, response);
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const snapshotId = Number(/^Bearer at-(\d+)$/.exec(request.headers.authorization ?? "")?.[1]);
    const told = this.internal(verb, snapshotId, JSON.parse(Buffer.concat(chunks).toString() || "{}") as Body);
    response.writeHead(told.ok ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(told.ok ? told.value : { message: told.refusal.detail }));
  }

  private internal(verb: string, snapshotId: number, body: Body): Answer<unknown> {
    const { sql } = this.storage;
    const within = (answer: Answer<unknown>, wrap: (value: never) => unknown): Answer<unknown> => (answer.ok ? { ok: true, value: wrap(answer.value as never) } : answer);
    if (verb === "describe") return describeCatalog(sql, snapshotId);
    if (verb === "outline") return outlineCatalog(sql, snapshotId);
    if (verb === "rows") return readPage(sql, snapshotId, body.table, body.after);
    if (verb === "plan") return within(planTables(sql, snapshotId, body.tableIds), (tables) => ({ tables }));
    const urls = (paths: Record<string, string>) => Object.fromEntries(Object.entries(paths).map(([id, path]) => [id, `${this.url}/bucket/${path}`]));
    return within(pathsOfFiles(sql, snapshotId, body.fileIds), (paths) => ({ urls: urls(paths) }));
  }

  private async read(file: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { size } = statSync(file);
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
    const [start, end] = [Number(range?.[1] ?? 0), range?.[2] ? Number(range[2]) : size - 1];
    response.writeHead(range ? 206 : 200, { "content-length": end - start + 1, ...(range && { "content-range": `bytes ${start}-${end}/${size}` }) });
    await pipeline(createReadStream(file, { start, end }), response).catch(() => undefined);
  }
}

type Body = { table: string; after: number | null; tableIds: number[]; fileIds: number[] };
