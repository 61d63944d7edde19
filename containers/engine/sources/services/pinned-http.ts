// HTTP to a service of the internet: to checked addresses only, never redirected, within bounds of time and size. The
// services' own clients are not used: they take proxies from the environment, follow redirects, read bodies of any
// length, share the process's sockets, or ask further hosts that the other side names.

import * as http from "node:http";
import * as https from "node:https";
import { promisify } from "node:util";
import { gunzip as gunzipCallback } from "node:zlib";
import type { Dial } from "../../../program/address.ts";
import { Failure } from "../../core/failure.ts";
import { protocolError } from "../protocol-error.ts";
import { resolveSourceHost } from "../resolve-source-host.ts";

const gunzip = promisify(gunzipCallback);

type Service = "BigQuery" | "Snowflake" | "Trino";

export type HttpRequest = {
  method: "GET" | "POST" | "DELETE";
  url: URL;
  headers: Record<string, string>;
  body?: string | undefined;
  /** How long the other side may be silent; without it, only `signal` bounds the time. */
  silentMs?: number;
  /** The bound on the answer's body as it is sent. */
  bytesMax: number;
  signal: AbortSignal;
};

export type HttpAnswer = { status: number; headers: http.IncomingHttpHeaders; body: Buffer };

/** Every request is sent once. */
export class PinnedHttp {
  readonly #service: Service;
  readonly #agents: { http: http.Agent; https: https.Agent };
  readonly #dials = new Map<string, Promise<Dial>>();
  readonly #closed = new AbortController();

  /** `service` is named in failures. `socketsMax`: to each host. `ca`: believed in place of the public authorities. */
  constructor(service: Service, { socketsMax, ca }: { socketsMax: number; ca?: string[] | undefined }) {
    const options = { keepAlive: true, maxSockets: socketsMax };
    this.#service = service;
    this.#agents = { http: new http.Agent(options), https: new https.Agent({ ...options, ...(ca && { ca }) }) };
  }

  /**
   * Rejects with Node's error, with a Failure where the host may not be dialled or the answer is beyond its bounds, or
   * with the signal's reason. The body is as it was sent: {@link unpackBody} unpacks it.
   */
  async request({ method, url, headers, body, silentMs, bytesMax, signal }: HttpRequest): Promise<HttpAnswer> {
    const until = AbortSignal.any([signal, this.#closed.signal]);
    until.throwIfAborted();
    const { address, servername } = await this.dial(url.hostname, until);
    // A request that is made now would leave its socket behind.
    until.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    const isEncrypted = url.protocol === "https:";
    const outgoing = (isEncrypted ? https : http).request({
      method,
      host: address,
      port: url.port || (isEncrypted ? 443 : 80),
      path: url.pathname + url.search,
      headers: {
        ...headers,
        host: url.host,
        ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
      },
      agent: isEncrypted ? this.#agents.https : this.#agents.http,
      signal: until,
      ...(servername === undefined ? {} : { servername }),
    });
    if (silentMs !== undefined)
      outgoing.setTimeout(silentMs, () => outgoing.destroy(Object.assign(new Error("silence"), { code: "ETIMEDOUT" })));
    // The listener stays: an error may come twice, and one without a listener would end the process.
    outgoing.on("error", reject);
    outgoing.on("response", (incoming) => void collect(this.#service, incoming, bytesMax).then(resolve, reject));
    outgoing.end(body);
    try {
      return await promise;
    } catch (error) {
      outgoing.destroy();
      if (until.aborted) throw until.reason;
      throw error;
    }
  }

  /**
   * Resolves and checks a host. A name is resolved once for a connection, so that it can't change its mind in between.
   */
  async dial(hostname: string, signal: AbortSignal): Promise<Dial> {
    const known = this.#dials.get(hostname);
    if (known) return known;
    const dial = resolveSourceHost(hostname, signal);
    this.#dials.set(hostname, dial);
    dial.catch(() => this.#dials.delete(hostname));
    return dial;
  }

  /** Ends whatever is under way with `reason`, and closes all sockets. */
  close(reason: unknown): void {
    this.#closed.abort(reason);
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

async function collect(service: Service, incoming: http.IncomingMessage, bytesMax: number): Promise<HttpAnswer> {
  const { statusCode: status = 0, headers } = incoming;
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > bytesMax) throw tooLarge(service, bytesMax);
    pieces.push(piece);
  }
  // Node gives what came of a message that was cut short as if it were all of it.
  if (!incoming.complete) throw Object.assign(new Error("cut short"), { code: "ECONNRESET" });
  return { status, headers, body: Buffer.concat(pieces, bytes) };
}

/**
 * The bytes of an answer to a request that accepts gzip. Throws a Failure where they can't be unpacked, or are more
 * than `bytesMax`.
 */
export async function unpackBody(service: Service, { headers, body }: HttpAnswer, bytesMax: number): Promise<Buffer> {
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding === "identity") return body;
  if (encoding !== "gzip") throw protocolError(service, "an answer is packed in a way that nobody asked for");
  try {
    return await gunzip(body, { maxOutputLength: bytesMax });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(service, bytesMax);
    throw protocolError(service, "an answer can't be unpacked");
  }
}

/** The seconds of an answer's `Retry-After` in milliseconds; other forms, and none, are nought. */
export function retryAfterMs({ headers }: Pick<HttpAnswer, "headers">): number {
  const value = headers["retry-after"] ?? "";
  return /^\d{1,6}$/.test(value) ? Number(value) * 1_000 : 0;
}

const tooLarge = (service: Service, bytesMax: number): Failure =>
  new Failure(
    "resources_exceeded",
    `${service}'s answer is larger than the ${bytesMax / 1024 / 1024} MiB that there is room for. ` +
      "Select less at a time.",
  );
