// A proxy before a test's database: under another address, and with a PostgreSQL's TLS hidden where that is asked for.

import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export type TcpProxy = { port: string; hideTls: boolean; close(): void };

/** Listens on a free port of `host`. `hideTls` may be changed at any time, for the connections after that. */
export async function startTcpProxy(
  target: { port: number },
  { host = "127.0.0.1", hideTls = false } = {},
): Promise<TcpProxy> {
  const carry = (socket: Socket, first?: Buffer) => {
    const upstream = connect(target.port, "127.0.0.1").on("error", () => socket.destroy());
    if (first) upstream.write(first);
    socket.pipe(upstream).pipe(socket);
  };
  const hide = (socket: Socket) =>
    socket.once("data", (first) => {
      // An SSLRequest is eight bytes, and N says that there is no TLS: the client comes again without.
      if (first.length === 8) socket.end("N");
      else carry(socket, first);
    });
  const listener = createServer((socket) => {
    socket.on("error", () => undefined);
    if (proxy.hideTls) hide(socket);
    else carry(socket);
  });
  await new Promise<void>((resolve) => listener.listen(0, host, resolve));
  const proxy = { port: String((listener.address() as AddressInfo).port), hideTls, close: () => void listener.close() };
  return proxy;
}
