// This file connects to MySQL and MariaDB. The driver `mysql2` only logs in; after that the engine reads the socket
// itself (wire.ts).

import { connect as connectSocket, type Socket } from "node:net";
import mysql from "mysql2";
import type { DatabaseCredentials } from "../../../../../kernel/wire/source.ts";
import { closeGracefully } from "../../sockets/close-socket.ts";
import { CONNECT_MS, logInByTlsMode, openConnection, type Endpoint } from "../../open-connection.ts";
import { cleartextRefused, mysqlTlsOptions } from "../../tls.ts";
import { connectionFailure } from "./errors.ts";
import { guardLogin, type DriverInternals } from "./login.ts";
import { MysqlWire } from "./wire.ts";

const KILL_MS = 3_000;
const QUIT = Buffer.from([1, 0, 0, 0, 1]);

/** A logged-in connection. */
export type Connection = {
  wire: MysqlWire;
  tls: boolean;
  /** Closes the socket at once. */
  drop(): void;
  /** Has the server kill what runs, by a connection of its own; this one stays. Never rejects. */
  interrupt(): Promise<void>;
  /**
   * Ends the session where nothing runs; else has the server kill what does, by a connection of its own, and drops this
   * one.
   */
  close(): Promise<void>;
};

type LoggedIn = Pick<Connection, "wire" | "tls" | "drop"> & { endpoint: Endpoint; socket: Socket; threadId: number };

/** Rejects with `connection_failed` and a reason, or with `signal.reason`. */
export async function connect(credentials: DatabaseCredentials, signal: AbortSignal): Promise<Connection> {
  const loggedIn = await openConnection(credentials, signal, logIn, connectionFailure);
  const { wire, tls, drop, endpoint, socket, threadId } = loggedIn;
  return {
    wire,
    tls,
    drop,
    interrupt: () => kill(endpoint, threadId),
    async close() {
      if (wire.isIdle && socket.writable) await closeGracefully(socket, QUIT);
      else if (!socket.destroyed) await kill(endpoint, threadId);
      drop();
    },
  };
}

/** Undefined where the server has no TLS and `tls` asks for it. */
async function logIn(endpoint: Endpoint, tls: boolean, until: AbortSignal): Promise<LoggedIn | undefined> {
  until.throwIfAborted();
  const { driver, socket } = createDriver(endpoint, tls);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Without a listener an error of the connection would end the process; whoever runs a statement hears it there too.
  driver.on("error", reject);
  const drop = () => {
    driver.destroy();
    socket.destroy();
  };
  const abort = () => reject(until.reason);
  until.addEventListener("abort", abort, { once: true });
  guardLogin(driver, reject);
  driver.connect((error) => (error ? reject(error) : resolve()));
  try {
    await promise;
    const { stream, _mariadbExtendedMetadata: isExtended } = driver as unknown as DriverInternals;
    return { wire: new MysqlWire(stream, isExtended), tls, drop, endpoint, socket: stream, threadId: driver.threadId };
  } catch (error) {
    drop();
    if (tls && (error as { code?: string }).code === "HANDSHAKE_NO_SSL_SUPPORT") return undefined;
    throw error;
  } finally {
    until.removeEventListener("abort", abort);
  }
}

function createDriver(
  { credentials, dial, port }: Endpoint,
  tls: boolean,
): { driver: mysql.Connection; socket: Socket } {
  const { username, password, database } = credentials;
  const maySendPassword = tls || credentials.allow_cleartext_password === true;
  const tlsSettings = tls ? { ssl: mysqlTlsOptions(credentials, dial) } : {};
  const socket = connectSocket({
    host: dial.address,
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 10_000,
  });
  const driver = mysql.createConnection({
    // The name goes into TLS; the socket goes to the address that was checked.
    host: dial.servername ?? dial.address,
    stream: () => socket,
    user: username,
    password,
    database,
    charset: "utf8mb4",
    connectTimeout: CONNECT_MS,
    flags: ["-LOCAL_FILES", "-IGNORE_SPACE", "-ODBC"],
    multipleStatements: false,
    rowsAsArray: true,
    // Every cell as the bytes the server sent.
    typeCast: false,
    authPlugins: maySendPassword ? {} : PASSWORD_KEEPING_PLUGINS,
    enableCleartextPlugin: maySendPassword,
    ...tlsSettings,
  });
  return { driver, socket };
}

/** The driver puts a code of its own on what is thrown here, hence the cause. */
const refuseCleartext = (): never => {
  throw new Error("a password in the clear", { cause: cleartextRefused() });
};

/**
 * Replace the logins that give the password away without TLS: sent in the clear, or encrypted with a key that came over
 * the same connection, for which anyone in between can put their own.
 */
const PASSWORD_KEEPING_PLUGINS = {
  mysql_clear_password: () => refuseCleartext,
  sha256_password: mysql.authPlugins.sha256_password({ onServerPublicKey: refuseCleartext }),
  caching_sha2_password: mysql.authPlugins.caching_sha2_password({ onServerPublicKey: refuseCleartext }),
};

/**
 * Kills what another session runs. Settles when the server has done so, or {@link KILL_MS} have passed. Never rejects.
 */
async function kill(endpoint: Endpoint, threadId: number): Promise<void> {
  const until = AbortSignal.timeout(KILL_MS);
  try {
    const { wire, drop } = await logInByTlsMode(endpoint, until, logIn);
    try {
      await wire.fetchRows(`KILL QUERY ${Number(threadId)}`, "", until);
    } finally {
      drop();
    }
  } catch {
    // The dropped connection ends the statement as soon as it writes.
  }
}
