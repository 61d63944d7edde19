// Closes a connection on which nothing runs: sends its last message, and gives the server a second to close.

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
