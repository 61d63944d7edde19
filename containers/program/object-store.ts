// Moves objects, and ranges of them, between the local disk and the bucket by signed URLs.

import { createReadStream, createWriteStream } from "node:fs";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { diskFull, Failure, isDiskFull } from "../engine/core/failure.ts";

const ATTEMPTS = 4;
const BACKOFF_MS = 100;
/** Without a byte for this long the transfer counts as dead. */
const IDLE_MS = 20_000;
const SOCKETS_MAX = 16;

const http = new HttpAgent({ keepAlive: true, maxSockets: SOCKETS_MAX });
const https = new HttpsAgent({ keepAlive: true, maxSockets: SOCKETS_MAX });

const unavailable = (what: string, cause?: unknown): Failure =>
  new Failure("platform_unavailable", `The lake's storage ${what}; try again.`, { cause });

/** Not worth another try. */
class Final extends Error {}

/** Writes the object to `file`, which must come out `bytes` long. `dial`: `host:port` to connect to, or empty. */
export async function download(
  url: string,
  dial: string,
  file: string,
  bytes: number,
  signal: AbortSignal,
  headers: Record<string, string> = {},
): Promise<void> {
  await retried(signal, "could not be read", async () => {
    const answer = await send("GET", url, dial, headers, undefined, signal);
    let received = 0;
    answer.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received > bytes) answer.destroy(new Final(`more than ${bytes} bytes`));
    });
    await pipeline(answer, createWriteStream(file), { signal });
    if (received !== bytes) throw new Error(`${received} of ${bytes} bytes`);
  });
}

/** Bytes from `start` up to `end` of an object that is `size` long. */
export type ByteRange = { start: number; end: number; size: number };

/**
 * Reads a range and hands its bytes on in order, to what `begin` answers at each try; every byte of it, or it rejects.
 * With
 * `etag` the object must still be that one. Answers its ETag. `dial`: `host:port` to connect to, or empty.
 */
export async function readRange(
  url: string,
  dial: string,
  { start, end, size }: ByteRange,
  etag: string | undefined,
  begin: () => (piece: Buffer) => Promise<void>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const isWhole = start === 0 && end === size;
  const headers = { ...(isWhole ? {} : { range: `bytes=${start}-${end - 1}` }), ...(etag ? { "if-match": etag } : {}) };
  let found: string | undefined;
  await retried(signal, "could not be read", async () => {
    const answer = await send("GET", url, dial, headers, undefined, signal);
    const told = answer.headers["content-range"];
    if (!isWhole && (answer.statusCode !== 206 || told !== `bytes ${start}-${end - 1}/${size}`)) {
      answer.destroy();
      throw new Final(`status ${answer.statusCode}, range ${told}, of an object of ${size} bytes`);
    }
    const take = begin();
    let received = 0;
    for await (const piece of answer as AsyncIterable<Buffer>) {
      received += piece.length;
      if (received > end - start) throw new Final(`more than ${end - start} bytes`);
      await take(piece);
    }
    if (received !== end - start) throw new Error(`${received} of ${end - start} bytes`);
    // A weak one names no bytes, and is never matched.
    found = answer.headers.etag?.startsWith("W/") ? undefined : answer.headers.etag;
  });
  return found;
}

/** PUTs `file`, `bytes` long. */
export async function upload(
  url: string,
  dial: string,
  file: string,
  bytes: number,
  signal: AbortSignal,
): Promise<void> {
  await retried(signal, "could not be written", async () => {
    const answer = await send("PUT", url, dial, { "content-length": bytes }, () => createReadStream(file), signal);
    answer.resume();
  });
}

async function retried(signal: AbortSignal, what: string, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (isDiskFull(error)) throw diskFull(error);
      if (error instanceof Final || attempt === ATTEMPTS) throw unavailable(what, error);
      await delay(BACKOFF_MS * 2 ** attempt * (0.5 + Math.random()), undefined, { signal });
    }
  }
}

/** Resolves with an answer of status 2xx, its body unread. */
function send(
  method: string,
  url: string,
  dial: string,
  headers: Record<string, string | number>,
  body: (() => Readable) | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { protocol, hostname, port, host, pathname, search } = new URL(url);
  const secure = protocol === "https:";
  const at = /^(.*):(\d+)$/.exec(dial);
  const options: RequestOptions = {
    method,
    host: at?.[1] ?? hostname,
    port: at?.[2] ?? port,
    path: pathname + search,
    // The signature covers the Host it was made for, whatever is dialled.
    headers: { ...headers, host },
    agent: secure ? https : http,
    signal,
    timeout: IDLE_MS,
    ...(secure ? { servername: hostname } : {}),
  };
  return new Promise((resolve, reject) => {
    const request = (secure ? httpsRequest : httpRequest)(options, (answer) => {
      const status = answer.statusCode ?? 0;
      if (status >= 200 && status < 300) return resolve(answer);
      answer.resume();
      reject(status >= 500 || status === 429 ? new Error(`status ${status}`) : new Final(`status ${status}`));
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
