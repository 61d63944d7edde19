// The guard of a login: the driver believes every length that it reads, so it gets only whole packets in their order,
// and none that come after the login.

import type { Socket } from "node:net";
import type { Connection as Driver } from "mysql2";
import { protocolViolation } from "./packets.ts";
import { HEAD_BYTES } from "./packet-stream.ts";

/** A greeting, names of methods, keys and proofs. */
const PACKET_BYTES_MAX = 64 * 1024;
/** The longest login asks some five times. */
const PACKETS_MAX = 16;
const ERROR = 0xff;
const PROTOCOL_VERSION = 10;
/** A greeting's fixed part, beside the name of the version. */
const GREETING_BYTES = 1 + 1 + 4 + 8 + 1 + 2;

/** Members of the driver that its types leave out. */
export type DriverInternals = {
  stream: Socket;
  sequenceId: number;
  authorized: boolean;
  _mariadbExtendedMetadata: boolean;
  packetParser: { execute(chunk: Buffer): unknown };
};

/**
 * Stands before the driver's parser. When the login is over the socket is paused, and bytes after the login are put
 * back for the next reader.
 */
export function guardLogin(driver: Driver, fail: (error: unknown) => void): void {
  const internals = driver as unknown as DriverInternals;
  const { packetParser } = internals;
  let held: Buffer = Buffer.alloc(0);
  let packets = 0;
  let isOver = false;

  /** A copy of the packet's own size: there is nothing behind it to be read. */
  const next = (): Buffer | undefined => {
    if (held.length < HEAD_BYTES) return undefined;
    const length = held.readUIntLE(0, 3);
    if (length === 0 || length > PACKET_BYTES_MAX)
      protocolViolation("a packet of the login has a length that can't be right");
    if (held.length < HEAD_BYTES + length) return undefined;
    const packet = Buffer.alloc(HEAD_BYTES + length);
    held.copy(packet);
    held = held.subarray(packet.length);
    return packet;
  };
  const take = (packet: Buffer): void => {
    const isError = packet[HEAD_BYTES] === ERROR;
    if (!isError && packets === 0) checkGreeting(packet);
    if (!isError && packet[HEAD_BYTES - 1] !== internals.sequenceId)
      protocolViolation("the packets of the login are out of order");
    if (++packets > PACKETS_MAX) protocolViolation("the login has no end");
    packetParser.execute(packet);
  };
  internals.packetParser = {
    execute(chunk) {
      if (isOver) return;
      held = Buffer.concat([held, chunk]);
      try {
        for (let packet = next(); packet; packet = internals.authorized ? undefined : next()) take(packet);
        if (!internals.authorized) return;
        isOver = true;
        internals.stream.removeAllListeners("data").pause();
        if (held.length > 0) internals.stream.unshift(held);
      } catch (error) {
        isOver = true;
        fail(error);
      }
    },
  };
}

function checkGreeting(packet: Buffer): void {
  const end = packet.indexOf(0, HEAD_BYTES + 1);
  if (packet[HEAD_BYTES] !== PROTOCOL_VERSION || end < 0 || packet.length - end < GREETING_BYTES - 1)
    protocolViolation("it greets in another protocol");
}
