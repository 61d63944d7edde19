// A server in the platform's place, which answers what a healthy platform never would.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A body as JSON, or bytes; undefined where no answer ever comes. */
export type Reply = { status?: number; body: unknown; headers?: Record<string, string> } | undefined;
/** By method and path, as `GET /v4/me`; `body` is what was sent. */
export type Replies = Record<
  string,
  (request: { url: URL; headers: IncomingMessage["headers"]; body: Buffer }) => Reply
>;

export type FakePlatform = { url: string; replies: Replies; close(): Promise<void> };

export async function fakePlatform(): Promise<FakePlatform> {
  const platform: FakePlatform = { url: "", replies: {}, close: () => close(server) };
  const server = createServer((request, response) => void answer(platform.replies, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  platform.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return platform;
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

async function answer(replies: Replies, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url!, "http://fake");
  const body = await buffer(request);
  const handle = replies[`${request.method} ${url.pathname}`];
  const reply = handle ? handle({ url, headers: request.headers, body }) : { status: 404, body: {} };
  if (!reply) return;
  const isBytes = reply.body instanceof Uint8Array;
  const type = isBytes ? "application/octet-stream" : "application/json";
  response.writeHead(reply.status ?? 200, { "content-type": type, ...reply.headers });
  response.end(isBytes ? reply.body : JSON.stringify(reply.body));
}
