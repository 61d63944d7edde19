// BigQuery's REST API v2 and Google's token service as public pages describe them, on this machine: statements run on
// DuckDB, and every answer can be spoilt.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { gzipSync } from "node:zlib";
import type { BigQueryCredentials, Source } from "../../../../../kernel/wire/source.ts";
import { FakeDatabase, type FakeTable } from "./fake-database.ts";
import { FakeJobs, LOCATION, refusal, type Answer, type JobRequest } from "./fake-jobs.ts";
import { FakeTokens, KEY_FILE, PROJECT } from "./fake-tokens.ts";

/** What is asked, by the API's own names. */
export type Operation =
  | "token"
  | "jobs.insert"
  | "jobs.get"
  | "jobs.cancel"
  | "jobs.getQueryResults"
  | "datasets.list"
  | "tables.list"
  | "tables.get"
  | "tables.testIamPermissions";

/** What is answered instead; `cutAt`: the connection breaks behind so many bytes. */
export type Spoilt = (Answer & { cutAt?: number }) | "hang up" | "stall";
export type Spoil = (answer: Answer, url: URL) => Spoilt;

type Fault = { operation: Operation; spoil: Spoil; skip: number; times: number };

export type TableFacts = { description?: string; tableConstraints?: object; permissions?: string[] };

export class FakeBigquery {
  readonly jobs: FakeJobs;
  readonly tokens = new FakeTokens();
  readonly database: FakeDatabase;
  /** Every request that came, in order. */
  readonly requests: { operation: Operation; url: string }[] = [];
  /** What the service knows of tables beside their columns, by `dataset.table`. */
  readonly facts = new Map<string, TableFacts>();
  isZipped = false;

  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #faults: Fault[] = [];

  private constructor(database: FakeDatabase) {
    this.database = database;
    this.jobs = new FakeJobs(database);
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  static async start(): Promise<FakeBigquery> {
    const fake = new FakeBigquery(await FakeDatabase.create());
    await new Promise<void>((resolve) => fake.#server.listen(0, "127.0.0.1", resolve));
    return fake;
  }

  /** For the setting that lets an emulator stand in. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  source(more: Partial<BigQueryCredentials> = {}): Extract<Source, { type: "bigquery" }> {
    const credentials = { project_id: PROJECT, credentials_json: JSON.stringify(KEY_FILE), ...more };
    return { type: "bigquery", credentials };
  }

  /** Spoils answers to an operation: after `skip` true ones, as many `times`. */
  spoil(operation: Operation, spoil: Spoil, { skip = 0, times = Infinity } = {}): void {
    this.#faults.push({ operation, spoil, skip, times });
  }

  heal(): void {
    this.#faults = [];
    this.jobs.isHeldUp = false;
  }

  /** Sockets that are open now. */
  connections(): number {
    return this.#sockets.size;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await this.jobs.close();
    this.database.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    const chunks: Buffer[] = [];
    for await (const chunk of request.on("error", () => undefined)) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const found = route(request.method ?? "", url.pathname);
    if (!found)
      return void response.writeHead(404).end(`{"error":{"code":404,"message":"no such path ${url.pathname}"}}`);
    this.requests.push({ operation: found.operation, url: request.url! });
    const isLetIn = found.operation === "token" || this.tokens.isValid(request.headers.authorization);
    const answer = isLetIn
      ? await this.#do(found, url, body).catch((error: unknown) => refusal(500, "internalError", String(error)))
      : refusal(401, "authError", "Request had invalid authentication credentials.");
    const fault = this.#faults.find(({ operation, skip, times }) => {
      return operation === found.operation && times > 0 && skip === 0;
    });
    for (const other of this.#faults) if (other.operation === found.operation && other.skip > 0) other.skip--;
    if (fault) fault.times--;
    this.#send(request, response, fault ? fault.spoil(answer, url) : answer);
  }

  #send(request: IncomingMessage, response: ServerResponse, answer: Spoilt): void {
    if (answer === "stall") return;
    if (answer === "hang up") return void request.socket.destroy();
    const text = Buffer.from(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
    const isZipped = this.isZipped && /\bgzip\b/.test(String(request.headers["accept-encoding"]));
    const bytes = isZipped ? gzipSync(text) : text;
    response.writeHead(answer.status, {
      "content-type": "application/json; charset=UTF-8",
      "content-length": bytes.length,
      ...(isZipped ? { "content-encoding": "gzip" } : {}),
      ...answer.headers,
    });
    if (answer.cutAt === undefined) return void response.end(bytes);
    response.write(bytes.subarray(0, answer.cutAt), () => request.socket.destroy());
  }

  async #do({ operation, parts }: Route, url: URL, body: string): Promise<Answer> {
    const [first = "", second = ""] = parts;
    switch (operation) {
      case "token":
        return this.tokens.exchange(body);
      case "jobs.insert":
        return this.jobs.insert(JSON.parse(body) as JobRequest);
      case "jobs.get":
        return this.jobs.get(first);
      case "jobs.cancel":
        return this.jobs.cancel(first);
      case "jobs.getQueryResults":
        return this.jobs.results(first, url.searchParams);
      case "datasets.list": {
        const names = [...new Set((await this.database.listTables()).map(({ dataset }) => dataset))];
        return listed(
          url,
          "datasets",
          names.map((datasetId) => ({ datasetReference: { projectId: PROJECT, datasetId }, location: LOCATION })),
        );
      }
      case "tables.list": {
        const tables = await this.database.listTables(first);
        return listed(
          url,
          "tables",
          tables.map((table) => ({ tableReference: referenceTo(table), type: typeOf(table) })),
        );
      }
      case "tables.get": {
        const table = await this.database.getTable(first, second);
        return table ? this.#table(table) : refusal(404, "notFound", `Not found: Table ${PROJECT}:${first}.${second}`);
      }
      case "tables.testIamPermissions": {
        const { permissions = [] } = this.facts.get(`${first}.${second}`) ?? {};
        const asked = (JSON.parse(body) as { permissions: string[] }).permissions;
        return { status: 200, body: { permissions: asked.filter((permission) => permissions.includes(permission)) } };
      }
    }
  }

  #table(table: FakeTable): Answer {
    const { permissions: _, ...facts } = this.facts.get(`${table.dataset}.${table.name}`) ?? {};
    return {
      status: 200,
      body: {
        kind: "bigquery#table",
        tableReference: referenceTo(table),
        type: typeOf(table),
        location: LOCATION,
        schema: { fields: table.fields },
        numRows: String(table.rows),
        numBytes: String(table.rows * 100),
        ...(table.createdAt === undefined ? {} : { creationTime: String(table.createdAt) }),
        ...(table.primaryKey.length > 0 ? { tableConstraints: { primaryKey: { columns: table.primaryKey } } } : {}),
        ...facts,
      },
    };
  }
}

const referenceTo = ({ dataset, name }: Pick<FakeTable, "dataset" | "name">) => ({
  projectId: PROJECT,
  datasetId: dataset,
  tableId: name,
});
const typeOf = ({ isView }: Pick<FakeTable, "isView">) => (isView ? "VIEW" : "TABLE");

/** A page of a list, by `maxResults` and `pageToken`. */
function listed(url: URL, name: string, all: object[]): Answer {
  const start = Number(url.searchParams.get("pageToken") ?? 0);
  const end = start + Number(url.searchParams.get("maxResults") ?? 50);
  const next = end < all.length ? { nextPageToken: String(end) } : {};
  return { status: 200, body: { [name]: all.slice(start, end), totalItems: all.length, ...next } };
}

type Route = { operation: Operation; parts: string[] };

const BASE = `/bigquery/v2/projects/${PROJECT}`;
const ROUTES: [method: string, path: RegExp, operation: Operation][] = [
  ["POST", /^\/token$/, "token"],
  ["POST", new RegExp(`^${BASE}/jobs$`), "jobs.insert"],
  ["GET", new RegExp(`^${BASE}/jobs/([^/]+)$`), "jobs.get"],
  ["POST", new RegExp(`^${BASE}/jobs/([^/]+)/cancel$`), "jobs.cancel"],
  ["GET", new RegExp(`^${BASE}/queries/([^/]+)$`), "jobs.getQueryResults"],
  ["GET", new RegExp(`^${BASE}/datasets$`), "datasets.list"],
  ["GET", new RegExp(`^${BASE}/datasets/([^/]+)/tables$`), "tables.list"],
  ["POST", new RegExp(`^${BASE}/datasets/([^/]+)/tables/([^/]+):testIamPermissions$`), "tables.testIamPermissions"],
  ["GET", new RegExp(`^${BASE}/datasets/([^/]+)/tables/([^/]+)$`), "tables.get"],
];

function route(method: string, path: string): Route | undefined {
  for (const [ofMethod, pattern, operation] of ROUTES) {
    const found = ofMethod === method ? pattern.exec(path) : null;
    if (found) return { operation, parts: found.slice(1).map(decodeURIComponent) };
  }
  return undefined;
}
