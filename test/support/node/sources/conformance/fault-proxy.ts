// A way between the engine and a real database that breaks in the middle of a result, and counts who is on it.

import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export type FaultProxy = {
  port: string;
  /** The number of the engine's connections that are open now. */
  connections(): number;
  /** After so many bytes from the database, on each connection, until {@link heal}. */
  close(afterBytes: number): void;
  stall(afterBytes: number): void;
  heal(): void;
  stop(): Promise<void>;
};

export async function startFaultProxy(target: { port: number }): Promise<FaultProxy> {
  const open = new Set<Socket>();
  let fault: { kind: "close" | "stall"; afterBytes: number } | undefined;
  const listener = createServer((socket) => {
    open.add(socket);
    const upstream = connect(target.port, "127.0.0.1");
    let carried = 0;
    const end = () => {
      open.delete(socket);
      socket.destroy();
      upstream.destroy();
    };
    socket.on("error", end).on("close", end);
    upstream.on("error", end).on("close", end);
    socket.on("data", (bytes) => upstream.write(bytes));
    upstream.on("data", (bytes: Buffer) => {
      carried += bytes.length;
      const broken = fault !== undefined && carried > fault.afterBytes;
      if (broken && fault?.kind === "close") end();
      else if (broken) upstream.pause();
      else if (!socket.write(bytes)) {
        upstream.pause();
        socket.once("drain", () => upstream.resume());
      }
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  return {
    port: String((listener.address() as AddressInfo).port),
    connections: () => open.size,
    close: (afterBytes) => void (fault = { kind: "close", afterBytes }),
    stall: (afterBytes) => void (fault = { kind: "stall", afterBytes }),
    heal: () => void (fault = undefined),
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
