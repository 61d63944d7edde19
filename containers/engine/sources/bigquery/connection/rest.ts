// Calls of BigQuery's REST API: each with a token, a deadline, a bounded number of tries, and an answer that has the
// form it should have.

import { setTimeout as sleep } from "node:timers/promises";
import type { ZodType } from "zod";
import { Failure } from "../../../core/failure.ts";
import { AccessTokens, isTokenRefused } from "./access-tokens.ts";
import type { CheckedCredentials } from "./check-credentials.ts";
import { connectionFailure, GoogleError, parseJson, passingCause, protocolViolation, readErrorBody } from "./errors.ts";
import type { GoogleHost } from "./google-host.ts";

/** Google's hosts, each at an address that was checked. */
export type Hosts = { api: GoogleHost; token: GoogleHost };

export type Call<T> = {
  method?: "GET" | "POST";
  /** Below `/bigquery/v2`, each part as it is named. */
  path: readonly string[];
  query?: Record<string, string | undefined>;
  body?: unknown;
  answer: ZodType<T>;
  signal: AbortSignal;
  triesMax?: number;
};

/** How long and how often a call is tried; tests have less patience. */
export type Patience = { attemptMs: number; triesMax: number; firstPauseMs: number };
export const PATIENCE: Patience = { attemptMs: 60_000, triesMax: 4, firstPauseMs: 300 };
/** A service that asks for a longer pause is one that does not answer. */
const PAUSE_MS_MAX = 10_000;
/** One that let a whole attempt pass is asked once more. */
const TIMEOUTS_MAX = 2;

export class RestClient {
  readonly credentials: CheckedCredentials;
  readonly #hosts: Hosts;
  readonly #tokens: AccessTokens;
  readonly #patience: Patience;

  constructor(credentials: CheckedCredentials, hosts: Hosts, patience: Patience) {
    this.credentials = credentials;
    this.#hosts = hosts;
    this.#tokens = new AccessTokens(credentials.account, hosts.token);
    this.#patience = patience;
  }

  /**
   * Every call may be sent twice: it reads, or names what it makes by an id of ours. Rejects with a GoogleError, a
   * Failure, or the signal's reason.
   */
  async call<T>(call: Call<T>): Promise<{ answer: T; body: Buffer }> {
    const triesMax = call.triesMax ?? this.#patience.triesMax;
    let timeouts = 0;
    for (let tries = 1; ; tries++) {
      const limit = AbortSignal.timeout(this.#patience.attemptMs);
      const until = AbortSignal.any([call.signal, limit]);
      try {
        return await this.#attempt(call, until);
      } catch (error) {
        if (call.signal.aborted) throw call.signal.reason;
        if (limit.aborted) timeouts++;
        const pause = pauseAfter(error, this.#patience.firstPauseMs * 2 ** (tries - 1));
        if (pause === undefined || tries >= triesMax || timeouts >= TIMEOUTS_MAX)
          throw error instanceof GoogleError ? error : connectionFailure(error);
        await sleep(pause, undefined, { signal: call.signal }).catch(() => call.signal.throwIfAborted());
      }
    }
  }

  /** With a new token where the service no longer takes the one there was, but once. */
  async #attempt<T>(call: Call<T>, signal: AbortSignal): Promise<{ answer: T; body: Buffer }> {
    const token = await this.#tokens.get(signal);
    try {
      return await this.#send(call, token, signal);
    } catch (error) {
      if (!isTokenRefused(error)) throw error;
      return await this.#send(call, await this.#tokens.get(signal, token), signal);
    }
  }

  async #send<T>(
    { method = "GET", path, query = {}, body: content, answer: form }: Call<T>,
    token: string,
    signal: AbortSignal,
  ): Promise<{ answer: T; body: Buffer }> {
    const params = new URLSearchParams(
      Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined),
    );
    const { status, body, retryAfterMs } = await this.#hosts.api.send({
      method,
      path: `/bigquery/v2/${path.map(encodeSegment).join("/")}?${params}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(content === undefined ? {} : { "content-type": "application/json; charset=utf-8" }),
      },
      body: content === undefined ? undefined : JSON.stringify(content),
      signal,
    });
    if (status !== 200) throw Object.assign(readErrorBody(status, body), { retryAfterMs });
    const json = parseJson(body);
    if (json === undefined) protocolViolation("its answer is no JSON");
    // An error's body under a status of success.
    if (typeof json === "object" && json !== null && "error" in json) throw readErrorBody(status, body);
    const parsed = form.safeParse(json);
    if (!parsed.success) {
      const where = parsed.error.issues[0]?.path.join(".") ?? "";
      return protocolViolation(`its answer has not the form of one${where === "" ? "" : ` (${where})`}`);
    }
    return { answer: parsed.data, body };
  }
}

/** A segment is encoded, so that no name makes another path; a verb after a colon is the engine's own. */
const encodeSegment = (segment: string): string => {
  if (segment === "." || segment === "..") throw new Failure("sql_error", `No such name: ${segment}`);
  return encodeURIComponent(segment).replaceAll("%3A", ":");
};

/** Undefined of what would be the same another time. */
function pauseAfter(error: unknown, usualMs: number): number | undefined {
  if (error instanceof Failure) return undefined;
  const pause = usualMs * (0.5 + Math.random());
  if (!(error instanceof GoogleError)) return pause;
  if (!passingCause(error)) return undefined;
  return error.retryAfterMs > PAUSE_MS_MAX ? undefined : Math.max(pause, error.retryAfterMs);
}
