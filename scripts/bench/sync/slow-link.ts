// A link to a server that is far away: each connection carries so many bytes a second, each way takes its time.

import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "../../../test/support/node/servers/server.ts";

export type Link = { bytesPerSecond: number; roundTripMs: number };

/** Returns the server as it is reached over the link, and ends the link. */
export async function openLink(server: Server, link: Link): Promise<{ server: Server; stop(): void }> {
  const sockets = new Set<Socket>();
  const listener = createServer((near) => {
    const far = connect(server.port, server.host);
    for (const socket of [near, far]) {
      sockets.add(socket.setNoDelay());
      socket.on("close", () => sockets.delete(socket));
    }
    const cut = () => [near, far].forEach((socket) => socket.destroy());
    carry(near, far, link).catch(cut);
    carry(far, near, link).catch(cut);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const stop = () => {
    listener.close();
    for (const socket of sockets) socket.destroy();
  };
  return { server: { ...server, host: "127.0.0.1", port: (listener.address() as AddressInfo).port }, stop };
}

/** What has come is under way for half a round trip, and what comes behind it waits for the link. */
async function carry(from: Socket, to: Socket, { bytesPerSecond, roundTripMs }: Link): Promise<void> {
  let freeAt = 0;
  let delivered = Promise.resolve();
  const until = (at: number) => sleep(Math.max(0, at - performance.now()));
  for await (const chunk of from as AsyncIterable<Buffer>) {
    freeAt = Math.max(freeAt, performance.now()) + (chunk.length / bytesPerSecond) * 1_000;
    const arrivesAt = freeAt + roundTripMs / 2;
    delivered = delivered.then(() => until(arrivesAt)).then(() => void to.write(chunk));
    await until(freeAt - QUEUE_MS);
  }
  await delivered;
  to.end();
}

/** A router holds a little of what the link can't take yet, so that the link is never idle. */
const QUEUE_MS = 10;
