// The engine's doors: plain HTTP routes behind one secret. Every answer carries the protocol's mark.

import { createHash, timingSafeEqual } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { z } from "zod";
import { Answer } from "./answer.ts";
import { exportCatalog } from "./export/export-catalog.ts";
import { Failure, toFailure } from "./failure.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { LakeEnvironment } from "./lake/lake.ts";
import { profileColumn } from "./lake/profile.ts";
import { ConnectionTest, ENGINE_MARK, ExportRequest, IntrospectRequest, JobRequest, ProfileRequest, PROTOCOL, SQLITE_TYPE, Statement, type EngineStatus, type Source } from "./protocol.ts";
import { runStatement } from "./run-statement.ts";
import { connectorOf } from "./sources/connectors.ts";
import type { Statements } from "./statements.ts";

const bodyBytesMax = 8 * 1024 * 1024;

export type Parts = { secret: string; lake: LakeEnvironment; statements: Statements; jobs: Jobs };

type Exchange = { request: IncomingMessage; response: ServerResponse; id: string } & Parts;
type Route = [method: string, path: RegExp, handle: (exchange: Exchange) => void | Promise<void>];

const routes: Route[] = [
  ["GET", /^\/status$/, getStatus],
  ["POST", /^\/connections\/test$/, (exchange) => askSource(exchange, ConnectionTest, (source, signal) => connectorOf(source).test(source, signal))],
  ["POST", /^\/introspect$/, (exchange) => askSource(exchange, IntrospectRequest, (source, signal) => connectorOf(source).introspect(source, signal))],
  ["POST", /^\/statements$/, postStatement],
  ["POST", /^\/statements\/([^/]+)\/lease$/, ({ response, statements, id }) => answerFound(response, statements.renew(id), "statement")],
  ["DELETE", /^\/statements\/([^/]+)$/, ({ response, statements, id }) => answerFound(response, statements.cancel(id), "statement")],
  ["POST", /^\/profiles$/, postProfile],
  ["POST", /^\/exports$/, postExport],
  ["POST", /^\/jobs$/, async ({ request, response, jobs }) => answerJson(response, 202, jobs.start(await readBody(request, JobRequest)))],
  ["GET", /^\/jobs\/([^/]+)$/, getJob],
  ["DELETE", /^\/jobs\/([^/]+)$/, ({ response, jobs, id }) => answerFound(response, jobs.cancel(id), "job")],
];

export function createEngineServer(parts: Parts): Server {
  const server = createServer({ requestTimeout: 60_000, headersTimeout: 20_000, keepAliveTimeout: 75_000 }, (request, response) => void serve(parts, request, response));
  server.on("clientError", (_error, socket) => socket.destroy());
  return server;
}

async function serve(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader(ENGINE_MARK, String(PROTOCOL));
  response.setHeader("cache-control", "no-store");
  response.on("error", () => undefined);
  try {
    checkSecret(request, parts.secret);
    const path = (request.url ?? "/").split("?")[0]!;
    for (const [method, pattern, handle] of routes) {
      const match = method === request.method ? pattern.exec(path) : null;
      if (match) return await handle({ ...parts, request, response, id: decode(match[1] ?? "") });
    }
    throw new Failure("not_found", "The engine has no such route.");
  } catch (error) {
    answerFailure(request, response, toFailure(error));
  }
}

/** Compares digests, so that neither the secret's length nor a shared beginning shows in the time it takes. */
function checkSecret(request: IncomingMessage, secret: string): void {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const given = request.headers.authorization ?? "";
  if (!timingSafeEqual(digest(given), digest(`Bearer ${secret}`))) throw new Failure("unauthorized", "The engine's secret is missing or wrong.");
}

function getStatus({ response, statements, jobs }: Exchange): void {
  const status: EngineStatus = { protocol: PROTOCOL, statements: statements.running, jobs: jobs.running };
  answerJson(response, 200, status);
}

async function askSource({ request, response }: Exchange, schema: typeof ConnectionTest | typeof IntrospectRequest, ask: (source: Source, signal: AbortSignal) => Promise<object>): Promise<void> {
  const { source, deadlineMs } = await readBody(request, schema);
  const tooLate = new Failure("connection_failed", "The database did not answer in time.", { reason: "timeout" });
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(tooLate), Math.min(deadlineMs, 2_147_483_647));
  response.once("close", () => controller.abort(new Failure("cancelled", "Whoever asked has gone.")));
  try {
    answerJson(response, 200, await ask(source, controller.signal));
  } finally {
    clearTimeout(timer);
  }
}

async function postStatement({ request, response, statements, lake }: Exchange): Promise<void> {
  const statement = await readBody(request, Statement);
  await statements.run(statement.id, statement, (signal) => {
    response.once("close", () => response.writableFinished || statements.cancel(statement.id));
    return runStatement(statement, lake, signal, new Answer(response, statement.format));
  });
}

async function postProfile({ request, response, statements, lake }: Exchange): Promise<void> {
  const asked = await readBody(request, ProfileRequest);
  await statements.run(asked.id, { ...asked, leaseMs: asked.deadlineMs }, async (signal) => {
    response.once("close", () => response.writableFinished || statements.cancel(asked.id));
    answerJson(response, 200, await profileColumn(asked, lake, signal));
  });
}

async function postExport({ request, response, statements, lake }: Exchange): Promise<void> {
  const asked = await readBody(request, ExportRequest);
  await statements.run(asked.id, { ...asked, leaseMs: asked.deadlineMs }, async (signal) => {
    response.once("close", () => response.writableFinished || statements.cancel(asked.id));
    await exportCatalog(asked, lake.platformUrl, signal, async (file) => {
      response.writeHead(200, { "content-type": SQLITE_TYPE, "content-length": (await stat(file)).size });
      // A caller who leaves breaks the pipe before it is known that they left; neither is a fault.
      await pipeline(createReadStream(file), response, { signal }).catch(() => response.destroy());
    });
  });
}

function getJob({ response, jobs, id }: Exchange): void {
  const status = jobs.get(id);
  if (!status) throw new Failure("not_found", "There is no such job.");
  answerJson(response, 200, status);
}

async function readBody<Schema extends z.ZodType>(request: IncomingMessage, schema: Schema): Promise<z.output<Schema>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new Failure("bad_request", `The body is larger than ${bodyBytesMax} bytes.`);
    chunks.push(chunk);
  }
  const parsed = schema.safeParse(parseJson(Buffer.concat(chunks).toString("utf8")));
  if (parsed.success) return parsed.data;
  const flaws = parsed.error.issues.slice(0, 20).map(({ path, message }) => `/${path.join("/")}: ${message}`);
  throw new Failure("bad_request", `The body is not of this protocol's form. ${flaws.join("; ")}`);
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
    throw new Failure("not_found", "The engine has no such route.");
  }
}

function answerFound(response: ServerResponse, found: boolean, what: string): void {
  if (!found) throw new Failure("not_found", `There is no such ${what}.`);
  response.writeHead(204).end();
}

function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function answerFailure(request: IncomingMessage, response: ServerResponse, failure: Failure): void {
  if (failure.code === "internal") console.error(JSON.stringify({ event: "engine.internal_error", cause: failure.cause instanceof Error ? failure.cause.stack : String(failure.cause) }));
  if (response.headersSent || response.destroyed) return void response.destroy();
  // A body that was not read to its end would be taken for the next request.
  if (!request.complete) response.setHeader("connection", "close");
  answerJson(response, failure.status, failure.toJSON());
}
