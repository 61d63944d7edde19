// HTTP to one of Google's hosts: to the address that was checked, without redirects, within bounds of time and size.
// Google's own client takes its connections from a pool of the whole process, follows redirects, reads bodies of any
// length and can't be stopped, hence none of it here.

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Dial } from "../../../../program/address.ts";
import { Failure } from "../../../core/failure.ts";
import { protocolViolation } from "./errors.ts";

/** Google sends at most some 20 MB at a time; a single row may be larger. */
const BODY_BYTES_MAX = 256 * 1024 * 1024;
/** Pages, and whatever is asked beside them. */
const SOCKETS_MAX = 16;

export type HttpRequest = {
  method: "GET" | "POST";
  /** With its query. */
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
  signal: AbortSignal;
  bytesMax?: number;
};

export type HttpAnswer = { status: number; retryAfterMs: number; body: Buffer };

export class PinnedHttp {
  readonly #origin: URL;
  readonly #agent: HttpAgent;

  /** Sends to `origin`'s host by the address that `dial` was checked to be. */
  constructor(origin: URL, { address }: Dial) {
    const lookup: LookupFunction = (_, { all }, answer) =>
      all ? answer(null, [{ address, family: isIP(address) }]) : answer(null, address, isIP(address));
    const options = { keepAlive: true, maxSockets: SOCKETS_MAX, lookup };
    this.#origin = origin;
    this.#agent = origin.protocol === "https:" ? new HttpsAgent(options) : new HttpAgent(options);
  }

  get isEncrypted(): boolean {
    return this.#origin.protocol === "https:";
  }

  /** Rejects with a Failure, Node's error, or the signal's reason. An answer that ends early is an error. */
  async send({ bytesMax = BODY_BYTES_MAX, ...request }: HttpRequest): Promise<HttpAnswer> {
    request.signal.throwIfAborted();
    const response = await this.#respond(request);
    try {
      const body = await readBody(response, bytesMax);
      const status = response.statusCode ?? 0;
      if (status >= 300 && status < 400)
        protocolViolation("it sends us to another address, where the engine does not go");
      return { status, retryAfterMs: retryAfterMs(response), body: await unpack(response, body, bytesMax) };
    } catch (error) {
      response.destroy();
      throw request.signal.aborted ? request.signal.reason : error;
    }
  }

  /** Closes every connection, also those in use. */
  close(): void {
    this.#agent.destroy();
  }

  #respond({ method, path, headers, body, signal }: HttpRequest): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const { protocol, hostname, port } = this.#origin;
    const options: RequestOptions = {
      protocol,
      hostname: hostname.replace(/^\[(.*)\]$/, "$1"),
      port,
      method,
      path,
      agent: this.#agent,
      signal,
      headers: {
        ...headers,
        accept: "application/json",
        "accept-encoding": "gzip",
        "user-agent": "fjord (gzip)",
        ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
      },
    };
    const request = (protocol === "https:" ? httpsRequest : httpRequest)(options);
    request.once("response", resolve);
    // Stays: an error may come twice, and one that nobody hears would end the process.
    request.on("error", (error) => reject(signal.aborted ? signal.reason : error));
    request.end(body);
    return promise;
  }
}

async function readBody(response: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    pieces.push(piece);
  }
  return Buffer.concat(pieces, bytes);
}

const unzip = promisify(gunzip);

async function unpack(response: IncomingMessage, body: Buffer, bytesMax: number): Promise<Buffer> {
  const encoding = response.headers["content-encoding"] ?? "identity";
  if (encoding === "identity") return body;
  if (encoding !== "gzip") protocolViolation("its answer is packed in a way that nobody asked for");
  try {
    return await unzip(body, { maxOutputLength: bytesMax });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(bytesMax);
    return protocolViolation("its answer can't be unpacked");
  }
}

const tooLarge = (bytesMax: number): Failure =>
  new Failure(
    "resources_exceeded",
    `BigQuery's answer is larger than the ${bytesMax / 1024 / 1024} MiB that there is room for. Select less at a time.`,
  );

/** Seconds; other forms, and none, are nought. */
function retryAfterMs({ headers }: IncomingMessage): number {
  const value = headers["retry-after"] ?? "";
  return /^\d{1,6}$/.test(value) ? Number(value) * 1_000 : 0;
}
