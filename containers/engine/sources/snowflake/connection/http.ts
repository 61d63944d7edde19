// HTTP as Snowflake's service and its stores are asked by it: to checked addresses only, never redirected, with a bound
// on time and size. The SDK's own client is not used: it takes proxies from the environment, follows redirects, asks
// certificate responders that the other side names and keeps their answers in the home directory.

import * as http from "node:http";
import * as https from "node:https";
import { gunzip as gunzipCallback } from "node:zlib";
import { promisify } from "node:util";
import type { Dial } from "../../../../program/address.ts";
import { Failure } from "../../../core/failure.ts";
import { resolveSourceHost } from "../../resolve-source-host.ts";
import { protocolViolation } from "./errors.ts";

const gunzip = promisify(gunzipCallback);
const SOCKETS_MAX = 8;

export type HttpRequest = {
  method: "GET" | "POST";
  url: URL;
  headers: Record<string, string>;
  body?: string | undefined;
  /** How long the other side may be silent. */
  silentMs: number;
  /** The bound on the answer, before and after it is unpacked. */
  bytesMax: number;
  signal: AbortSignal;
};

export type HttpAnswer = { status: number; headers: http.IncomingHttpHeaders; body: Buffer };

/** Asked once, and not again. */
export class HttpClient {
  readonly #agents = {
    "https:": new https.Agent({ keepAlive: true, maxSockets: SOCKETS_MAX }),
    "http:": new http.Agent({ keepAlive: true, maxSockets: SOCKETS_MAX }),
  };
  readonly #dials = new Map<string, Promise<Dial>>();
  readonly #closed = new AbortController();

  /**
   * Rejects with Node's error, with a Failure where the host may not be dialled or the answer is beyond its bounds, or
   * with the signal's reason. The body is as it was sent.
   */
  async request({ method, url, headers, body, silentMs, bytesMax, signal }: HttpRequest): Promise<HttpAnswer> {
    const until = AbortSignal.any([signal, this.#closed.signal]);
    until.throwIfAborted();
    const { address, servername } = await this.#dial(url.hostname, until);
    // A request that is made now would leave its socket behind.
    until.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    const { request: send, agent } =
      url.protocol === "https:"
        ? { request: https.request, agent: this.#agents["https:"] }
        : { request: http.request, agent: this.#agents["http:"] };
    const outgoing = send({
      method,
      host: address,
      port: url.port || (url.protocol === "https:" ? 443 : 80),
      path: url.pathname + url.search,
      headers: {
        ...headers,
        host: url.host,
        ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
      },
      agent,
      signal: until,
      ...(servername === undefined ? {} : { servername }),
    });
    outgoing.setTimeout(silentMs, () => outgoing.destroy(Object.assign(new Error("silence"), { code: "ETIMEDOUT" })));
    outgoing.on("error", reject);
    outgoing.on("response", (incoming) => void collect(incoming, bytesMax).then(resolve, reject));
    outgoing.end(body);
    try {
      return await promise;
    } catch (error) {
      outgoing.destroy();
      if (until.aborted) throw until.reason;
      throw error;
    }
  }

  /** Ends whatever is under way with `reason`, and closes all sockets. */
  close(reason: unknown): void {
    this.#closed.abort(reason);
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  /** A name is resolved once for a connection, so that it can't change its mind in between. */
  async #dial(hostname: string, signal: AbortSignal): Promise<Dial> {
    const known = this.#dials.get(hostname);
    if (known) return known;
    const dial = resolveSourceHost(hostname, signal);
    this.#dials.set(hostname, dial);
    dial.catch(() => this.#dials.delete(hostname));
    return dial;
  }
}

async function collect(incoming: http.IncomingMessage, bytesMax: number): Promise<HttpAnswer> {
  const { statusCode: status = 0, headers } = incoming;
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    pieces.push(piece);
  }
  // Node gives what came of a message that was cut short as if it were all of it.
  if (!incoming.complete) throw Object.assign(new Error("cut short"), { code: "ECONNRESET" });
  return { status, headers, body: Buffer.concat(pieces, bytes) };
}

/** The text of an answer of the service. Throws a Failure where it is packed and can't be unpacked. */
export async function textOf({ headers, body }: HttpAnswer, bytesMax: number): Promise<string> {
  if (headers["content-encoding"] === undefined) return body.toString();
  try {
    return (await gunzip(body, { maxOutputLength: bytesMax })).toString();
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(bytesMax);
    return protocolViolation("an answer can't be unpacked");
  }
}

const tooLarge = (bytesMax: number): Failure =>
  new Failure(
    "resources_exceeded",
    `Snowflake sends more at once than the ${bytesMax / 1024 / 1024} MiB that there is room for.`,
  );
