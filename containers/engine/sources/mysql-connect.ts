// Connections to MySQL and MariaDB: checked address, TLS where the server has it, a read-only session, farewell or kill at the end.

import { connect as connectSocket } from "node:net";
import mysql, { type Connection as Driver } from "mysql2";
import { Failure } from "../failure.ts";
import type { DatabaseCredentials } from "../source-protocol.ts";
import { resolveHost, type Dial } from "./address.ts";
import { connectionFailure } from "./mysql-errors.ts";
import { cleartextRefused, mysqlTlsOptions, sslModeOf, tlsMissing, triesOf } from "./tls.ts";

const connectMs = 10_000;
const killMs = 3_000;
const farewellMs = 1_000;

/** A logged-in connection. */
export type Connection = {
  driver: Driver;
  tls: boolean;
  /** Closes the socket at once. The driver's own `destroy` would wait for a server that is waiting for us to read. */
  drop(): void;
  /** Runs one of our own statements. Values are text or null. Rejects with the driver's error. */
  ask(sql: string): Promise<(string | null)[][]>;
  /** Has the server kill what runs, by a connection of its own; this one stays. Never rejects. */
  interrupt(): Promise<void>;
  /** Says goodbye when `idle`; else has the server kill what runs, by a connection of its own, and drops this one. */
  close(idle: boolean): Promise<void>;
};

/** Rejects with `connection_failed` and a reason, or with `signal.reason`. */
export async function connect(credentials: DatabaseCredentials, signal: AbortSignal): Promise<Connection> {
  const port = Number(credentials.port);
  if (!/^\d{1,5}$/.test(credentials.port) || port < 1 || port > 65_535) throw new Failure("connection_failed", "The port is not a number from 1 to 65535.", { reason: "other" });

  const dial = await resolveHost(credentials.host, signal);
  const until = AbortSignal.any([signal, AbortSignal.timeout(connectMs)]);
  try {
    const opened = await openByMode(credentials, dial, port, until);
    const { driver, drop } = opened;
    return {
      ...opened,
      ask: (sql) => ask(driver, sql),
      interrupt: () => kill(credentials, dial, port, driver.threadId),
      async close(idle) {
        if (idle) await sayGoodbye(driver);
        else await kill(credentials, dial, port, driver.threadId);
        drop();
      },
    };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (until.aborted) throw new Failure("connection_failed", `The database did not let us in within ${connectMs / 1000} s. A firewall may be in between.`, { reason: "timeout", cause: error });
    throw connectionFailure(error);
  }
}

type Opened = Pick<Connection, "driver" | "tls" | "drop">;

async function openByMode(credentials: DatabaseCredentials, dial: Dial, port: number, until: AbortSignal): Promise<Opened> {
  for (const tls of triesOf(sslModeOf(credentials))) {
    const opened = await open(credentials, dial, port, tls, until);
    if (opened !== undefined) return opened;
  }
  throw tlsMissing(credentials);
}

/** Undefined where the server has no TLS and `tls` asks for it. */
async function open(credentials: DatabaseCredentials, dial: Dial, port: number, tls: boolean, until: AbortSignal): Promise<Opened | undefined> {
  const { username, password, database } = credentials;
  const maySendPassword = tls || credentials.allow_cleartext_password === true;
  until.throwIfAborted();
  const socket = connectSocket({ host: dial.address, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 });
  const driver = mysql.createConnection({
    // The name goes into TLS; the socket goes to the address that was checked.
    host: dial.servername ?? dial.address,
    stream: () => socket,
    user: username,
    password,
    database,
    charset: "utf8mb4",
    connectTimeout: connectMs,
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
  driver.connect((error) => (error ? reject(error) : resolve()));
  try {
    await promise;
    return { driver, tls, drop };
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
 * The ways to log in that give the password away without TLS: in the clear, or encrypted with a key that came the same way
 * and that anyone in between can put their own in place of.
 */
const passwordsKept = {
  mysql_clear_password: () => refuseCleartext,
  sha256_password: mysql.authPlugins.sha256_password({ onServerPublicKey: refuseCleartext }),
  caching_sha2_password: mysql.authPlugins.caching_sha2_password({ onServerPublicKey: refuseCleartext }),
};

const ask = (driver: Driver, sql: string): Promise<(string | null)[][]> =>
  new Promise((resolve, reject) => {
    driver.query(sql, (error: Error | null, rows: unknown) => {
      if (error) return reject(error);
      const cells = Array.isArray(rows) ? (rows as (Buffer | null)[][]) : [];
      resolve(cells.map((row) => row.map((cell) => cell && cell.toString())));
    });
  });

const sayGoodbye = (driver: Driver): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, farewellMs);
    // A paused connection would not hear the server's.
    driver.resume();
    driver.end(() => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Settles when the server has taken the request, or can't be bothered for {@link killMs}. Never rejects. */
async function kill(credentials: DatabaseCredentials, dial: Dial, port: number, threadId: number): Promise<void> {
  const until = AbortSignal.timeout(killMs);
  try {
    const { driver, drop } = await openByMode(credentials, dial, port, until);
    until.addEventListener("abort", drop, { once: true });
    try {
      await ask(driver, `KILL QUERY ${Number(threadId)}`);
    } finally {
      drop();
    }
  } catch {
    // The dropped connection ends the statement as soon as it writes.
  }
}
