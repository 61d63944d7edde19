// What a server may send before it has let us in, which the driver reads; and how the socket is taken from it after.

import type { Socket } from "node:net";
import type { Duplex, Readable } from "node:stream";
import type { TLSSocket } from "node:tls";
import type { Connection as Driver } from "tedious";
import type { DatabaseCredentials } from "../../../contract/source.ts";
import { sslModeOf } from "../../tls.ts";
import { protocolViolation } from "./tokens.ts";

/** Certificates, and what the server says of itself: a thousandth of it would do. */
const LOGIN_BYTES_MAX = 1024 * 1024;

/** What the driver has and its types leave out. */
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

/** The driver keeps whatever comes before the login is over: too much of it ends it. `end` once it is over. */
export function guardLogin(driver: Driver, fail: (error: unknown) => void): { end(): void } {
  let counted: Socket | undefined;
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= LOGIN_BYTES_MAX) return;
    counted?.destroy();
    try {
      protocolViolation("the login has no end");
    } catch (error) {
      fail(error);
    }
  };
  const watch = () => {
    const { socket } = internalsOf(driver);
    if (!socket || socket === counted) return;
    counted?.off("data", count);
    counted = socket.on("data", count);
  };
  // A redirect brings another socket.
  const timer = setInterval(watch, 5);
  return {
    end() {
      clearInterval(timer);
      counted?.off("data", count);
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
