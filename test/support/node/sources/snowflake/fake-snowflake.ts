// A fake of Snowflake's service and of the store its results lie in: the private REST API as drivers speak it, over
// HTTP on this machine. It records what it was sent, and does what a test makes it do wrong.

import * as http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { FakeDatabase } from "./fake-database.ts";
import type { Layout } from "./fake-results.ts";
import { FakeSessions, success } from "./fake-sessions.ts";
import { FakeStatements, refusal, type AnswerBody, type Order } from "./fake-statements.ts";

/** What becomes of an answer: sent with another status or body, cut off after half of its bytes, or never sent. */
export type Spoilt = "close" | "stall" | { status?: number; headers?: Record<string, string>; body?: string | Buffer };

export type Faults = {
  /** Asked before a request is looked at; `count` is how many came to this path before. */
  request?: (path: string, count: number) => Spoilt | undefined;
  /** Changes a statement's last answer in place. */
  answer?: (body: AnswerBody) => void;
  /** Asked before a chunk is sent; `count` is how often this one was asked for before. */
  chunk?: (index: number, count: number, chunks: readonly Buffer[]) => Spoilt | undefined;
};

/** So long the service holds a request whose statement runs. */
const HOLD_MS = 300;

export class FakeSnowflake {
  readonly database: FakeDatabase;
  readonly statements: FakeStatements;
  readonly sessions = new FakeSessions();
  faults: Faults = {};
  /** Statements are answered with `333334` at once, and held for so long when they are asked for. */
  holdMs = HOLD_MS;
  /** Paths asked for, in order, and the numbers of statements that were to be ended. */
  readonly requests: string[] = [];
  readonly aborts: string[] = [];
  readonly #server: http.Server;
  readonly #sockets = new Set<Socket>();
  readonly #storeSockets = new Set<Socket>();

  readonly #layout: Layout;

  private constructor(database: FakeDatabase, layout: Layout) {
    this.database = database;
    this.#layout = layout;
    this.statements = new FakeStatements(database, layout);
    this.#server = http.createServer((request, response) => void this.#serve(request, response));
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => {
        this.#sockets.delete(socket);
        this.#storeSockets.delete(socket);
      });
    });
  }

  static async start(layout: Layout = { inlineRows: 100, chunkRows: 1_000 }): Promise<FakeSnowflake> {
    const fake = new FakeSnowflake(await FakeDatabase.create(), layout);
    await new Promise<void>((resolve) => fake.#server.listen(0, "127.0.0.1", resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get openSockets(): number {
    return this.#sockets.size;
  }

  /** Connections by which a result is read. */
  get openStoreSockets(): number {
    return this.#storeSockets.size;
  }

  /** The texts of all statements that were sent, in order. */
  get statementsSeen(): string[] {
    return this.statements.all.map(({ order }) => order.sqlText);
  }

  /** Does right again, and forgets what it saw. */
  heal(): void {
    this.faults = {};
    this.holdMs = HOLD_MS;
    this.statements.layout = this.#layout;
    this.statements.runMs = 0;
    this.statements.prepared.clear();
    this.statements.all.length = this.requests.length = this.aborts.length = this.sessions.all.length = 0;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
    this.database.close();
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const url = new URL(request.url!, this.url);
    const path = url.pathname;
    const count = this.requests.filter((seen) => seen === path).length;
    this.requests.push(path);
    const spoilt = this.faults.request?.(path, count);
    if (spoilt) return spoil(response, spoilt, Buffer.from("{}"));
    if (path.startsWith("/store/")) {
      this.#storeSockets.add(request.socket);
      return this.#serveChunk(path, count, response);
    }
    const body = await readBody(request);
    const answer = await this.#answer(url, request, body);
    const isResult = /^\/queries\/.*(?:query-request|result)$/.test(path) && !answer.code?.startsWith("33333");
    if (isResult) this.faults.answer?.(answer);
    send(response, answer);
  }

  async #answer(url: URL, { headers }: http.IncomingMessage, body: Record<string, unknown>): Promise<AnswerBody> {
    if (url.pathname === "/session/v1/login-request")
      return this.sessions.logIn(url, (body.data ?? {}) as Record<string, unknown>);
    if (url.pathname === "/session/token-request") return this.sessions.renew(headers.authorization);
    const session = this.sessions.find(headers.authorization);
    if ("success" in session) return session;
    const requestId = url.searchParams.get("requestId") ?? "";
    switch (url.pathname) {
      case "/session":
        session.isClosed = true;
        return success({});
      case "/queries/v1/query-request":
        return this.#runOrder(requestId, body as unknown as Order);
      case "/queries/v1/abort-request":
        this.aborts.push(String(body.requestId));
        return this.statements.abort(String(body.requestId))
          ? success({})
          : refusal("000605", "Identified SQL statement is not currently executing.");
      default:
        return this.#answerById(url.pathname);
    }
  }

  #runOrder(requestId: string, order: Order): Promise<AnswerBody> {
    const statement = this.statements.start(requestId, order, (id, index) => `${this.url}/store/${id}/${index}`);
    return this.#hold(statement.queryId, statement.ended);
  }

  async #answerById(path: string): Promise<AnswerBody> {
    const [, queryId, what] =
      /^\/queries\/([\w-]+)\/(result|abort-request)$/.exec(path) ??
      /^\/monitoring\/queries\/([\w-]+)$/.exec(path) ??
      [];
    const statement = this.statements.all.find((candidate) => candidate.queryId === queryId);
    if (!statement) return refusal("000709", `Statement ${queryId} not found`);
    if (what === "result") return this.#hold(statement.queryId, statement.ended);
    const status = statement.isAborted ? "ABORTED" : statement.result ? "SUCCESS" : "RUNNING";
    return success({ queries: [{ id: queryId, status }] });
  }

  /** The last answer; or, when it takes longer than the service waits, where to ask for it. */
  async #hold(queryId: string, ended: Promise<AnswerBody>): Promise<AnswerBody> {
    const { promise: waited, resolve } = Promise.withResolvers<AnswerBody>();
    const timer = setTimeout(resolve, this.holdMs, {
      success: true,
      code: this.holdMs === 0 ? "333334" : "333333",
      message: "Query execution in progress.",
      data: { queryId, getResultUrl: `/queries/${queryId}/result`, progressDesc: null, queryAbortsAfterSecs: 300 },
    });
    const answer = await Promise.race([ended, waited]);
    clearTimeout(timer);
    return answer;
  }

  async #serveChunk(path: string, count: number, response: http.ServerResponse): Promise<void> {
    const [, , queryId, index] = path.split("/");
    const chunks = this.statements.all.find((candidate) => candidate.queryId === queryId)?.result?.chunks ?? [];
    const chunk = chunks[Number(index)];
    const bytes = chunk && ("bytes" in chunk ? chunk.bytes : await chunk.make());
    const made = chunks.map((one) => ("bytes" in one ? one.bytes : Buffer.alloc(0)));
    spoil(response, this.faults.chunk?.(Number(index), count, made) ?? {}, bytes ?? Buffer.alloc(0));
  }
}

function spoil(response: http.ServerResponse, spoilt: Spoilt, bytes: Buffer): void {
  if (spoilt === "stall" || spoilt === "close") {
    response.writeHead(200, { "content-length": bytes.length });
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => spoilt === "close" && response.destroy());
    return;
  }
  const body = spoilt.body ?? bytes;
  const packing = Buffer.isBuffer(body) && body[0] === 0x1f ? { "content-encoding": "gzip" } : {};
  response.writeHead(spoilt.status ?? 200, { ...packing, ...spoilt.headers });
  response.end(body);
}

function send(response: http.ServerResponse, answer: AnswerBody): void {
  response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
  response.end(gzipSync(JSON.stringify(answer), { level: 1 }));
}

async function readBody(request: http.IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString();
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}
