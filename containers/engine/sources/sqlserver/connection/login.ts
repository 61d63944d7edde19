// The guard of a login, which the driver reads: it checks the server's packets, and takes the socket from the driver
// afterwards.

import type { Socket } from "node:net";
import type { Duplex, Readable } from "node:stream";
import type { TLSSocket } from "node:tls";
import type { Connection as Driver } from "tedious";
import type { DatabaseCredentials } from "../../../../../kernel/wire/source.ts";
import { protocolError } from "../../protocol-error.ts";
import { sslModeOf } from "../../tls.ts";
import { protocolViolation } from "./tokens.ts";

/** Certificates, and what the server says of itself: a thousandth of it would do. */
const LOGIN_BYTES_MAX = 1024 * 1024;

/** The type of the packet that answers the first one: an answer's, or that of the packet it answers. */
const FIRST_TYPES = [0x04, 0x12];

/** Members of the driver that its types leave out. */
type DriverInternals = {
  socket: Socket | undefined;
  messageIo: {
    securePair?: { cleartext: TLSSocket };
    incomingMessageStream: NodeJS.WritableStream & Readable & { bl: { length: number } };
    outgoingMessageStream: Readable & { packetSize: number };
  };
  _onSocketError: (error: Error) => void;
  _onSocketClose: () => void;
  _onSocketEnd: () => void;
};

/** A logged-in session: `stream` is what is read and written, over `socket`. */
export type LoggedIn = { stream: Duplex; socket: Socket; packetBytes: number };

const internalsOf = (driver: Driver): DriverInternals => driver as unknown as DriverInternals;

/** Watches what comes over the driver's sockets until the login is over. */
export type LoginGuard = { watch(socket: Socket): void; end(): void };

/**
 * The driver keeps whatever comes before the login is over: too much of it ends it, and so does what begins as no
 * answer of SQL Server's does, whose end the driver would wait for.
 */
export function guardLogin(fail: (error: unknown) => void): LoginGuard {
  let guarded: Socket | undefined;
  let bytes = 0;
  const refuse = (error: Error) => {
    guarded?.destroy();
    fail(error);
  };
  const count = (chunk: Buffer) => {
    if (bytes === 0 && !FIRST_TYPES.includes(chunk[0]!)) refuse(new Error("an answer in another protocol"));
    bytes += chunk.length;
    if (bytes > LOGIN_BYTES_MAX) refuse(protocolError("SQL Server", "the login has no end"));
  };
  return {
    watch(socket) {
      guarded?.off("data", count);
      guarded = socket;
      bytes = 0;
      // Not before the driver listens, or it would miss what is counted.
      setImmediate(() => guarded === socket && socket.on("data", count));
    },
    end() {
      guarded?.off("data", count);
      guarded = undefined;
    },
  };
}

/**
 * Checks whom TLS was agreed with, before the login is sent: by `sslmode`. The driver itself checks nothing, or names
 * too, which `verify-ca` leaves out.
 */
export function verifyServer(driver: Driver, credentials: DatabaseCredentials, fail: (error: unknown) => void): void {
  const mode = sslModeOf(credentials);
  if (mode !== "verify-ca" && mode !== "verify-full") return;
  driver.on("secure", ({ authorized, authorizationError: error }: TLSSocket) => {
    const reason = String(error instanceof Error && "code" in error ? error.code : error);
    if (authorized || (mode === "verify-ca" && reason === "ERR_TLS_CERT_ALTNAME_INVALID")) return;
    fail(new UntrustedServer(reason));
    driver.close();
  });
}

/** A server's certificate is not trusted, or is for another name; the message is OpenSSL's or Node's code of it. */
export class UntrustedServer extends Error {}

/** Takes the socket from the driver once the login is over: from then on it hears nothing of it. */
export function takeOver(driver: Driver): LoggedIn {
  const internals = internalsOf(driver);
  const { socket, messageIo } = internals;
  if (!socket) throw new Error("the driver has no socket");
  const stream: Duplex = messageIo.securePair?.cleartext ?? socket;
  const { incomingMessageStream: incoming, outgoingMessageStream: outgoing } = messageIo;
  stream.unpipe(incoming);
  outgoing.unpipe(stream);
  socket.off("error", internals._onSocketError);
  socket.off("close", internals._onSocketClose);
  socket.off("end", internals._onSocketEnd);
  if (incoming.bl.length > 0 || incoming.readableLength > 0) protocolViolation("it answers what was not asked");
  return { stream, socket, packetBytes: outgoing.packetSize };
}
