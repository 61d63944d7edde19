// One of Google's hosts, or the emulator that stands in for it: what each request to it has in common.

import { retryAfterMs, unpackBody, type HttpRequest, type PinnedHttp } from "../../services/pinned-http.ts";
import { protocolViolation } from "./errors.ts";

/** Google sends at most some 20 MB at a time; a single row may be larger. */
const BODY_BYTES_MAX = 256 * 1024 * 1024;
/** The sockets to each host: for pages, and whatever is asked beside them. */
export const SOCKETS_MAX = 16;

/** `path`: with its query. `bytesMax`: of the answer, packed and unpacked. */
export type GoogleRequest = Omit<HttpRequest, "url" | "bytesMax"> & { path: string; bytesMax?: number };
export type GoogleAnswer = { status: number; retryAfterMs: number; body: Buffer };

export class GoogleHost {
  readonly #http: PinnedHttp;
  readonly #origin: URL;

  constructor(http: PinnedHttp, origin: URL) {
    this.#http = http;
    this.#origin = origin;
  }

  get isEncrypted(): boolean {
    return this.#origin.protocol === "https:";
  }

  /** Rejects with a Failure, Node's error, or the signal's reason. An answer that ends early is an error. */
  async send({ path, headers, bytesMax = BODY_BYTES_MAX, ...request }: GoogleRequest): Promise<GoogleAnswer> {
    const answer = await this.#http.request({
      ...request,
      url: new URL(this.#origin.origin + path),
      headers: { ...headers, accept: "application/json", "accept-encoding": "gzip", "user-agent": "fjord (gzip)" },
      bytesMax,
    });
    const { status } = answer;
    if (status >= 300 && status < 400)
      protocolViolation("it sends us to another address, where the engine does not go");
    return { status, retryAfterMs: retryAfterMs(answer), body: await unpackBody("BigQuery", answer, bytesMax) };
  }
}
