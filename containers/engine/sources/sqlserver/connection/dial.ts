// The sockets of the driver: to addresses that were checked, also where the server sends us elsewhere.

import { connect, type Socket } from "node:net";
import { once } from "node:events";
import type { Dial } from "../../../../program/address.ts";
import { Failure } from "../../../core/failure.ts";
import { resolveSourceHost } from "../../resolve-source-host.ts";

/** A gateway sends to a node, which may send to a replica: more is a circle. */
const REDIRECTS_MAX = 2;
const KEEP_ALIVE_MS = 10_000;

/** The driver asks for a host and a port, which its types leave out: after a redirect those that the server named. */
type HostAndPort = { host: string; port: number };

/**
 * Gives the driver its sockets: the first to `target`, those after it to where redirects lead, checked alike. `watch`
 * hears of each before the driver does.
 */
export function dialler(
  target: { dial: Dial; port: number },
  until: AbortSignal,
  watch: (socket: Socket) => void,
): () => Promise<Socket> {
  let redirects = -1;
  const connected = async (host: string, port: number): Promise<Socket> => {
    const socket = await open(host, port, until);
    watch(socket);
    return socket;
  };
  const dial = async (asked: HostAndPort): Promise<Socket> => {
    redirects++;
    if (redirects === 0) return connected(target.dial.address, target.port);
    if (redirects > REDIRECTS_MAX) refuse("The server sends us on from one address to the next, without end.");
    if (!Number.isInteger(asked.port) || asked.port < 1) refuse("The server sends us to a port that there is not.");
    const { address } = await resolveSourceHost(asked.host, until);
    return connected(address, asked.port);
  };
  return dial as unknown as () => Promise<Socket>;
}

async function open(host: string, port: number, until: AbortSignal): Promise<Socket> {
  until.throwIfAborted();
  const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS });
  try {
    await once(socket, "connect", { signal: until });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function refuse(message: string): never {
  throw new Failure("connection_failed", message, { reason: "other" });
}
