// The gateway answers S3 on this machine: it checks requests as R2 does, and passes on to wrangler's own endpoint what
// may be done.

import {
  createServer,
  request as send,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { AwsClient } from "aws4fetch";
import { authorize, type Storage } from "./authorize.ts";
import { CORS_HEADERS, isPreflight, PREFLIGHT_HEADERS } from "./cors.ts";
import { Refusal } from "./refusal.ts";
import { SIGNING_HEADERS } from "./signature.ts";

export type StorageGateway = { url: string; stop(): Promise<void> };

/** Wrangler's endpoint, and the credentials that `wrangler.toml` gives it. */
export type Upstream = { url: string; accessKeyId: string; secretAccessKey: string };

/** About one connection, or about who signed: not for the other side. */
const OWN_HEADERS = [
  ...["host", "origin", "connection", "keep-alive", "expect", "transfer-encoding", "authorization"],
  ...SIGNING_HEADERS,
];

/**
 * Listens on a free port of 127.0.0.1. Wrangler's endpoint knows no session tokens and obeys headers that nobody
 * signed; this one refuses what R2 is asked to refuse, so that what works here works there.
 */
export async function startStorageGateway(storage: Storage, upstream: Upstream): Promise<StorageGateway> {
  const client = new AwsClient({ ...upstream, service: "s3", region: "auto" });
  const server: Server = createServer({ requestTimeout: 0 }, (request, response) => {
    for (const stream of [request, response]) stream.on("error", () => undefined);
    if (isPreflight(request)) return void response.writeHead(204, PREFLIGHT_HEADERS).end();
    pass(request, response).catch((error: unknown) => {
      if (!(error instanceof Refusal)) console.error(error);
      refuse(
        request,
        response,
        error instanceof Refusal ? error : new Refusal(500, "InternalError", "The gateway failed."),
      );
    });
  });

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET" } = request;
    const { path, parameters } = await authorize(storage, request);
    checkBody(method, request.headers);
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !OWN_HEADERS.includes(name)));
    const signedToo = Object.entries(headers).filter(([name]) => name.startsWith("x-amz-")) as [string, string][];
    const signed = await client.sign(`${upstream.url}${path}${parameters}`, {
      method,
      headers: signedToo,
      aws: { signQuery: true },
    });
    // A connection of its own: one that was kept may have been closed by the other side, and a body can be sent but
    // once.
    const onward = send(signed.url, { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, {
        ...Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !OWN_HEADERS.includes(name))),
        ...CORS_HEADERS,
      });
      answer.on("error", () => response.destroy()).pipe(response);
    });
    onward.on("error", () =>
      response.headersSent
        ? response.destroy()
        : refuse(request, response, new Refusal(503, "ServiceUnavailable", "The storage can't be reached.")),
    );
    response.once("close", () => response.writableEnded || onward.destroy());
    request.pipe(onward);
  }

  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** A body whose length was not passed on would be the next request to the other side, and nobody had checked that. */
function checkBody(method: string, headers: IncomingHttpHeaders): void {
  const { "content-length": length, "transfer-encoding": encoding } = headers;
  if (method === "PUT") {
    if (length === undefined || encoding !== undefined)
      throw new Refusal(411, "MissingContentLength", "Content-Length is required.");
  } else if (encoding !== undefined || Number(length ?? 0) !== 0)
    throw new Refusal(400, "InvalidRequest", `A ${method} has no body here.`);
}

/** Whoever is still sending when the connection closes may miss the answer: a little of the rest is read. */
function refuse(request: IncomingMessage, response: ServerResponse, { status, code, message }: Refusal): void {
  if (response.headersSent) return void response.destroy();
  const text =
    `<?xml version="1.0" encoding="UTF-8"?>\n` + `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  response
    .writeHead(status, { "content-type": "application/xml", connection: "close", ...CORS_HEADERS })
    .end(request.method === "HEAD" ? undefined : text);
  request.resume();
}
