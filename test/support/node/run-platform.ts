// A stand-in for the platform as a sandbox sees it: internal routes of runs and the drive, a bucket, and a few public paths.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { DatasetReport, RunHeartbeat, RunLog, RunReport, ResultUpload } from "../../../containers/sandbox/protocol.ts";

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
  /** Everything asked for, as "METHOD path". */
  readonly asked: string[] = [];
  /** What `POST /v1/query` answers for a statement. */
  readonly results = new Map<string, Buffer>();
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

  text(executionId: string, stream = "stdout"): string[] {
    return this.lines.filter((line) => line.executionId === executionId && line.stream === stream).map(({ text }) => text);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    this.asked.push(`${request.method} ${url.pathname}`);
    const body = await bytesOf(request);
    const json = (status: number, value: unknown) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (url.pathname.startsWith(`${STORE_PATH}/`)) return this.#store(request.method ?? "", url.pathname.slice(STORE_PATH.length + 1), body, response);
    if (url.pathname === "/v1/query") {
      const { sql = "" } = JSON.parse(body.toString()) as { sql?: string };
      const result = this.results.get(sql);
      if (!result) return void json(400, { success: false, message: `Something went wrong: no ${sql}` });
      return void response.writeHead(200, { "content-type": "application/vnd.apache.arrow.stream" }).end(result);
    }
    if (url.pathname.startsWith("/internal/")) return this.#internal(url.pathname, body, json);
    json(200, { path: url.pathname, authorization: request.headers.authorization ?? null });
  }

  #store(method: string, place: string, body: Buffer, response: ServerResponse): void {
    const key = decodeURIComponent(place.split("/").slice(1).join("/"));
    if (method === "PUT") this.objects.set(key, body);
    const found = this.objects.get(key);
    response.writeHead(found ? 200 : 404).end(method === "PUT" ? "" : found);
  }

  #internal(path: string, body: Buffer, json: (status: number, value: unknown) => unknown): void {
    const asked = JSON.parse(body.toString()) as unknown;
    const verb = path.split("/").at(-1)!;
    const sign = (key: string) => `${this.url}${STORE_PATH}/bucket/${key.split("/").map(encodeURIComponent).join("/")}?X-Amz-Signature=0`;
    if (path === "/internal/drive/list") return void json(200, { root: "gs://bucket/team/drive/", files: [...this.drive].map(([name, etag]) => ({ path: name, etag, bytes: this.objects.get(`team/drive/${name}`)!.length, modified: new Date(0).toISOString() })), cursor: null });
    if (path === "/internal/drive/sign") return void json(200, { urls: Object.fromEntries((asked as { paths: string[] }).paths.map((name) => [name, sign(`team/drive/${name}`)])) });
    if (verb === "heartbeat") return void (RunHeartbeat.parse(asked), json(200, { cancelled: this.cancels }));
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
