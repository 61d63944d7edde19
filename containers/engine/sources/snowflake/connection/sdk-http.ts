// The HTTP client that the SDK sends its requests by: it may ask the account's own service, for what sessions and
// statements need, and nothing else. A request that can't succeed ends in a Failure for the statement or session that
// sent it.

import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../../core/failure.ts";
import { retryAfterMs, unpackBody, type HttpAnswer, type PinnedHttp } from "../../services/pinned-http.ts";
import { sourceUnavailable } from "../../unavailable.ts";
import { connectionFailure, protocolViolation } from "./errors.ts";
import { serviceUrl, type Service } from "./hosts.ts";
import { SESSION_PARAMETERS } from "./session-parameters.ts";

/** A request as the SDK makes it. */
type SdkHttpRequest = {
  method: "GET" | "POST";
  url: string;
  headers: Record<string, string>;
  json?: { data?: Record<string, unknown> };
  params: Record<string, string>;
  callback(error: unknown, response?: { statusCode: number; body: string }, body?: ServiceAnswer): unknown;
};

/** The form of every answer of the service. */
export type ServiceAnswer = {
  success: boolean;
  code?: string | null;
  message?: string | null;
  data?: Record<string, unknown> | null;
};

/**
 * An exchange of the engine's own through the SDK: its signal to end it, and how it failed, on the way or by the
 * answer.
 */
export type Exchange = { signal: AbortSignal; failure?: unknown; refusal?: ServiceAnswer };

const LOGIN = "/session/v1/login-request";
const RENEWAL = "/session/token-request";
const PATHS = /^\/(?:session(?:\/v1\/login-request|\/token-request)?|queries\/[A-Za-z0-9/-]+)$/;
const HEADERS = ["accept", "content-type", "authorization", "client_app_id", "client_app_version"];

/** The service holds a request for 45 s while its statement runs. */
const SILENT_MS = 120_000;
/** A row may have a value of 128 MB, and the rows that an answer holds itself are few. */
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;
const TRIES_MAX = 4;
const PAUSE_MS = 250;
/** A session is renewed each hour; one that is refused again at once is not renewed for ever. */
const RENEWALS_MAX = 3;
const SESSION_EXPIRED = "390112";
/** After these the SDK asks no more; it says of them only that the session is over. */
const SESSION_ENDS = ["390104", "390111"];
/** For what the SDK asks by itself, which ends with the connection: login, renewal, the session's end. */
const NEVER = new AbortController().signal;

export class HttpRequester {
  readonly #http: PinnedHttp;
  readonly #service: Service;
  readonly #exchanges = new WeakMap<object, Exchange>();
  #renewals = 0;
  /** The login's answer. */
  login: Record<string, unknown> = {};
  /** Why the session could not be had or renewed, or that it ended. */
  sessionFailure: unknown;

  constructor(http: PinnedHttp, service: Service) {
    this.#http = http;
    this.#service = service;
  }

  /** `params` are those that the SDK is given with the request. */
  register(params: object, exchange: Exchange): void {
    this.#exchanges.set(params, exchange);
  }

  /** Implements the method that the SDK calls. */
  request(options: SdkHttpRequest): void {
    void this.#answer(options);
  }

  async #answer(options: SdkHttpRequest): Promise<void> {
    const exchange = this.#exchanges.get(options.params);
    try {
      const { response, body } = await this.#ask(options, exchange?.signal ?? NEVER);
      if (exchange && !body.success) exchange.refusal = body;
      await options.callback(null, response, body);
    } catch (error) {
      const failure = connectionFailure(error);
      if (exchange) exchange.failure = failure;
      else this.sessionFailure = failure;
      await options.callback(failure);
    }
  }

  async #ask(options: SdkHttpRequest, signal: AbortSignal) {
    const url = serviceUrl(this.#service, options.url);
    if (!PATHS.test(url.pathname)) throw new Error(`the SDK asks for ${url.pathname}`);
    for (const [name, value] of Object.entries(options.params)) url.searchParams.set(name, value);
    const answer = await this.#tryTo(url, options, signal);
    if (answer.status !== 200) throw unexpectedStatus(answer);
    const body = readAnswer((await unpackBody("Snowflake", answer, ANSWER_BYTES_MAX)).toString());
    this.#watchSession(url.pathname, body);
    return { response: { statusCode: 200, body: "" }, body };
  }

  /** A request that fails on the way is sent again with its own number, by which the service knows it. */
  async #tryTo(url: URL, options: SdkHttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const startedAt = Date.now();
    for (let tries = 1; ; tries++) {
      try {
        const answer = await this.#http.request({
          method: options.method,
          url,
          headers: { ...allowedHeaders(options.headers), "accept-encoding": "gzip" },
          body: options.json && JSON.stringify(url.pathname === LOGIN ? loginOf(options.json) : options.json),
          silentMs: SILENT_MS,
          bytesMax: ANSWER_BYTES_MAX,
          signal,
        });
        if (tries === TRIES_MAX || !isPassing(answer.status)) return answer;
      } catch (error) {
        if (tries === TRIES_MAX || signal.aborted || !isPassingError(error)) throw error;
      }
      await sleep(PAUSE_MS * 2 ** tries, undefined, { signal }).catch(() => signal.throwIfAborted());
      url.searchParams.set("clientStartTime", String(startedAt));
      url.searchParams.set("retryCount", String(tries));
    }
  }

  #watchSession(path: string, body: ServiceAnswer): void {
    if (path === LOGIN || path === RENEWAL) {
      if (body.success) requireTokens(path, body);
      this.sessionFailure = body.success ? undefined : body;
      if (path === LOGIN) this.login = body.data ?? {};
    } else if (body.success) this.#renewals = 0;
    else if (SESSION_ENDS.includes(body.code ?? "")) this.sessionFailure = body;
    else if (body.code === SESSION_EXPIRED && ++this.#renewals > RENEWALS_MAX)
      throw this.sessionFailure instanceof Failure
        ? this.sessionFailure
        : new Failure("connection_failed", "Snowflake refuses the session again as soon as it was renewed (390112).", {
            reason: "other",
          });
  }
}

/** The SDK would say where this program lies, and set none of the parameters that the engine counts on. */
function loginOf({ data = {} }: { data?: Record<string, unknown> }): object {
  const { CLIENT_ENVIRONMENT: environment, SESSION_PARAMETERS: parameters, ...rest } = data;
  const { APPLICATION_PATH: _, OS_DETAILS: __, ...known } = (environment ?? {}) as Record<string, unknown>;
  return {
    data: {
      ...rest,
      CLIENT_ENVIRONMENT: { ...known, OCSP_MODE: "INSECURE" },
      SESSION_PARAMETERS: { ...(parameters as object), ...SESSION_PARAMETERS },
    },
  };
}

const allowedHeaders = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => HEADERS.includes(name.toLowerCase())));

const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500;
const isPassingError = (error: unknown): boolean =>
  ["ECONNRESET", "EPIPE", "ETIMEDOUT"].includes((error as { code?: string }).code ?? "");

function readAnswer(text: string): ServiceAnswer {
  try {
    const body = JSON.parse(text) as ServiceAnswer | null;
    if (typeof body === "object" && typeof body?.success === "boolean" && isRecord(body.data ?? {})) return body;
  } catch {
    // Said below: what JSON.parse says holds parts of the answer.
  }
  return protocolViolation("an answer is not of the form that answers have");
}

/** The SDK takes them without looking. */
function requireTokens(path: string, { data }: ServiceAnswer): void {
  const [token, masterToken] =
    path === LOGIN ? [data?.token, data?.masterToken] : [data?.sessionToken, data?.masterToken];
  if (![token, masterToken].every((text) => typeof text === "string" && /^[\x21-\x7e]{1,65536}$/.test(text)))
    protocolViolation("a session has no token");
}

function unexpectedStatus({ status, headers }: HttpAnswer): Failure {
  if (headers.location !== undefined && status >= 300 && status < 400)
    return new Failure(
      "connection_failed",
      `Snowflake's service redirects to another address (${status}); it was not followed.`,
      { reason: "host_forbidden" },
    );
  if (status === 403 || status === 404)
    return new Failure(
      "connection_failed",
      `Snowflake knows no such account, or lets nobody in from here (HTTP ${status}). ` +
        "Check the account identifier and the account's network policy.",
      { reason: "other" },
    );
  if (isPassing(status))
    return sourceUnavailable(
      status === 429 ? "throttled" : "service_failure",
      `Snowflake's service fails (HTTP ${status})`,
      { retryAfterMs: retryAfterMs({ headers }) },
    );
  return new Failure("connection_failed", `Snowflake's service refuses what it is asked (HTTP ${status}).`, {
    reason: "other",
  });
}

const isRecord = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
