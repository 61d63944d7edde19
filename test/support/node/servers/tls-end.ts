// A TLS end in front of a server of plain HTTP, for clients that send a password by TLS alone.

import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

export type TlsEnd = { port: number; stop(): Promise<void> };

const REQUEST_MS = 60_000;

/** Addresses of the server in its answers are those of the TLS end; its certificate is of no authority. */
export async function startTlsEnd(baseUrl: string): Promise<TlsEnd> {
  const file = (name: string) => readFile(join(import.meta.dirname, "tls", name));
  const server = createServer({ cert: await file("server.crt"), key: await file("server.key") }, (from, to) => {
    const { method } = from;
    // A compressed answer could not be rewritten.
    const { "accept-encoding": _, ...headers } = from.headers;
    const sent = request(new URL(from.url ?? "/", baseUrl), { method, headers, timeout: REQUEST_MS }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => void chunks.push(chunk));
      answer.on("end", () => {
        const { "content-length": _length, "transfer-encoding": _encoding, ...rest } = answer.headers;
        const body = Buffer.concat(chunks).toString("utf8");
        to.writeHead(answer.statusCode ?? 502, rest);
        to.end(body.replaceAll(`"http://${headers.host}/`, `"https://${headers.host}/`));
      });
      answer.on("error", () => to.destroy());
    });
    sent.on("timeout", () => sent.destroy()).on("error", () => to.destroy());
    from.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
