// A server before the platform that spoils answers: the first part of an address says how, and the rest is passed on.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** An answer of the platform, in whole, and the caller's connection. */
type Spoiling = { answer: Response; body: Buffer; response: ServerResponse };

/** What Arrow ends a stream with. */
const END_BYTES = 8;
const FAULTS = {
  /** The connection ends amid the result. */
  cut: ({ answer, body, response }: Spoiling) => {
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type")! });
    response.write(body.subarray(0, body.length / 2), () => response.socket!.destroy());
  },
  /** The result ends as HTTP has it, after a batch that is whole, but without Arrow's own end. */
  short: ({ answer, body, response }: Spoiling) =>
    void response.writeHead(answer.status).end(body.subarray(0, body.length - END_BYTES)),
  /** Done, and never answered. */
  lost: ({ response }: Spoiling) => void response.socket!.destroy(),
  /** Done, and a gateway answers in the platform's place. */
  gateway: ({ response }: Spoiling) => void response.writeHead(502).end("Bad gateway"),
};

/** Answers in the platform's place; absent where the request is passed on. */
const REFUSALS: Record<string, (response: ServerResponse, count: number) => boolean> = {
  /** Busy for the first two requests. */
  busy: (response, count) => {
    if (count > 2) return false;
    const error = { code: "too_many_requests", status: 429, retryable: true, flaws: [] };
    response.writeHead(429, { "retry-after": "1" }).end(JSON.stringify({ success: false, message: "Busy.", error }));
    return true;
  },
};

export type FaultyFront = { url: string; count(fault: string): number; close(): void };

export async function startFaultyFront(platformUrl: string): Promise<FaultyFront> {
  const counts = new Map<string, number>();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, fault = "", path = ""] = /^\/(\w+)(\/.*)$/.exec(request.url!) ?? [];
    const count = (counts.get(fault) ?? 0) + 1;
    counts.set(fault, count);
    const content = await buffer(request);
    if (REFUSALS[fault]?.(response, count)) return;
    const headers = new Headers(request.headers as Record<string, string>);
    for (const name of ["host", "connection", "content-length", "accept-encoding"]) headers.delete(name);
    const { method } = request;
    const answer = await fetch(`${platformUrl}${path}`, {
      ...{ method: method!, headers },
      ...(content.length > 0 && { body: content }),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    if (fault in FAULTS && method === "POST" && path.startsWith("/v1/query"))
      return FAULTS[fault as keyof typeof FAULTS]({ answer, body, response });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" }).end(body);
  };
  const server: Server = createServer((request, response) => {
    response.on("error", () => undefined);
    serve(request, response).catch(() => response.socket?.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    count: (fault) => counts.get(fault) ?? 0,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
