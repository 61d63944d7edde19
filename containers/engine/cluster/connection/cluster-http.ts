// HTTP to one cluster: to its origin only, at an address that was checked, with the credentials on every request.

import { setTimeout as sleep } from "node:timers/promises";
import { secretsOfCluster, type ClusterCredentials } from "../../../../kernel/wire/statements/cluster.ts";
import { mayDial } from "../../../program/address.ts";
import { Failure } from "../../core/failure.ts";
import { explainCertificate, readCertificates } from "../../sources/tls.ts";
import { PinnedHttp, type HttpAnswer } from "../../sources/services/pinned-http.ts";
import { ClusterAway, connectionFailure, protocolViolation } from "./errors.ts";

/** A cluster that is away is found to be so within this time. */
export type Patience = { awayMs: number; firstPauseMs: number };
export const PATIENCE: Patience = { awayMs: 9_000, firstPauseMs: 100 };
const PAUSE_MS_MAX = 2_000;
/** How long the cluster may take to end a statement. */
const CANCEL_MS = 3_000;
/** Trino ends a page at some megabytes, but a row is never cut. What a page becomes takes many times its bytes. */
const BODY_BYTES_MAX = 16 * 1024 * 1024;
const SOCKETS_MAX = 2;
/** A shorter one would be cut out of words that have nothing to do with it. */
const SECRET_LENGTH_MIN = 4;
const AWAY_STATUSES = [429, 502, 503, 504];

export type ClusterSession = { timeZone: string; isParametric: boolean };

export class ClusterHttp {
  readonly origin: URL;
  readonly isEncrypted: boolean;
  readonly #http: PinnedHttp;
  readonly #headers: Record<string, string>;
  readonly #secrets: readonly string[];
  readonly #patience: Patience;

  private constructor(
    http: PinnedHttp,
    { origin, headers, secrets }: { origin: URL; headers: Record<string, string>; secrets: readonly string[] },
    patience: Patience,
  ) {
    this.#http = http;
    this.origin = origin;
    this.isEncrypted = origin.protocol === "https:";
    this.#headers = headers;
    this.#secrets = secrets;
    this.#patience = patience;
  }

  /** Nothing is sent yet. Rejects with `connection_failed` and a reason, or with the signal's reason. */
  static async open(
    credentials: ClusterCredentials,
    session: ClusterSession,
    signal: AbortSignal,
    patience: Patience = PATIENCE,
  ): Promise<ClusterHttp> {
    const origin = originOf(credentials.url);
    const ca = credentials.sslrootcert === undefined ? undefined : readCertificates(credentials.sslrootcert);
    const http = new PinnedHttp("Trino", { socketsMax: SOCKETS_MAX, ca });
    const { address } = await http.dial(origin.hostname, signal);
    const isLocal = mayDial(address, "loopback") && !mayDial(address, "");
    if (origin.protocol !== "https:" && !isLocal)
      throw new Failure("connection_failed", "A cluster is reached by https:// alone.", { reason: "tls" });
    const headers = headersOf(credentials, session);
    // A proxy in front of the cluster may quote the header that it refuses.
    const quoted = headers["authorization"]?.split(" ").slice(1) ?? [];
    const secrets = [...secretsOfCluster(credentials), ...quoted].filter(({ length }) => length >= SECRET_LENGTH_MIN);
    return new ClusterHttp(http, { origin, headers, secrets }, patience);
  }

  /** Words of the cluster's, whatever they are about, without the credentials that it was sent. */
  withoutSecrets(text: string): string {
    return this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
  }

  /**
   * Every request may be sent twice: a statement begins with the request for its first page, and a page may be asked
   * for again. Rejects with {@link ClusterAway}, with a Failure, or with the signal's reason.
   */
  async request(method: "GET" | "POST", url: URL, signal: AbortSignal, body?: string): Promise<Buffer> {
    const limit = AbortSignal.timeout(this.#patience.awayMs);
    const until = AbortSignal.any([signal, limit]);
    let last: unknown;
    for (let pauseMs = this.#patience.firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
      try {
        const answer = await this.#send(method, url, until, body);
        if (!AWAY_STATUSES.includes(answer.status)) return bodyOf(answer);
        last = new Error(`status ${answer.status}`);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof Failure || error instanceof ClusterAway) throw error;
        if (explainCertificate(error) !== undefined) throw connectionFailure(error);
        if (!limit.aborted || last === undefined) last = error;
      }
      if (!limit.aborted) await sleep(pauseMs, undefined, { signal: until }).catch(() => signal.throwIfAborted());
      if (limit.aborted) throw new ClusterAway("The cluster could not be reached.", { cause: last });
    }
  }

  /** Has the cluster end a statement. Never rejects. */
  async cancel(url: URL): Promise<void> {
    await this.#send("DELETE", url, AbortSignal.timeout(CANCEL_MS)).catch(() => undefined);
  }

  close(): void {
    this.#http.close(new Error("The connection was closed."));
  }

  #send(method: "GET" | "POST" | "DELETE", url: URL, signal: AbortSignal, body?: string): Promise<HttpAnswer> {
    const headers = { ...this.#headers, ...(body !== undefined && { "content-type": "text/plain; charset=utf-8" }) };
    return this.#http.request({ method, url, headers, body, bytesMax: BODY_BYTES_MAX, signal });
  }
}

function originOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (isPlain) return url;
  const message = "The cluster's URL is not one of a host alone, such as https://trino.example.com:8443.";
  throw new Failure("connection_failed", message, { reason: "other" });
}

/** The session is the engine's own: no property and no credential of whoever sent the statement is among it. */
function headersOf(
  { username, password, token }: ClusterCredentials,
  { timeZone, isParametric }: ClusterSession,
): Record<string, string> {
  const basic = () => `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const authorization = token === undefined ? (password === undefined ? undefined : basic()) : `Bearer ${token}`;
  const headers = {
    "x-trino-user": username,
    "x-trino-source": "fjord",
    "x-trino-time-zone": timeZone,
    accept: "application/json",
    ...(isParametric && { "x-trino-client-capabilities": "PARAMETRIC_DATETIME" }),
    ...(authorization !== undefined && { authorization }),
  };
  const isSound = Object.values(headers).every((value) => /^[\x20-\x7e]*$/.test(value));
  if (isSound) return headers;
  const message = "The cluster's user, token and time zone may hold printable characters of ASCII alone.";
  throw new Failure("connection_failed", message, { reason: "authentication" });
}

function bodyOf({ status, headers, body }: HttpAnswer): Buffer {
  if (status === 401 || status === 403)
    throw new Failure("connection_failed", `The cluster refuses the user, the password or the token (${status}).`, {
      reason: "authentication",
    });
  if (status >= 300 && status < 400)
    throw new Failure("connection_failed", "The cluster redirects to another address, which is not followed.", {
      reason: "other",
    });
  // A coordinator that was started again knows nothing of what ran before.
  if (status === 404 || status === 410) throw new ClusterAway("The cluster no longer knows the statement.");
  if (status !== 200) throw protocolViolation(`an answer has the status ${status}`);
  if ((headers["content-encoding"] ?? "identity") !== "identity")
    throw protocolViolation("an answer is packed in a way that nobody asked for");
  return body;
}
