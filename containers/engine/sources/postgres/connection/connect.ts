// Connections to PostgreSQL: checked address, TLS where the server has it, login by pg, farewell or cancel at the end.

import type { EventEmitter } from "node:events";
import { connect as connectSocket, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import pg from "pg";
import { Failure } from "../../../core/failure.ts";
import type { DatabaseCredentials } from "../../../contract/source.ts";
import { resolveHost, type Dial } from "../../../../program/address.ts";
import { connectionFailure } from "./errors.ts";
import { guardLogin } from "./login.ts";
import { Wire } from "./wire.ts";
import { closeGracefully } from "../../close-socket.ts";
import { cleartextRefused, tlsMissing, tlsOptions, triesOf, sslModeOf, type TlsOptions } from "../../tls.ts";

const CONNECT_MS = 10_000;
const CANCEL_MS = 2_000;

/** A logged-in connection. pg, which logged in, reads the socket no more. */
export type Connection = {
  wire: Wire;
  tls: boolean;
  /**
   * Says goodbye when nothing runs; else asks the server, on a connection of its own, to cancel what does, and drops
   * this one.
   */
  close(): Promise<void>;
};

/** What pg keeps and its types don't tell. */
type Insides = {
  connection: EventEmitter & { stream: Socket; attachListeners(stream: unknown): void };
  processID: number | null;
  secretKey: number | null;
};

/** Rejects with `connection_failed` and a reason, or with `signal.reason`. */
export async function connect(
  credentials: DatabaseCredentials,
  signal: AbortSignal,
  applicationName: string,
): Promise<Connection> {
  const port = Number(credentials.port);
  if (!/^\d{1,5}$/.test(credentials.port) || port < 1 || port > 65_535)
    throw new Failure("connection_failed", "The port is not a number from 1 to 65535.", { reason: "other" });
  if (credentials.username === "" || credentials.database === "")
    throw new Failure("connection_failed", "A user name and a database are needed.", { reason: "other" });

  const dial = await resolveHost(credentials.host, signal);
  const until = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
  try {
    for (const tls of triesOf(sslModeOf(credentials))) {
      const connection = await open(
        credentials,
        dial,
        port,
        tls && tlsOptions(credentials, dial),
        until,
        applicationName,
      );
      if (connection !== undefined) return connection;
    }
    throw tlsMissing(credentials);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (until.aborted)
      throw new Failure(
        "connection_failed",
        `The database did not let us in within ${CONNECT_MS / 1000} s. A firewall may be in between.`,
        { reason: "timeout", cause: error },
      );
    throw connectionFailure(error);
  }
}

/**
 * Undefined where the server has no TLS and `tls` asks for it. Every setting is given, so that none is taken from this
 * process's environment.
 */
async function open(
  credentials: DatabaseCredentials,
  dial: Dial,
  port: number,
  tls: TlsOptions | false,
  until: AbortSignal,
  applicationName: string,
): Promise<Connection | undefined> {
  let isPasswordAsked = false;
  const client = new pg.Client({
    host: dial.address,
    port,
    user: credentials.username,
    // A function, for pg would look elsewhere for an empty password.
    password: () => {
      if (isPasswordAsked && !tls && credentials.allow_cleartext_password !== true) throw cleartextRefused();
      return credentials.password;
    },
    database: credentials.database,
    ssl: tls,
    application_name: applicationName,
    fallback_application_name: applicationName,
    options: "",
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // Errors reach whoever runs a statement through the socket; without a listener they would end the process.
  client.on("error", () => undefined);
  const insides = client as unknown as Insides;
  const { connection } = insides;
  connection.once("authenticationCleartextPassword", () => (isPasswordAsked = true));
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = guardLogin(attach, (error) => connection.emit("error", error)) as typeof attach;
  until.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(until.reason);
  until.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([client.connect(), aborted.promise]);
  } catch (error) {
    connection.stream.destroy();
    if (tls && (error as Error).message === "The server does not support SSL connections") return undefined;
    throw error;
  } finally {
    until.removeEventListener("abort", abort);
  }
  const socket = connection.stream;
  const wire = new Wire(socket);
  return {
    wire,
    tls: tls !== false,
    async close() {
      if (wire.idle && socket.writable) await closeGracefully(socket, TERMINATE);
      else if (!socket.destroyed) await cancel(dial, port, tls, insides.processID ?? 0, insides.secretKey ?? 0);
      socket.destroy();
    },
  };
}

const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4]);

/** Settles when the server has taken the request, or can't be bothered for {@link CANCEL_MS}. Never rejects. */
async function cancel(
  dial: Dial,
  port: number,
  tls: TlsOptions | false,
  processId: number,
  secretKey: number,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(80_877_102, 4);
  request.writeInt32BE(processId, 8);
  request.writeInt32BE(secretKey, 12);

  const socket = connectSocket({ host: dial.address, port });
  const timer = setTimeout(resolve, CANCEL_MS);
  socket.on("error", () => resolve());
  // The server answers a cancel request by closing, after the signal is sent.
  const send = (stream: Socket) =>
    stream
      .on("error", () => resolve())
      .once("close", () => resolve())
      .resume()
      .end(request);
  socket.once("connect", () => {
    if (!tls) return send(socket);
    socket.write(Buffer.from([0, 0, 0, 8, 4, 0xd2, 0x16, 0x2f]));
    return socket.once("data", (answer: Buffer) => {
      if (answer.length !== 1 || answer[0] !== 0x53) return resolve();
      return send(connectTls({ socket, ...tls }));
    });
  });
  await promise;
  clearTimeout(timer);
  socket.destroy();
}
