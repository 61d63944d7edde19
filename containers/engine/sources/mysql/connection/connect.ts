// Connections to MySQL and MariaDB: checked address, TLS where the server has it, a read-only session, farewell or kill
// at the end.

import { connect as connectSocket, type Socket } from "node:net";
import mysql from "mysql2";
import { Failure } from "../../../core/failure.ts";
import type { DatabaseCredentials } from "../../../contract/source.ts";
import { resolveHost, type Dial } from "../../../../program/address.ts";
import { connectionFailure } from "./errors.ts";
import { guardLogin, type DriverInsides } from "./login.ts";
import { MysqlWire } from "./wire.ts";
import { closeGracefully } from "../../close-socket.ts";
import { cleartextRefused, mysqlTlsOptions, sslModeOf, tlsMissing, triesOf } from "../../tls.ts";

const CONNECT_MS = 10_000;
const KILL_MS = 3_000;

/** A logged-in connection. The driver, which logged in, reads the socket no more. */
export type Connection = {
  wire: MysqlWire;
  tls: boolean;
  /** Closes the socket at once. */
  drop(): void;
  /** Has the server kill what runs, by a connection of its own; this one stays. Never rejects. */
  interrupt(): Promise<void>;
  /**
   * Says goodbye where nothing runs; else has the server kill what does, by a connection of its own, and drops this
   * one.
   */
  close(): Promise<void>;
};

/** Rejects with `connection_failed` and a reason, or with `signal.reason`. */
export async function connect(credentials: DatabaseCredentials, signal: AbortSignal): Promise<Connection> {
  const port = Number(credentials.port);
  if (!/^\d{1,5}$/.test(credentials.port) || port < 1 || port > 65_535)
    throw new Failure("connection_failed", "The port is not a number from 1 to 65535.", { reason: "other" });

  const dial = await resolveHost(credentials.host, signal);
  const until = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
  try {
    const opened = await openByMode(credentials, dial, port, until);
    const { wire, socket, threadId, drop } = opened;
    return {
      ...opened,
      interrupt: () => kill(credentials, dial, port, threadId),
      async close() {
        if (wire.isIdle && socket.writable) await closeGracefully(socket, QUIT);
        else if (!socket.destroyed) await kill(credentials, dial, port, threadId);
        drop();
      },
    };
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

type Opened = Pick<Connection, "wire" | "tls" | "drop"> & { socket: Socket; threadId: number };

async function openByMode(
  credentials: DatabaseCredentials,
  dial: Dial,
  port: number,
  until: AbortSignal,
): Promise<Opened> {
  for (const tls of triesOf(sslModeOf(credentials))) {
    const opened = await open(credentials, dial, port, tls, until);
    if (opened !== undefined) return opened;
  }
  throw tlsMissing(credentials);
}

/** Undefined where the server has no TLS and `tls` asks for it. */
async function open(
  credentials: DatabaseCredentials,
  dial: Dial,
  port: number,
  tls: boolean,
  until: AbortSignal,
): Promise<Opened | undefined> {
  const { username, password, database } = credentials;
  const maySendPassword = tls || credentials.allow_cleartext_password === true;
  until.throwIfAborted();
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
    authPlugins: maySendPassword ? {} : passwordsKept,
    enableCleartextPlugin: maySendPassword,
    ...(tls ? { ssl: mysqlTlsOptions(credentials, dial) } : {}),
  });
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
    const { stream, _mariadbExtendedMetadata: isExtended } = driver as unknown as DriverInsides;
    return { wire: new MysqlWire(stream, isExtended), tls, drop, socket: stream, threadId: driver.threadId };
  } catch (error) {
    drop();
    if (tls && (error as { code?: string }).code === "HANDSHAKE_NO_SSL_SUPPORT") return undefined;
    throw error;
  } finally {
    until.removeEventListener("abort", abort);
  }
}

/** The driver puts a code of its own on what is thrown here, hence the cause. */
const refuseCleartext = (): never => {
  throw new Error("a password in the clear", { cause: cleartextRefused() });
};

/**
 * The ways to log in that give the password away without TLS: in the clear, or encrypted with a key that came the same
 * way and that anyone in between can put their own in place of.
 */
const passwordsKept = {
  mysql_clear_password: () => refuseCleartext,
  sha256_password: mysql.authPlugins.sha256_password({ onServerPublicKey: refuseCleartext }),
  caching_sha2_password: mysql.authPlugins.caching_sha2_password({ onServerPublicKey: refuseCleartext }),
};

const QUIT = Buffer.from([1, 0, 0, 0, 1]);

/** Settles when the server has taken the request, or can't be bothered for {@link KILL_MS}. Never rejects. */
async function kill(credentials: DatabaseCredentials, dial: Dial, port: number, threadId: number): Promise<void> {
  const until = AbortSignal.timeout(KILL_MS);
  try {
    const { wire, drop } = await openByMode(credentials, dial, port, until);
    try {
      await wire.fetchRows(`KILL QUERY ${Number(threadId)}`, "", until);
    } finally {
      drop();
    }
  } catch {
    // The dropped connection ends the statement as soon as it writes.
  }
}
