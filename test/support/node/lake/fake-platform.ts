// A stand-in for the platform's internal routes and its bucket: real HTTP on loopback, real Parquet files on disk.

import { hash } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DriveListRequest, DriveSignRequest } from "../../../../kernel/wire/drive.ts";
import {
  LakePlanRequest,
  type LakeTable,
  type PlannedFile,
  type PlanRequest,
  type Predicate,
} from "../../../../kernel/lake/lake.ts";
import { LakeCommit, UploadRequest, type LakeChange, type NewDataFile } from "../../../../kernel/lake/commit.ts";
import {
  HeartbeatRequest,
  SyncOutcome,
  JobSignRequest,
  LogRequest,
  StateRequest,
  TablesRequest,
} from "../../../../kernel/jobs/job.ts";
import { SyncProgress } from "../../../../kernel/jobs/progress.ts";
import type { AccessRoles } from "../../../../kernel/access/access.ts";
import { seenTable } from "../access/seen-tables.ts";
import { addressOf, FakeBucket } from "./fake-bucket.ts";
import { listDrive, signDrive } from "./fake-drive.ts";
import { alter, Conflict, mayHold, type Table, type TableFile } from "./fake-tables.ts";

export class FakePlatform extends FakeBucket {
  readonly tables: Table[] = [];
  readonly commits: LakeCommit[] = [];
  /** Notes kept by commits. */
  readonly state = new Map<string, string>();
  /** How jobs said they ended. */
  readonly outcomes: SyncOutcome[] = [];
  /** What heartbeats reported, oldest first; of the last of them. */
  readonly heartbeats: SyncProgress[] = [];
  get progress(): SyncProgress | undefined {
    return this.heartbeats.at(-1);
  }
  /** What jobs have said. */
  readonly lines: string[] = [];
  /** The next so many commits are done, and their answers lost. */
  losingAnswers = 0;
  /** The next so many commits are refused as if another had come first. */
  refusingCommits = 0;
  /** Called with the verb of each request as it comes. */
  onCall: ((verb: string) => void) | undefined;
  /** Called once the drive was listed. */
  onListed: (() => void) | undefined;
  /**
   * Requests so far, by verb: describe, plan, sign, get, put, uploads, commit, state, tables, heartbeat, finish, log.
   */
  readonly calls: Record<string, number> = {};
  /** Rows of files that tables are made of, by path. */
  readonly rowsOf = new Map<string, number>();
  /** What a plan with predicates keeps. */
  keeps: ((file: PlannedFile, anyOf: readonly Predicate[][]) => boolean) | undefined;
  /** What a heartbeat answers. */
  cancelsJobs = false;
  /** Tables a token may read; any other token reads all. */
  readonly grants = new Map<string, Set<string>>();
  /** Roles of a token's holder; any other token's sees the tables whole. */
  readonly roles = new Map<string, AccessRoles>();
  url = "";
  readonly #server: Server;
  #ids = 0;

  constructor(directory: string, server = createServer()) {
    super(directory);
    this.#server = server
      .removeAllListeners("request")
      .on("request", (request: IncomingMessage, response: ServerResponse) => void this.#answer(request, response));
  }

  async start(): Promise<this> {
    if (!this.#server.listening) await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** An empty platform in this one's place, at the same address. */
  async replace(directory: string): Promise<FakePlatform> {
    rmSync(this.directory, { recursive: true, force: true });
    return new FakePlatform(directory, this.#server).start();
  }

  get host(): string {
    return this.url.slice("http://".length);
  }

  /** Adds a table whose files lie in the directory already, by relative path. */
  addTable(
    schema: string,
    name: string,
    columns: LakeTable["columns"],
    files: Array<{ path: string; deletes?: string }>,
  ): Table {
    const table = {
      tableId: ++this.#ids,
      schema,
      name,
      columns,
      view: "whole" as const,
      /** Tests change what a table is in place. */
      get version(): string {
        return hash("sha1", JSON.stringify([this.schema, this.name, this.columns, this.files]));
      },
      files: files.map(({ path, deletes }) => ({
        ...this.#planned(path),
        deletes: deletes === undefined ? null : this.#planned(deletes),
      })),
    };
    this.tables.push(table);
    return table;
  }

  #planned(path: string): PlannedFile {
    return {
      id: ++this.#ids,
      path,
      bytes: statSync(join(this.directory, path)).size,
      rows: this.rowsOf.get(path) ?? 0,
    };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", this.url);
    const verb = pathname.startsWith("/bucket/") ? (request.method ?? "").toLowerCase() : pathname.split("/").at(-1)!;
    this.calls[verb] = (this.calls[verb] ?? 0) + 1;
    this.onCall?.(verb);
    if (pathname.startsWith("/bucket/")) return this.answerObject(pathname, request, response);
    const token = (request.headers.authorization ?? "").replace("Bearer ", "");
    const asked = JSON.parse(await text(request));
    const answer = token === "" ? undefined : this.#internal(verb, token, asked);
    if (answer instanceof Conflict) {
      response
        .writeHead(409, { "content-type": "application/json" })
        .end(JSON.stringify({ success: false, message: answer.message, error: { code: "resource_conflict" } }));
      return;
    }
    if (verb === "commit" && this.losingAnswers > 0) {
      this.losingAnswers--;
      return void response.destroy();
    }
    response.writeHead(answer === undefined ? 401 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { success: false, message: "no", error: { code: "auth_invalid_token" } }));
  }

  /** What each internal route answers, by the last part of its path. */
  readonly #routes: Record<string, (body: unknown, readable: Table[], roles?: AccessRoles) => unknown> = {
    describe: (_, readable, roles) => ({
      snapshotId: 1,
      schemas: [...new Set(["main", ...readable.map(({ schema }) => schema)])],
      tables: roles ? readable.map((table) => seenTable(table, roles)) : readable,
      plans: [],
      urls: {},
    }),
    snapshots: (body) => body,
    plan: (body, readable) => ({ ...this.#plan(LakePlanRequest.parse(body), readable), urls: {} }),
    list: (body) => {
      const listed = listDrive(join(this.directory, "drive"), DriveListRequest.parse(body));
      this.onListed?.();
      return listed;
    },
    sign: (body, readable) => ({
      urls: "paths" in (body as object) ? signDrive(DriveSignRequest.parse(body)) : signFiles(body, readable),
    }),
    uploads: (body) => ({
      uploads: UploadRequest.parse(body).tables.map(({ schema, name }) =>
        uploadTo(`${schema}/${name}/${++this.#ids}.parquet`),
      ),
    }),
    commit: (body) => this.#commit(LakeCommit.parse(body)),
    tables: (body) => {
      const { schema } = TablesRequest.parse(body);
      const tables = this.tables.filter((table) => table.schema === schema).map(({ files: _, ...table }) => table);
      return { snapshotId: 1, tables };
    },
    state: (body) => ({
      values: Object.fromEntries(StateRequest.parse(body).keys.map((key) => [key, this.state.get(key) ?? null])),
    }),
    finish: (body) => {
      this.outcomes.push(SyncOutcome.parse(body));
      return null;
    },
    heartbeat: (body) => {
      const { progress } = HeartbeatRequest.parse(body);
      if (progress) this.heartbeats.push(SyncProgress.parse(progress));
      return { cancelled: this.cancelsJobs };
    },
    log: (body) => {
      this.lines.push(...LogRequest.parse(body).lines.map(({ message }) => message));
      return { cancelled: this.cancelsJobs };
    },
  };

  #internal(verb: string, token: string, body: unknown): unknown {
    const granted = this.grants.get(token);
    const roles = this.roles.get(token);
    const isGranted = ({ schema, name }: Table): boolean => granted?.has(`${schema}.${name}`) ?? true;
    const readable = this.tables.filter((table) => isGranted(table) && (!roles || seenTable(table, roles)));
    const route = this.#routes[verb];
    return route ? route(body, readable, roles) : { cancelled: this.cancelsJobs };
  }

  #plan({ tableIds, anyOf }: PlanRequest, readable: Table[]) {
    const isKept = (file: TableFile, columns: LakeTable["columns"]): boolean =>
      !anyOf ||
      (anyOf.some((all) => all.every((predicate) => mayHold(file, columns, predicate))) &&
        (this.keeps?.(file, anyOf) ?? true));
    const planned = ({ tableId, columns, files }: Table) => ({
      tableId,
      files: files.filter((file) => isKept(file, columns)),
    });
    return {
      snapshotId: 1,
      root: "s3://fjord/team/lake/lake-1/",
      tables: readable.filter(({ tableId }) => tableIds.includes(tableId)).map(planned),
    };
  }

  #commit(commit: LakeCommit): { snapshotId: number; replayed: boolean } | Conflict {
    if (this.commits.some(({ key }) => key === commit.key)) return { snapshotId: 1, replayed: true };
    if (this.refusingCommits-- > 0) return new Conflict("The table was compacted by another commit in the meantime.");
    for (const change of commit.changes) {
      const conflict = this.#apply(change);
      if (conflict) return conflict;
    }
    this.commits.push(commit);
    for (const { key, value } of commit.state ?? []) {
      if (value === null) this.state.delete(key);
      else this.state.set(key, value);
    }
    return { snapshotId: 1, replayed: false };
  }

  #apply(change: LakeChange): Conflict | undefined {
    if (!("name" in change)) throw new Error(`the stand-in does not know ${change.kind}`);
    const at = this.tables.findIndex(({ schema, name }) => schema === change.schema && name === change.name);
    if (change.kind === "create_table") {
      if (at >= 0 && !change.orReplace) return new Conflict(`${change.schema}.${change.name} exists already.`);
      if (at >= 0) this.tables.splice(at, 1);
      this.addTable(change.schema, change.name, change.columns, []);
      return undefined;
    }
    const table = this.tables[at];
    if (!table || (change.expect && change.expect.tableId !== table.tableId))
      return new Conflict(`${change.schema}.${change.name} was replaced by another commit in the meantime.`);
    if (change.kind === "alter_table") for (const each of change.changes) table.columns = alter(table.columns, each);
    else if (change.kind === "append") table.files.push(...this.#begun(change.files));
    else if (change.kind === "overwrite") table.files = this.#begun(change.files);
    else if (change.kind === "delete") {
      for (const { dataFileId, file } of change.deletes)
        table.files.find(({ id }) => id === dataFileId)!.deletes = { ...this.#planned(file.path), rows: file.rows };
    } else if (change.kind === "drop_files")
      table.files = table.files.filter(({ id }) => !change.dataFileIds.includes(id));
    else throw new Error(`the stand-in does not know ${change.kind}`);
    return undefined;
  }

  #begun(files: readonly NewDataFile[]): TableFile[] {
    return files.map(({ path, rows, statistics }) => ({ ...this.#planned(path), rows, deletes: null, statistics }));
  }
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString() || "{}";
}

function signFiles(body: unknown, readable: Table[]) {
  const files = readable.flatMap(({ files }) =>
    files.flatMap((file) => (file.deletes ? [file, file.deletes] : [file])),
  );
  const wanted = new Set(JobSignRequest.parse(body).fileIds);
  return Object.fromEntries(files.filter(({ id }) => wanted.has(id)).map(({ id, path }) => [id, addressOf(path)]));
}

const uploadTo = (path: string) => ({ path, url: addressOf(path) });
