// The sandbox's doors: plain HTTP routes behind one secret. Every answer carries the protocol's mark.

import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { z } from "zod";
import { envelopeBytesMax, type Envelopes } from "./envelope/envelopes.ts";
import { Failure, toFailure } from "./failure.ts";
import { PROTOCOL, RunOrder, SANDBOX_MARK, type SandboxStatus } from "./protocol.ts";
import type { Runs } from "./runs/runs.ts";

/** Two hundred datasets of ordinary length. */
const orderBytesMax = 16 * 1024 * 1024;
const signOfLifeMs = 10_000;

export type Parts = { secret: string; runs: Runs; envelopes: Envelopes; jail: SandboxStatus["jail"]; drive: "mount" | "mirror"; weakAllowed: boolean };

type Exchange = { request: IncomingMessage; response: ServerResponse; id: string } & Parts;
type Route = [method: string, path: RegExp, handle: (exchange: Exchange) => void | Promise<void>];

const routes: Route[] = [
  ["GET", /^\/status$/, getStatus],
  ["PUT", /^\/runs\/([^/]+)\/envelope$/, putEnvelope],
  ["POST", /^\/runs\/([^/]+)$/, postRun],
  ["DELETE", /^\/runs\/([^/]+)$/, deleteRun],
];

export function createSandboxServer(parts: Parts): Server {
  const server = createServer({ requestTimeout: 300_000, headersTimeout: 20_000, keepAliveTimeout: 75_000 }, (request, response) => void serve(parts, request, response));
  server.on("clientError", (_error, socket) => socket.destroy());
  return server;
}

async function serve(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader(SANDBOX_MARK, String(PROTOCOL));
  response.setHeader("cache-control", "no-store");
  response.on("error", () => undefined);
  try {
    checkSecret(request, parts.secret);
    const path = (request.url ?? "/").split("?")[0]!;
    for (const [method, pattern, handle] of routes) {
      const match = method === request.method ? pattern.exec(path) : null;
      if (match) return await handle({ ...parts, request, response, id: decode(match[1] ?? "") });
    }
    throw new Failure("not_found", "The sandbox has no such route.");
  } catch (error) {
    answerFailure(request, response, toFailure(error));
  }
}

/** Compares digests, so that neither the secret's length nor a shared beginning shows in the time it takes. */
function checkSecret(request: IncomingMessage, secret: string): void {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  if (!timingSafeEqual(digest(request.headers.authorization ?? ""), digest(`Bearer ${secret}`))) throw new Failure("unauthorized", "The sandbox's secret is missing or wrong.");
}

function getStatus({ response, runs, jail, drive }: Exchange): void {
  const status: SandboxStatus = { protocol: PROTOCOL, runs: runs.running, jail, drive };
  answerJson(response, 200, status);
}

async function putEnvelope({ request, response, envelopes, id }: Exchange): Promise<void> {
  if (Number(request.headers["content-length"] ?? 0) > envelopeBytesMax) throw new Failure("body_too_large", `The body is larger than ${envelopeBytesMax} bytes.`);
  answerJson(response, 200, await envelopes.put(id, request as AsyncIterable<Uint8Array>));
}

/** Holds the answer until the run has ended; white space meanwhile keeps those in between from giving up. */
async function postRun({ request, response, runs, id, jail, weakAllowed }: Exchange): Promise<void> {
  const order = await readBody(request, RunOrder);
  if (order.runId !== id) throw new Failure("bad_request", "The order is of another run than the path.");
  checkOrder(order);
  if (!jail.strong && !weakAllowed) throw new Failure("jail_refused", `The jail of this sandbox is too weak to run code: ${jail.kind} lacks ${jail.lacks.join(", ")}.`);
  const report = runs.start(order);
  const timer = setInterval(() => {
    if (!response.headersSent) response.writeHead(200, { "content-type": "application/json" });
    response.write(" ");
  }, signOfLifeMs);
  try {
    const text = JSON.stringify(await report);
    if (!response.headersSent) response.writeHead(200, { "content-type": "application/json" });
    response.end(text);
  } finally {
    clearInterval(timer);
  }
}

/** What the schema can't say: keys are distinct, references name datasets, and none waits for itself. */
function checkOrder({ datasets }: RunOrder): void {
  const needs = new Map(datasets.map((dataset) => [dataset.key, [...dataset.dependsOn, ...(dataset.engine === "python" ? dataset.inputs.map(({ ref }) => ref) : [])]]));
  if (needs.size !== datasets.length) throw new Failure("bad_request", "Two datasets have the same key.");
  const done = new Set<string>();
  const under = new Set<string>();
  const visit = (key: string): void => {
    if (done.has(key)) return;
    if (under.has(key)) throw new Failure("bad_request", `The dataset ${key} depends on itself.`);
    under.add(key);
    for (const needed of needs.get(key) ?? []) {
      if (!needs.has(needed)) throw new Failure("bad_request", `The dataset ${key} needs ${needed}, which is not part of the order.`);
      visit(needed);
    }
    under.delete(key);
    done.add(key);
  };
  for (const key of needs.keys()) visit(key);
}

function deleteRun({ response, runs, id }: Exchange): void {
  if (!runs.cancel(id)) throw new Failure("not_found", "There is no such run.");
  response.writeHead(204).end();
}

async function readBody<Schema extends z.ZodType>(request: IncomingMessage, schema: Schema): Promise<z.output<Schema>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > orderBytesMax) throw new Failure("body_too_large", `The body is larger than ${orderBytesMax} bytes.`);
    chunks.push(chunk);
  }
  const parsed = schema.safeParse(parseJson(Buffer.concat(chunks).toString("utf8")));
  if (parsed.success) return parsed.data;
  throw new Failure("bad_request", "The body is not of this protocol's form.", parsed.error.issues.slice(0, 20).map(({ path, message }) => ({ pointer: `/${path.join("/")}`, message })));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure("bad_request", "The body is not JSON.");
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Failure("not_found", "The sandbox has no such route.");
  }
}

function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function answerFailure(request: IncomingMessage, response: ServerResponse, failure: Failure): void {
  if (failure.code === "internal") console.error(JSON.stringify({ event: "sandbox.internal_error", cause: failure.cause instanceof Error ? failure.cause.stack : String(failure.cause) }));
  if (response.headersSent || response.destroyed) return void response.destroy();
  // A body that was not read to its end would be taken for the next request.
  if (!request.complete) response.setHeader("connection", "close");
  answerJson(response, failure.status, failure.toJSON());
}
