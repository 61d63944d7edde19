// Connections to SQL Server. The driver `tedious` only logs in; after that the engine reads the socket itself
// (wire.ts).

import type { Socket } from "node:net";
import { Connection as Driver } from "tedious";
import type { DatabaseCredentials } from "../../../../../kernel/wire/source.ts";
import { Failure } from "../../../core/failure.ts";
import { closeGracefully } from "../../sockets/close-socket.ts";
import { CONNECT_MS, openConnection, type Endpoint } from "../../open-connection.ts";
import { cleartextRefused, tlsOptions } from "../../tls.ts";
import { dialler } from "./dial.ts";
import { connectionFailure, isWithoutTls, LoginError } from "./errors.ts";
import { guardLogin, takeOver, verifyServer } from "./login.ts";
import { TdsWire } from "./wire.ts";

const STOP_MS = 3_000;
/** Other clients start with this size: less than the largest, which servers with TLS refuse. */
const PACKET_BYTES = 8_000;
/** The login's own bound. */
const NAME_CHARACTERS_MAX = 128;
const NOTHING = Buffer.alloc(0);

type Login = { endpoint: Endpoint; tls: boolean; name: string };

/** A logged-in connection. */
export type Connection = {
  wire: TdsWire;
  tls: boolean;
  /** Closes the socket at once. */
  drop(): void;
  /** Ends the session; what runs in it is stopped at the server first. Never rejects. */
  close(): Promise<void>;
};

/**
 * Rejects with `connection_failed` and a reason, or with `signal.reason`. `name` is what the server's list of sessions
 * shows as their program.
 */
export function connect(credentials: DatabaseCredentials, signal: AbortSignal, name = "fjord"): Promise<Connection> {
  checkHost(credentials);
  const logInAs = (endpoint: Endpoint, tls: boolean, until: AbortSignal) => logIn({ endpoint, tls, name }, until);
  return openConnection(credentials, signal, logInAs, connectionFailure);
}

/** Forms of a server's name that SQL Server's own tools take, and a host is not. */
function checkHost({ host }: DatabaseCredentials): void {
  const refuse = (message: string): never => {
    throw new Failure("connection_failed", message, { reason: "dns" });
  };
  if (host.includes("\\"))
    refuse(
      "A named instance can't be looked up here. Give the server's name as host, without the instance, and the port " +
        "that the instance listens on: SQL Server Configuration Manager shows it, under TCP/IP.",
    );
  if (/^(tcp|np|lpc|admin):/i.test(host) || host.includes(","))
    refuse("Give the server's name alone as host: without a protocol before it, and the port as port.");
}

/** Undefined where the server has no TLS and `tls` asks for it. */
async function logIn(login: Login, until: AbortSignal): Promise<Connection | undefined> {
  const { endpoint, tls } = login;
  const { credentials } = endpoint;
  // Without TLS the password is sent as good as readable, whatever the server asks for.
  if (!tls && credentials.allow_cleartext_password !== true) throw cleartextRefused();
  until.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const guard = guardLogin(reject);
  const driver = createDriver(login, dialler(endpoint, until, guard.watch));
  const errors: LoginError[] = [];
  driver.on("errorMessage", (token) => errors.push(new LoginError(token.message, token.number)));
  driver.on("error", reject);
  if (tls) verifyServer(driver, credentials, reject);
  const abort = () => reject(until.reason);
  until.addEventListener("abort", abort, { once: true });
  driver.connect((error) => (error ? reject(errors[0] ?? error) : resolve()));
  try {
    await promise;
    guard.end();
    const loggedIn = takeOver(driver);
    const { socket } = loggedIn;
    const wire = new TdsWire(loggedIn);
    const drop = () => wire.fail(new Failure("connection_failed", "The connection was closed.", { reason: "other" }));
    return { wire, tls, drop, close: () => close(wire, socket, drop) };
  } catch (error) {
    driver.close();
    guard.end();
    if (tls && isWithoutTls(error)) return undefined;
    throw error;
  } finally {
    until.removeEventListener("abort", abort);
  }
}

async function close(wire: TdsWire, socket: Socket, drop: () => void): Promise<void> {
  const timer = setTimeout(drop, STOP_MS);
  await wire.stop();
  clearTimeout(timer);
  if (wire.isIdle && socket.writable) await closeGracefully(socket, NOTHING);
  drop();
}

function createDriver({ endpoint, tls, name }: Login, connector: () => Promise<Socket>): Driver {
  const { credentials, dial, port } = endpoint;
  const { username, password, database } = credentials;
  const { ca } = tlsOptions(credentials, dial);
  return new Driver({
    // Goes into TLS and into the login; the socket goes to the address that was checked.
    server: dial.servername ?? dial.address,
    authentication: { type: "default", options: { userName: username, password } },
    options: {
      port,
      database: database === "" ? undefined : database,
      connector,
      encrypt: tls,
      // The driver knows no way to leave names out; verifyServer checks instead.
      trustServerCertificate: true,
      cryptoCredentialsDetails: ca === undefined ? {} : { ca },
      connectTimeout: CONNECT_MS,
      maxRetriesOnTransientErrors: 0,
      packetSize: PACKET_BYTES,
      appName: name.slice(0, NAME_CHARACTERS_MAX),
      workstationId: "fjord",
      tdsVersion: "7_4",
    },
  });
}
