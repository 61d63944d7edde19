// Connections to PostgreSQL. The driver `pg` only logs in; after that the engine reads the socket itself (wire.ts).

import type { EventEmitter } from "node:events";
import { connect as connectSocket, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import pg from "pg";
import type { DatabaseCredentials } from "../../../../../kernel/wire/source.ts";
import { Failure } from "../../../core/failure.ts";
import { closeGracefully } from "../../sockets/close-socket.ts";
import { openConnection, type Endpoint } from "../../open-connection.ts";
import { cleartextRefused, tlsOptions, type TlsOptions } from "../../tls.ts";
import { connectionFailure } from "./errors.ts";
import { guardLogin } from "./login.ts";
import { Wire } from "./wire.ts";

const CANCEL_MS = 2_000;
const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4]);
/** The driver's error where a server refuses its request for TLS. */
const NO_TLS = "The server does not support SSL connections";

/** A logged-in connection. */
export type Connection = {
  wire: Wire;
  tls: boolean;
  /**
   * Ends the session where nothing runs; else asks the server, on a connection of its own, to cancel what does, and
   * drops this one.
   */
  close(): Promise<void>;
};

/** `applicationName` is what the server's list of activity shows. */
type Login = { endpoint: Endpoint; tls: TlsOptions | false; applicationName: string };

/** Members of the driver that its types leave out. */
type Internals = {
  connection: EventEmitter & { stream: Socket; attachListeners(stream: unknown): void };
  processID: number | null;
  secretKey: number | null;
};

/** Rejects with `connection_failed` and a reason, or with `signal.reason`. `product`: what the server should be. */
export async function connect(
  credentials: DatabaseCredentials,
  signal: AbortSignal,
  applicationName: string,
  product = "PostgreSQL",
): Promise<Connection> {
  if (credentials.username === "" || credentials.database === "")
    throw new Failure("connection_failed", "A user name and a database are needed.", { reason: "other" });
  return openConnection(
    credentials,
    signal,
    (endpoint, tls, until) =>
      logIn({ endpoint, tls: tls && tlsOptions(credentials, endpoint.dial), applicationName }, until),
    (error) => connectionFailure(error, product),
  );
}

/** Undefined where the server has no TLS and `tls` asks for it. */
async function logIn(login: Login, until: AbortSignal): Promise<Connection | undefined> {
  until.throwIfAborted();
  const client = createClient(login);
  const internals = client as unknown as Internals;
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(until.reason);
  until.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([client.connect(), aborted.promise]);
  } catch (error) {
    internals.connection.stream.destroy();
    if (login.tls && (error as Error).message === NO_TLS) return undefined;
    throw error;
  } finally {
    until.removeEventListener("abort", abort);
  }
  return takeOver(login, internals);
}

/** Every setting is given, so that none is taken from this process's environment. */
function createClient({ endpoint: { credentials, dial, port }, tls, applicationName }: Login): pg.Client {
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
  const { connection } = client as unknown as Internals;
  connection.once("authenticationCleartextPassword", () => (isPasswordAsked = true));
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = guardLogin({
    attach,
    fail: (error) => connection.emit("error", error),
    password: credentials.password,
  }) as typeof attach;
  return client;
}

function takeOver(login: Login, { connection, processID, secretKey }: Internals): Connection {
  const socket = connection.stream;
  const wire = new Wire(socket);
  return {
    wire,
    tls: login.tls !== false,
    async close() {
      if (wire.idle && socket.writable) await closeGracefully(socket, TERMINATE);
      else if (!socket.destroyed) await cancel(login, processID ?? 0, secretKey ?? 0);
      socket.destroy();
    },
  };
}

/**
 * Asks the server to cancel what the session runs. Settles when the server has taken the request, or {@link CANCEL_MS}
 * have passed. Never rejects.
 */
async function cancel({ endpoint: { dial, port }, tls }: Login, processId: number, secretKey: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connectSocket({ host: dial.address, port });
  const timer = setTimeout(resolve, CANCEL_MS);
  socket.on("error", () => resolve());
  // The server answers a cancel request by closing, after the signal is sent.
  const send = (stream: Socket) =>
    stream
      .on("error", () => resolve())
      .once("close", () => resolve())
      .resume()
      .end(cancelRequest(processId, secretKey));
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

function cancelRequest(processId: number, secretKey: number): Buffer {
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(80_877_102, 4);
  request.writeInt32BE(processId, 8);
  request.writeInt32BE(secretKey, 12);
  return request;
}
