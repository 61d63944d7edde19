// The drive for the tool that mounts it: WebDAV (RFC 4918), as much as reading takes, on a port of loopback behind a
// secret. Each view is a folder of the root, with a name that is never given again.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { DriveEntry } from "../../../kernel/wire/drive.ts";
import type { ObjectStore } from "../../program/object-store.ts";
import { Semaphore } from "../../program/semaphore.ts";
import { isPlainName } from "./drive.ts";
import { DriveView, Unreadable } from "./view.ts";

/**
 * Names that are listed before there is a view: whoever mounts this may keep the list for as long as so many workers
 * take to start.
 */
const NAMES_AHEAD = 4_096;
const BLOCK_BYTES = 4 * 1024 * 1024;
/** Blocks in memory at once. */
const READS_MAX = 24;
const CONNECTIONS_MAX = 1_024;
/** An answer of which no byte is taken for this long is broken off. */
const IDLE_MS = 60_000;
/** The name of a file in the root that proves that the mount is ours, and works. */
export const CHECK_NAME = "check";

export class DriveServer {
  /** The bearer token that requests have to send. */
  readonly secret = randomBytes(32).toString("hex");
  readonly check = randomBytes(16).toString("hex");
  port = 0;
  readonly #store: ObjectStore;
  readonly #views = new Map<string, DriveView>();
  readonly #server: Server;
  readonly #reads = new Semaphore(READS_MAX);
  #names = 0;

  constructor(store: ObjectStore) {
    this.#store = store;
    this.#server = createServer(
      { requestTimeout: 20_000 },
      (request, response) => void this.#answer(request, response),
    );
    this.#server.maxConnections = CONNECTIONS_MAX;
    this.#server.on("clientError", (_error, socket) => socket.destroy());
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => this.#server.once("error", reject).listen(0, "127.0.0.1", resolve));
    this.port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** A new view, in the folder of this name. */
  add(): { name: string; view: DriveView } {
    const name = nameOf(this.#names++);
    const view = new DriveView(this.#store);
    this.#views.set(name, view);
    return { name, view };
  }

  remove(name: string): void {
    this.#views.get(name)?.close();
    this.#views.delete(name);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => undefined);
    response.setTimeout(IDLE_MS, () => response.destroy());
    request.resume();
    try {
      const digest = (text: string) => createHash("sha256").update(text).digest();
      if (!timingSafeEqual(digest(request.headers.authorization ?? ""), digest(`Bearer ${this.secret}`)))
        throw new Unreadable(401, "The secret is missing or wrong.");
      const names = namesIn(request.url ?? "");
      if (request.method === "PROPFIND") return await this.#describe(names, request.headers.depth === "0", response);
      if (request.method === "GET" || request.method === "HEAD") return await this.#send(names, request, response);
      throw new Unreadable(405, "The drive is only read here.");
    } catch (error) {
      if (response.headersSent || response.destroyed) return void response.destroy();
      if (!(error instanceof Unreadable))
        console.error(
          JSON.stringify({
            event: "sandbox.drive_failed",
            cause: error instanceof Error ? error.stack : String(error),
          }),
        );
      const status = error instanceof Unreadable ? error.status : 409;
      response
        .writeHead(status, { "content-type": "text/plain; charset=utf-8" })
        .end(error instanceof Error ? error.message : "");
    }
  }

  async #describe(names: string[], isAlone: boolean, response: ServerResponse): Promise<void> {
    const [name, ...below] = names;
    const described: string[] = [];
    if (name === undefined) {
      described.push(describe([], null));
      if (!isAlone) {
        described.push(describe([CHECK_NAME], this.#checkEntry()));
        const ahead = Array.from({ length: NAMES_AHEAD }, (_, at) => nameOf(this.#names + at));
        for (const one of [...this.#views.keys(), ...ahead]) described.push(describe([one], null));
      }
    } else {
      const view = this.#viewOf(name);
      const entry = below.length === 0 ? null : await view.find(below.join("/"));
      described.push(describe(names, entry));
      if (entry === null && !isAlone)
        for (const [child, one] of await view.list(below.map((part) => `${part}/`).join("")))
          described.push(describe([...names, child], one));
    }
    response
      .writeHead(207, { "content-type": "application/xml; charset=utf-8" })
      .end(`<?xml version="1.0" encoding="utf-8"?><D:multistatus xmlns:D="DAV:">${described.join("")}</D:multistatus>`);
  }

  async #send(names: string[], request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [name = "", ...below] = names;
    const isCheck = name === CHECK_NAME && below.length === 0;
    const entry = isCheck
      ? this.#checkEntry()
      : below.length === 0
        ? null
        : await this.#viewOf(name).find(below.join("/"));
    if (entry === null) throw new Unreadable(405, "This is a folder.");
    const range = rangeIn(request.headers.range, entry.bytes);
    if (range === null) return void response.writeHead(416, { "content-range": `bytes */${entry.bytes}` }).end();
    const { start, end } = range ?? { start: 0, end: entry.bytes };
    const headers = {
      "content-type": "application/octet-stream",
      "content-length": end - start,
      etag: `"${entry.etag}"`,
      "last-modified": httpDate(entry.modified),
      "accept-ranges": "bytes",
    };
    const begin = () =>
      response.headersSent ||
      response.writeHead(
        range ? 206 : 200,
        range ? { ...headers, "content-range": `bytes ${start}-${end - 1}/${entry.bytes}` } : headers,
      );
    if (isCheck || request.method === "HEAD" || start === end) {
      begin();
      return void response.end(isCheck ? this.check.slice(start, end) : undefined);
    }
    const gone = new AbortController();
    response.once("close", () => gone.abort(new Error("Whoever asked has gone.")));
    for (let at = start; at < end && !response.destroyed; at += BLOCK_BYTES) {
      const read = () => this.#viewOf(name).read(entry, at, Math.min(end, at + BLOCK_BYTES));
      const block = await this.#reads.run(read, gone.signal);
      begin();
      if (!response.write(block) && !response.destroyed)
        await Promise.race([once(response, "drain"), once(response, "close")]);
    }
    response.end();
  }

  #viewOf(name: string): DriveView {
    const view = this.#views.get(name);
    if (!view) throw new Unreadable(404, "There is no such view.");
    return view;
  }

  #checkEntry = (): DriveEntry => ({
    path: CHECK_NAME,
    etag: this.check,
    bytes: this.check.length,
    modified: new Date(0).toISOString(),
  });
}

const nameOf = (number: number): string => `worker-${number}`;

/** The names of a request's path. Rejects what is not written plainly: nothing is folded together here. */
function namesIn(url: string): string[] {
  if (!url.startsWith("/")) throw new Unreadable(400, "This is no path.");
  const parts = url.replace(/\/$/, "").split("/").slice(1);
  return parts.map((part) => {
    const name = decode(part);
    if (!isPlainName(name)) throw new Unreadable(400, "This is no path.");
    return name;
  });
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

/** One range of bytes, `end` exclusive; undefined: none is asked for; null: it lies outside. */
function rangeIn(header: string | undefined, size: number): { start: number; end: number } | null | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  const [first, last] = [match[1]!, match[2]!];
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  return start < end ? { start, end } : null;
}

const httpDate = (iso: string): string => new Date(iso).toUTCString();

/** One `response` of a multistatus. Null: a folder. */
function describe(names: string[], entry: DriveEntry | null): string {
  const href = `/${names.map(encodeURIComponent).join("/")}${entry === null && names.length > 0 ? "/" : ""}`;
  const properties =
    entry === null
      ? "<D:resourcetype><D:collection/></D:resourcetype>"
      : `<D:resourcetype/><D:getcontentlength>${entry.bytes}</D:getcontentlength>` +
        `<D:getlastmodified>${httpDate(entry.modified)}</D:getlastmodified>`;
  const found = `<D:propstat><D:prop>${properties}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>`;
  return `<D:response><D:href>${href}</D:href>${found}</D:response>`;
}
