// The end of a connection at which nothing runs: its last message, and a moment for the server to close.

import type { Socket } from "node:net";

const CLOSE_MS = 1_000;

/** Sends `quit` and settles when the server has closed, or has not in time. Never rejects. */
export async function closeGracefully(socket: Socket, quit: Buffer): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, CLOSE_MS);
  socket.once("close", resolve);
  socket.resume();
  socket.end(quit);
  await promise;
  clearTimeout(timer);
}
