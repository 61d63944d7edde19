// Sockets read into memory of whoever takes their bytes. Node offers that to some sockets only, so each kind that a
// source has is tried on the Node that runs.

import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";
import { afterAll, describe, expect, it } from "vitest";
import { readInto, type ByteReceiver } from "../../../containers/engine/sources/sockets/read-into.ts";

const tls = (file: string): Buffer => readFileSync(new URL(`../../support/node/servers/tls/${file}`, import.meta.url));
const GREETING = "hello";
const SENT = randomBytes(5_000_003);
const hashOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

const SERVERS: Server[] = [];
afterAll(() => Promise.all(SERVERS.map((server) => new Promise((resolve) => server.close(resolve)))));

/** Greets, and sends all the rest when it is asked. */
function answer(socket: Socket): void {
  socket.on("error", () => undefined).write(GREETING);
  socket.once("data", () => socket.end(SENT));
}

async function portOf(server: Server): Promise<number> {
  SERVERS.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Connections as a source has them when a login is over: TLS is put over a socket that has been read from. */
const CONNECTIONS: Record<string, () => Promise<Socket>> = {
  "in the clear": async () => {
    const socket = connect(await portOf(createServer(answer)), "127.0.0.1");
    await once(socket, "data");
    return socket.pause();
  },
  "over TLS": async () => {
    const inner = connect(
      await portOf(createTlsServer({ key: tls("server.key"), cert: tls("server.crt") }, answer)),
      "127.0.0.1",
    );
    await once(inner, "connect");
    const socket = connectTls({ socket: inner, rejectUnauthorized: false });
    await once(socket, "data");
    return socket.pause();
  },
};

describe.each(Object.entries(CONNECTIONS))("a socket %s", (_, open) => {
  it("gives every byte in order, and leaves the memory of its receiver alone while it is paused", async () => {
    const socket = await open();
    const memory = Buffer.alloc(70_000);
    const taken: Buffer[] = [];
    let [direct, reads, whilePaused] = [0, 0, 0];
    const count = () => void (whilePaused += Number(socket.isPaused()));
    const receiver: ByteReceiver = {
      space: () => {
        if (reads > 0) count();
        return memory;
      },
      receive(from, length) {
        count();
        taken.push(Buffer.from(from.subarray(0, length)));
        if (from === memory) direct += length;
        if (++reads % 3 !== 0) return;
        socket.pause();
        setTimeout(() => socket.resume(), 2);
      },
    };
    expect(readInto(socket, receiver)).toBe(true);
    socket.on("data", (chunk: Buffer) => void taken.push(chunk));
    const ended = once(socket, "close");
    socket.resume().write("go on");
    await ended;
    expect(whilePaused).toBe(0);
    expect(hashOf(Buffer.concat(taken))).toBe(hashOf(SENT));
    expect(direct).toBeGreaterThan(SENT.length / 20);
  });

  it("that was closed goes on as a stream does", async () => {
    const socket = await open();
    socket.destroy();
    expect(readInto(socket, { space: () => Buffer.alloc(10), receive: () => expect.unreachable() })).toBe(false);
  });
});

it("what a stream has from before comes first, and no read takes its place", async () => {
  const [head, rest] = [SENT.subarray(0, 1_000), SENT.subarray(1_000, 5_000)];
  const server = createServer((socket) => {
    socket.on("error", () => undefined).write(head);
    socket.once("data", () => socket.end(rest));
  });
  const socket = connect(await portOf(server), "127.0.0.1").pause();
  socket.read(0);
  await expect.poll(() => socket.readableLength).toBe(head.length);
  const memory = Buffer.alloc(70_000);
  let [end, space]: [number, Uint8Array] = [0, memory];
  const receiver: ByteReceiver = {
    space: () => (space = memory.subarray(end)),
    receive(from, length) {
      if (from !== space) memory.set(from.subarray(0, length), end);
      end += length;
    },
  };
  expect(readInto(socket, receiver)).toBe(true);
  socket.on("data", (chunk: Buffer) => receiver.receive(chunk, chunk.length));
  const ended = once(socket, "close");
  socket.resume().write("go on");
  await ended;
  expect(hashOf(memory.subarray(0, end))).toBe(hashOf(SENT.subarray(0, 5_000)));
});

it("a stream that is no socket of Node's goes on as it is", () => {
  const stream = new PassThrough() as unknown as Socket;
  expect(readInto(stream, { space: () => Buffer.alloc(10), receive: () => expect.unreachable() })).toBe(false);
});
