// Moves objects, and ranges of them, between the local disk and the bucket by signed URLs.

import { createReadStream, createWriteStream } from "node:fs";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

const ATTEMPTS = 4;
const BACKOFF_MS = 100;
/** Without a byte for this long the transfer counts as dead. */
const IDLE_MS = 20_000;
const SOCKETS_MAX = 16;
/** A file is read in pieces of this size: each is a turn of the thread that reads rows meanwhile. */
const PIECE_BYTES = 512 * 1024;

const HTTP_AGENT = new HttpAgent({ keepAlive: true, maxSockets: SOCKETS_MAX });
const HTTPS_AGENT = new HttpsAgent({ keepAlive: true, maxSockets: SOCKETS_MAX });

/** Bytes from `start` up to `end` of an object that is `size` long. */
export type ByteRange = { start: number; end: number; size: number };

/** A transfer that failed for good. */
export class ObjectStoreError extends Error {
  /** Status of the store's last answer; undefined where there was none, or the answer was not the one expected. */
  readonly status: number | undefined;

  constructor(action: "read" | "written", cause: unknown) {
    super(`The lake's storage could not be ${action}; try again.`, { cause });
    this.status = cause instanceof StatusError ? cause.status : undefined;
  }
}

/** Turns the store's, or the disk's, failure into the program's own. */
export type RewriteError = (error: ObjectStoreError) => Error;

type Transfer = { url: string; signal: AbortSignal };

export class ObjectStore {
  readonly #dial: string;
  readonly #rewriteError: RewriteError;

  /**
   * `dial`: `host:port` to connect to instead of a URL's own, or empty. The `cause` of an error is what it met last.
   */
  constructor(dial: string, rewriteError: RewriteError = (error) => error) {
    this.#dial = dial;
    this.#rewriteError = rewriteError;
  }

  /** Writes the object to `file`, which must come out `bytes` long. */
  async download({
    url,
    file,
    bytes,
    headers = {},
    signal,
  }: Transfer & { file: string; bytes: number; headers?: Record<string, string> }): Promise<void> {
    await this.#retry("read", signal, async () => {
      const answer = await this.#send({ method: "GET", url, headers, signal });
      let received = 0;
      answer.on("data", (chunk: Buffer) => {
        received += chunk.length;
        if (received > bytes) answer.destroy(new LastingError(`more than ${bytes} bytes`));
      });
      await pipeline(answer, createWriteStream(file), { signal });
      if (received !== bytes) throw new Error(`${received} of ${bytes} bytes`);
    });
  }

  /**
   * Reads a range and hands its bytes on in order, to what `begin` answers at each attempt; every byte of it, or it
   * rejects. With `etag` the object must still be that one. Answers its ETag.
   */
  async readRange({
    url,
    range: { start, end, size },
    etag,
    begin,
    signal,
  }: Transfer & {
    range: ByteRange;
    etag?: string | undefined;
    begin: () => (piece: Buffer) => Promise<void>;
  }): Promise<string | undefined> {
    const isWhole = start === 0 && end === size;
    const headers = {
      ...(isWhole ? {} : { range: `bytes=${start}-${end - 1}` }),
      ...(etag ? { "if-match": etag } : {}),
    };
    let found: string | undefined;
    await this.#retry("read", signal, async () => {
      const answer = await this.#send({ method: "GET", url, headers, signal });
      const given = answer.headers["content-range"];
      if (!isWhole && (answer.statusCode !== 206 || given !== `bytes ${start}-${end - 1}/${size}`)) {
        answer.destroy();
        throw new LastingError(`status ${answer.statusCode}, range ${given}, of an object of ${size} bytes`);
      }
      const take = begin();
      let received = 0;
      for await (const piece of answer as AsyncIterable<Buffer>) {
        received += piece.length;
        if (received > end - start) throw new LastingError(`more than ${end - start} bytes`);
        await take(piece);
      }
      if (received !== end - start) throw new Error(`${received} of ${end - start} bytes`);
      // A weak one names no bytes, and is never matched.
      found = answer.headers.etag?.startsWith("W/") ? undefined : answer.headers.etag;
    });
    return found;
  }

  /** PUTs `file`, `bytes` long. */
  async upload({ url, file, bytes, signal }: Transfer & { file: string; bytes: number }): Promise<void> {
    await this.#retry("written", signal, async () => {
      const headers = { "content-length": bytes };
      const answer = await this.#send({ method: "PUT", url, headers, body: () => readInPieces(file), signal });
      answer.resume();
    });
  }

  /** Rejects with the signal's reason once it is aborted. */
  async #retry(action: "read" | "written", signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        signal.throwIfAborted();
        if (isLasting(error) || attempt === ATTEMPTS) throw this.#rewriteError(new ObjectStoreError(action, error));
        const backoffMs = BACKOFF_MS * 2 ** attempt * (0.5 + Math.random());
        await delay(backoffMs, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
  }

  /** Resolves with an answer of status 2xx, its body unread. */
  #send({ method, url, headers, body, signal }: StoreRequest): Promise<IncomingMessage> {
    const { protocol, hostname, port, host, pathname, search } = new URL(url);
    const isSecure = protocol === "https:";
    const dial = /^(.*):(\d+)$/.exec(this.#dial);
    const options: RequestOptions = {
      method,
      host: dial?.[1] ?? hostname,
      port: dial?.[2] ?? port,
      path: pathname + search,
      // The signature covers the Host it was made for, whatever is dialled.
      headers: { ...headers, host },
      agent: isSecure ? HTTPS_AGENT : HTTP_AGENT,
      signal,
      timeout: IDLE_MS,
      ...(isSecure ? { servername: hostname } : {}),
    };
    return new Promise((resolve, reject) => {
      const request = (isSecure ? httpsRequest : httpRequest)(options, (answer) => {
        const status = answer.statusCode ?? 0;
        if (status >= 200 && status < 300) return resolve(answer);
        answer.resume();
        reject(new StatusError(status));
      });
      request.on("timeout", () => request.destroy(new Error("no byte in time")));
      request.on("error", reject);
      if (!body) return void request.end();
      const source = body();
      source.on("error", reject).pipe(request);
      // A request that breaks off would leave the file open.
      request.on("close", () => source.destroy());
    });
  }
}

const readInPieces = (file: string): Readable => createReadStream(file, { highWaterMark: PIECE_BYTES });

type StoreRequest = Transfer & {
  method: "GET" | "PUT";
  headers: Record<string, string | number>;
  body?: () => Readable;
};

/** An error that another attempt would meet again. */
class LastingError extends Error {}

/** An answer of the store's that refuses the request. */
class StatusError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** Whether another attempt would meet the same: what the store refuses, and a full disk. */
function isLasting(error: unknown): boolean {
  if (error instanceof StatusError) return error.status < 500 && error.status !== 429;
  const { code } = error as NodeJS.ErrnoException;
  return error instanceof LastingError || code === "ENOSPC" || code === "EDQUOT";
}
