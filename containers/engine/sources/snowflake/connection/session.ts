// One session at Snowflake: logged in and kept by the SDK, asked by whoever runs statements.

import { Failure } from "../../../core/failure.ts";
import { PinnedHttp } from "../../services/pinned-http.ts";
import type { CheckedCredentials } from "./account.ts";
import { loginNameOf } from "./account.ts";
import { createService, type SdkService } from "./driver.ts";
import { sessionFailure, snowflakeError } from "./errors.ts";
import type { Service } from "./hosts.ts";
import { HttpRequester, type Exchange, type ServiceAnswer } from "./sdk-http.ts";

const LOGOUT_MS = 3_000;
const SOCKETS_MAX = 8;

export class Session {
  readonly http = new PinnedHttp("Snowflake", { socketsMax: SOCKETS_MAX });
  readonly service: Service;
  readonly #requester: HttpRequester;
  readonly #sdk: SdkService;
  #isLoggedIn = false;

  constructor(service: Service, { host, account, username, password, warehouse, database, role }: CheckedCredentials) {
    this.service = service;
    this.#requester = new HttpRequester(this.http, service);
    this.#sdk = createService(
      {
        origin: service.origin,
        host,
        account,
        username,
        password,
        warehouse: loginNameOf(warehouse),
        database: loginNameOf(database),
        role: role === undefined ? undefined : loginNameOf(role),
      },
      this.#requester,
    );
  }

  /** Returns what the login says of the session. Rejects with `connection_failed`, or with the signal's reason. */
  async logIn(signal: AbortSignal): Promise<Record<string, unknown>> {
    const error = await settle<unknown>(signal, (resolve) => this.#sdk.connect({ callback: resolve }));
    if (error) throw sessionFailure(this.#requester.sessionFailure ?? error);
    this.#isLoggedIn = true;
    return this.#requester.login;
  }

  /**
   * Asks the service, with a session that is renewed where it has to be. Rejects with a SnowflakeError where the
   * service refuses, with `connection_failed`, or with the signal's reason.
   */
  async request(
    method: "GET" | "POST",
    url: string,
    json: object | undefined,
    signal: AbortSignal,
  ): Promise<ServiceAnswer> {
    const params = {};
    const exchange: Exchange = { signal };
    this.#requester.register(params, exchange);
    const { error, body } = await settle<{ error: unknown; body: unknown }>(signal, (resolve) =>
      this.#sdk.request({
        method,
        url,
        ...(json === undefined ? {} : { json }),
        headers: { Accept: "application/snowflake" },
        params,
        callback: (error, body) => resolve({ error, body }),
      }),
    );
    if (!error) return body as ServiceAnswer;
    if (exchange.failure) throw exchange.failure;
    // The SDK has codes of its own for a session that is over.
    if (exchange.refusal && (error as { code?: unknown }).code === exchange.refusal.code)
      throw snowflakeError(exchange.refusal);
    throw this.#requester.sessionFailure
      ? sessionFailure(this.#requester.sessionFailure)
      : new Failure("connection_failed", "The session with Snowflake ended.", { reason: "other" });
  }

  /** Ends the session at the server, as far as it answers, and closes every socket. Never rejects. */
  async close(): Promise<void> {
    if (this.#isLoggedIn)
      await settle(AbortSignal.timeout(LOGOUT_MS), (resolve) => this.#sdk.destroy({ callback: resolve })).catch(
        () => {},
      );
    this.drop();
  }

  /** Closes every socket at once. */
  drop(): void {
    this.#isLoggedIn = false;
    this.http.close(new Failure("connection_failed", "The connection to Snowflake was closed.", { reason: "other" }));
  }
}

/** Resolves with what `start` calls back with; rejects with the signal's reason as soon as it aborts. */
async function settle<T>(signal: AbortSignal, start: (resolve: (value: T) => void) => void): Promise<T> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    start(resolve);
    return await promise;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
