// A stand-in for the platform as a sandbox sees it: internal routes of runs and the drive, a bucket, and a few public
// paths.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  DRIVE_FILES_PER_PAGE_MAX,
  DriveListRequest,
  DriveSignRequest,
  type DriveEntry,
} from "../../../../kernel/wire/drive.ts";
import { DatasetReport, RunHeartbeat, RunLog, RunReport, ResultUpload } from "../../../../kernel/wire/sandbox.ts";

export const STORE_PATH = "/cdn-cgi/local/r2/s3";

type Line = { executionId: string; stream: string; text: string };

export class RunPlatformStandIn {
  readonly lines: Line[] = [];
  readonly reports: DatasetReport[] = [];
  readonly finished: RunReport[] = [];
  /** What lies in the bucket, by key. */
  readonly objects = new Map<string, Buffer>();
  /** path → ETag; contents are the object `<team>/drive/<path>`. */
  readonly drive = new Map<string, string>();
  /** Called between the making of a list of the drive and its answer. */
  onListed: () => void = () => undefined;
  /** Objects too large to hold: zeros, and at their end this. */
  readonly sparse = new Map<string, { bytes: number; tail: Buffer }>();
  /** What of the drive was listed, signed and read, in order: `list <prefix>`, `sign <path>`, `read <key> <range>`. */
  readonly driveCalls: string[] = [];
  /** While set, what is asked about the drive is not answered at all. */
  drivesHang = false;
  /** Requests for URLs so far. */
  signings = 0;
  /** While set, whatever is asked about the drive, and of the bucket, ends without an answer. */
  drivesDown = false;
  /** Everything asked for, as "METHOD path". */
  readonly asked: string[] = [];
  /** What `POST /v1/query` answers for a statement, or for a semantic query as JSON. */
  readonly results = new Map<string, Buffer>();
  /** Statements that are committed, and whose answers are lost. */
  readonly written = new Set<string>();
  cancels = false;
  /** The next so many finishes are answered 503. */
  failingFinishes = 0;
  url = "";
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  put(teamId: string, path: string, body: string | Buffer, etag: string = crypto.randomUUID()): void {
    this.objects.set(`${teamId}/drive/${path}`, Buffer.from(body));
    this.drive.set(path, etag);
  }

  putSparse(teamId: string, path: string, bytes: number, tail: Buffer): void {
    this.sparse.set(`${teamId}/drive/${path}`, { bytes, tail });
    this.drive.set(path, crypto.randomUUID());
  }

  text(executionId: string, stream = "stdout"): string[] {
    return this.lines
      .filter((line) => line.executionId === executionId && line.stream === stream)
      .map(({ text }) => text);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    this.asked.push(`${request.method} ${url.pathname}`);
    const body = await bytesOf(request);
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (this.drivesHang && url.pathname.startsWith("/internal/drive/")) return;
    if (
      this.drivesDown &&
      (url.pathname.startsWith("/internal/drive/") || (request.method === "GET" && url.pathname.startsWith(STORE_PATH)))
    )
      return void request.socket.destroy();
    if (url.pathname.startsWith(`${STORE_PATH}/`))
      return this.#store(request, url.pathname.slice(STORE_PATH.length + 1), body, response);
    if (url.pathname === "/v1/query") {
      const { sql, cube_query: query } = JSON.parse(body.toString()) as { sql?: string; cube_query?: object };
      const asked = sql ?? JSON.stringify(query);
      if (this.written.has(asked))
        return void json(409, { success: false, message: "It wrote.", error: { code: "write_committed", flaws: [] } });
      const result = this.results.get(asked);
      if (!result) return void json(400, { success: false, message: `Something went wrong: no ${asked}` });
      return void response.writeHead(200, { "content-type": "application/vnd.apache.arrow.stream" }).end(result);
    }
    if (url.pathname.startsWith("/internal/")) return this.#internal(url.pathname, body, json);
    json(200, { path: url.pathname, authorization: request.headers.authorization ?? null });
  }

  #store({ method, headers }: IncomingMessage, place: string, body: Buffer, response: ServerResponse): void {
    const key = decodeURIComponent(place.split("/").slice(1).join("/"));
    if (method === "PUT") this.objects.set(key, body);
    const found = this.objects.get(key);
    const size = this.sparse.get(key)?.bytes ?? found?.length;
    if (method === "PUT" || size === undefined) return void response.writeHead(method === "PUT" ? 200 : 404).end();
    const etag = `"${this.drive.get(key.split("/").slice(2).join("/")) ?? ""}"`;
    if (headers["if-match"] !== undefined && headers["if-match"] !== etag) return void response.writeHead(412).end();
    this.driveCalls.push(`read ${key} ${headers.range ?? "whole"}`);
    const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "");
    const [start, end] = range ? [Number(range[1]), Math.min(size, Number(range[2]) + 1)] : [0, size];
    response
      .writeHead(range ? 206 : 200, {
        etag,
        "content-length": end - start,
        ...(range ? { "content-range": `bytes ${start}-${end - 1}/${size}` } : {}),
      })
      .end(this.#bytes(key, start, end));
  }

  #bytes(key: string, start: number, end: number): Buffer {
    const sparse = this.sparse.get(key);
    if (!sparse) return this.objects.get(key)!.subarray(start, end);
    const piece = Buffer.alloc(end - start);
    const tailAt = sparse.bytes - sparse.tail.length;
    sparse.tail.copy(piece, Math.max(0, tailAt - start), Math.max(0, start - tailAt), Math.max(0, end - tailAt));
    return piece;
  }

  /** Lists files like the platform: in the order of UTF-8, in pages, each folder once where a delimiter is sent. */
  #list({ cursor, prefix = "", delimiter, limit = DRIVE_FILES_PER_PAGE_MAX }: DriveListRequest) {
    const entryOf = (path: string): DriveEntry => {
      const key = `team/drive/${path}`;
      return {
        path,
        etag: this.drive.get(path)!,
        bytes: this.sparse.get(key)?.bytes ?? this.objects.get(key)!.length,
        modified: new Date(0).toISOString(),
      };
    };
    const paths = [...this.drive.keys()].filter((path) => path.startsWith(prefix));
    const nameOf = (path: string) =>
      delimiter && path.includes(delimiter, prefix.length)
        ? path.slice(0, path.indexOf(delimiter, prefix.length) + 1)
        : path;
    const names = [...new Set(paths.map(nameOf))].sort((one, other) =>
      Buffer.compare(Buffer.from(one), Buffer.from(other)),
    );
    const from = cursor === null ? 0 : Number(cursor);
    const page = names.slice(from, from + limit);
    const folders = page.filter((name) => delimiter && name.endsWith(delimiter));
    const files = page.filter((name) => !folders.includes(name)).map(entryOf);
    return {
      root: "gs://bucket/team/drive/",
      files,
      ...(delimiter ? { folders } : {}),
      cursor: from + limit < names.length ? String(from + limit) : null,
    };
  }

  #internal(path: string, body: Buffer, json: (status: number, value: unknown) => unknown): void {
    const asked = JSON.parse(body.toString()) as unknown;
    const verb = path.split("/").at(-1)!;
    const sign = (key: string) =>
      `${this.url}${STORE_PATH}/bucket/${key.split("/").map(encodeURIComponent).join("/")}?X-Amz-Signature=0`;
    if (path === "/internal/drive/list") {
      const request = DriveListRequest.parse(asked);
      this.driveCalls.push(`list ${request.prefix ?? ""}`);
      const listed = this.#list(request);
      this.onListed();
      return void json(200, listed);
    }
    if (path === "/internal/drive/sign") {
      const { paths } = DriveSignRequest.parse(asked);
      this.signings++;
      this.driveCalls.push(...paths.map((name) => `sign ${name}`));
      return void json(200, { urls: Object.fromEntries(paths.map((name) => [name, sign(`team/drive/${name}`)])) });
    }
    if (verb === "heartbeat") {
      RunHeartbeat.parse(asked);
      return void json(200, { cancelled: this.cancels });
    }
    if (verb === "log") {
      const { executionId, lines } = RunLog.parse(asked);
      this.lines.push(...lines.map(({ stream, text }) => ({ executionId, stream, text })));
    } else if (verb === "results") {
      const { executionId } = ResultUpload.parse(asked);
      return void json(200, { path: `team/results/${executionId}`, url: sign(`team/results/${executionId}`) });
    } else if (verb === "report") this.reports.push(DatasetReport.parse(asked));
    else if (verb === "finish") {
      if (this.failingFinishes-- > 0) return void json(503, { success: false });
      this.finished.push(RunReport.parse(asked));
    }
    json(200, {});
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
