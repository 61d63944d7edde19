// Servers that answer as a real one did: their words are recorded by a proxy, and played to whoever connects, true or
// spoilt.

import { connect, createServer, type AddressInfo, type Server as TcpServer, type Socket } from "node:net";
import type { Framing } from "./mutations.ts";

/** What a server said on each connection: first to let the client in, then in answer to each of its requests. */
export type Recording = Buffer[][];

/**
 * One answer of a recording, and what is said instead, again and again where it `repeats`. It is the last that the
 * server says. Without bytes it falls silent.
 */
export type Spoilt = { connection: number; answer: number; bytes?: Buffer; repeats?: boolean };

export type PlayedServer = { port: number; close(): void };

/** How one protocol is recorded and played. */
export type Protocol = {
  framing: Framing;
  /** Calls `use` with the port of a proxy to `target`, and answers what went by. */
  record(target: { host: string; port: number }, use: (port: number) => Promise<unknown>): Promise<Recording>;
  play(recording: Recording, spoilt?: Spoilt): Promise<PlayedServer>;
};

export async function listen(onSocket: (socket: Socket) => void): Promise<PlayedServer & { server: TcpServer }> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { server, port: (server.address() as AddressInfo).port, close };
}

/** Says an answer of those that are there. */
export function sayFrom(
  answers: Buffer[],
  connection: number,
  spoilt: Spoilt | undefined,
  socket: Socket,
): (answer: number) => void {
  let isOver = false;
  return (answer) => {
    const bytes = answers[answer];
    if (isOver) return;
    isOver = spoilt?.connection === connection && spoilt.answer === answer;
    if (!isOver || !spoilt) bytes ? socket.write(bytes) : socket.end();
    else if (spoilt.repeats) repeat(socket, spoilt.bytes!);
    else if (spoilt.bytes) socket.end(spoilt.bytes);
  };
}

/** Sends `bytes` again and again as long as somebody listens. */
function repeat(socket: Socket, bytes: Buffer): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(bytes));
    if (!socket.destroyed) socket.once("drain", more);
  };
  more();
}

/** Forwards both ways; `fromClient` and `fromServer` see, and may change, what goes by. */
export const startProxy = (
  target: { host: string; port: number },
  onConnection: () => {
    fromClient(bytes: Buffer, answer: (bytes: Buffer) => void): Buffer;
    fromServer(bytes: Buffer): Buffer;
  },
) =>
  listen((client) => {
    const { fromClient, fromServer } = onConnection();
    const server = connect(target);
    server.on("error", () => client.destroy()).on("close", () => client.end());
    client
      .on("data", (bytes) => server.write(fromClient(bytes, (answer) => client.write(answer))))
      .on("close", () => server.destroy());
    server.on("data", (bytes) => client.write(fromServer(bytes)));
  });
