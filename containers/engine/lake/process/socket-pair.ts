// Two ends of one local connection, one of which reads into memory that its owner chooses.

import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Socket, type SocketConstructorOpts } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * `ours` reads as `onread` says, `theirs` is for a child process. A pipe that Node makes for a child by itself, as well
 * as the end that a server accepts, can't read so.
 */
export async function openSocketPair(
  onread: SocketConstructorOpts["onread"],
): Promise<{ ours: Socket; theirs: Socket }> {
  // Nobody else can enter this folder, and so nobody else can connect.
  const folder = await mkdtemp(join(tmpdir(), "fjord-pair-"));
  const server = createServer({ pauseOnConnect: true });
  try {
    const path = join(folder, "socket");
    server.listen(path);
    await once(server, "listening");
    const accepted = once(server, "connection") as Promise<[Socket]>;
    const ours = connect({ path, onread });
    const [[theirs]] = await Promise.all([accepted, once(ours, "connect")]);
    return { ours, theirs };
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}
