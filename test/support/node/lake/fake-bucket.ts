// A stand-in for the platform's bucket: objects are files of a folder, read by ranges and written over HTTP.

import { createReadStream, createWriteStream, mkdirSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";

export class FakeBucket {
  readonly directory: string;
  /** Called before an upload is taken. */
  onPut: (() => void | Promise<void>) | undefined;
  /** The next so many object reads fail with 503. */
  failingReads = 0;
  /** Bytes of objects sent so far. */
  bytesRead = 0;
  /**
   * Called with each object read's range before it is answered; how many bytes of it to send before the connection
   * breaks, or all.
   */
  onGet: ((path: string, start: number, end: number) => number | void | Promise<number | void>) | undefined;

  constructor(directory: string) {
    this.directory = directory;
    mkdirSync(directory, { recursive: true });
  }

  /** Answers a GET or a PUT of `/bucket/<path>`. */
  protected async answerObject(pathname: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const file = join(this.directory, decodeURIComponent(pathname.slice("/bucket/".length)));
    await (request.method === "PUT" ? this.#write(file, request, response) : this.#read(file, request, response));
  }

  async #read(file: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.failingReads > 0) {
      this.failingReads--;
      response.writeHead(503).end();
      return;
    }
    const { size } = statSync(file);
    const etag = `"${etagOf(file)}"`;
    if (request.headers["if-match"] !== undefined && request.headers["if-match"] !== etag) {
      response.writeHead(412).end();
      return;
    }
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
    const start = range ? Number(range[1]) : 0;
    const end = range?.[2] ? Math.min(Number(range[2]), size - 1) : size - 1;
    const sent = await this.onGet?.(file.slice(this.directory.length + 1), start, end + 1);
    response.writeHead(range ? 206 : 200, {
      "content-length": end - start + 1,
      etag,
      "x-host": request.headers.host,
      ...(range ? { "content-range": `bytes ${start}-${end}/${size}` } : {}),
    });
    if (typeof sent === "number") {
      await pipeline(createReadStream(file, { start, end: start + sent - 1 }), response, { end: false }).catch(
        () => undefined,
      );
      this.bytesRead += sent;
      return void response.destroy();
    }
    this.bytesRead += end - start + 1;
    await pipeline(createReadStream(file, { start, end }), response).catch(() => undefined);
  }

  async #write(file: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers["content-length"] === undefined) {
      response.writeHead(411).end();
      return;
    }
    await this.onPut?.();
    mkdirSync(dirname(file), { recursive: true });
    await pipeline(request, createWriteStream(file));
    response.writeHead(200).end();
  }
}

/** Says a file's size and time. */
export const etagOf = (file: string): string => `${statSync(file).size}-${Math.round(statSync(file).mtimeMs)}`;

/** The URL of an object, at a host that only the dial can reach, as a bucket's own is. */
export const addressOf = (path: string): string =>
  `http://bucket.invalid/bucket/${path.split("/").map(encodeURIComponent).join("/")}`;
