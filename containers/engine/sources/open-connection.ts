// A connection to any kind of database is opened by these steps: port and address are checked, TLS is tried as its mode
// says, and all of it has a deadline. A test of the open connection has one of its own.

import type { Dial } from "../../program/address.ts";
import { resolveSourceHost } from "./resolve-source-host.ts";
import type { ConnectionReport, DatabaseCredentials } from "../../../kernel/wire/source.ts";
import { Failure } from "../core/failure.ts";
import { sslModeOf, tlsAttempts, tlsMissing } from "./tls.ts";

export const CONNECT_MS = 10_000;

/** A database whose address was checked. A connection goes to that address without resolving the name again. */
export type Endpoint = { credentials: DatabaseCredentials; dial: Dial; port: number };

/** Dials and logs in, with TLS or without. Undefined where the server offers no TLS and `tls` asks for it. */
export type LogIn<T> = (endpoint: Endpoint, tls: boolean, signal: AbortSignal) => Promise<T | undefined>;

/**
 * Rejects with `connection_failed` and a reason, which `toFailure` makes of the errors of `logIn`, or with
 * `signal.reason`.
 */
export async function openConnection<T>(
  credentials: DatabaseCredentials,
  signal: AbortSignal,
  logIn: LogIn<T>,
  toFailure: (error: unknown) => Failure,
): Promise<T> {
  const port = readPort(credentials);
  const dial = await resolveSourceHost(credentials.host, signal);
  const until = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
  try {
    return await logInByTlsMode({ credentials, dial, port }, until, logIn);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (until.aborted)
      throw new Failure(
        "connection_failed",
        `The database did not let us in within ${CONNECT_MS / 1000} s. A firewall may be in between.`,
        { reason: "timeout", cause: error },
      );
    throw toFailure(error);
  }
}

/** Tries to log in as often as the credentials' `sslmode` asks: `prefer` goes on without TLS where there is none. */
export async function logInByTlsMode<T>(endpoint: Endpoint, signal: AbortSignal, logIn: LogIn<T>): Promise<T> {
  for (const tls of tlsAttempts(sslModeOf(endpoint.credentials))) {
    const loggedIn = await logIn(endpoint, tls, signal);
    if (loggedIn !== undefined) return loggedIn;
  }
  throw tlsMissing(endpoint.credentials);
}

function readPort({ port }: DatabaseCredentials): number {
  const number = Number(port);
  if (!/^\d{1,5}$/.test(port) || number < 1 || number > 65_535)
    throw new Failure("connection_failed", "The port is not a number from 1 to 65535.", { reason: "other" });
  return number;
}

const TEST_MS_DEFAULT = 10_000;

type Test = {
  signal: AbortSignal;
  /** The database's name, for people. */
  product?: string;
  /** The time that all of its statements have together. */
  testMs?: number;
  ask(until: AbortSignal): Promise<ConnectionReport>;
  failureOf(error: unknown): unknown;
  close(): Promise<void> | void;
};

/** Rejects with the signal's reason, with `connection_failed` past the deadline, or else with `failureOf` the error. */
export async function testOpened(test: Test): Promise<ConnectionReport> {
  const { signal, product = "The database", testMs = TEST_MS_DEFAULT, ask, failureOf, close } = test;
  const until = AbortSignal.any([signal, AbortSignal.timeout(testMs)]);
  try {
    return await ask(until);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw until.aborted
      ? new Failure("connection_failed", `${product} did not answer in time.`, { reason: "timeout", cause: error })
      : failureOf(error);
  } finally {
    await close();
  }
}
