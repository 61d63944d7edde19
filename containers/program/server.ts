// A container program's HTTP: routes behind one secret, JSON in and out, failures as documents, the protocol's version
// on every answer.

import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { z } from "zod";
import { SUCCESSOR_HEADER } from "../../kernel/wire/successor.ts";

const HEADERS_MS = 20_000;
const KEEP_ALIVE_MS = 75_000;
const FLAWS_MAX = 20;

export type Flaw = { pointer: string; message: string };

/** A failure of the program's, as its protocol has it. */
export type ProgramFailure = Error & {
  readonly code: string;
  readonly status: number;
  /** Whether the program is being stopped, and its successor may be asked the same. */
  readonly isForSuccessor?: boolean;
  toJSON(): object;
};

/** The parts in which one program's HTTP differs from another's. */
export type ProgramHttp = {
  /** The program's name, in messages and in the events it logs. */
  name: string;
  /** The header of every answer that says the protocol's number. */
  versionHeader: string;
  protocol: number;
  /** Time for a request to arrive in full. */
  requestMs: number;
  bodyBytesMax: number;
  /** The program's own failure for a request that never reached a route, or whose body is not what it should be. */
  refuse(
    code: "unauthorized" | "not_found" | "bad_request" | "body_too_large" | "stopping",
    message: string,
    flaws?: Flaw[],
  ): ProgramFailure;
  /** Anything thrown, as the program's own; what is a bug becomes `internal` and has its `cause` logged. */
  toFailure(error: unknown): ProgramFailure;
};

/**
 * `id` is what the route's pattern caught in the path, decoded. `readBody` refuses what is too large, no JSON, or not
 * of the schema. It refuses, as `refuseStopped` does, what comes to a program that is being stopped: what has a body of
 * JSON begins work.
 */
export type Exchange<Parts> = {
  request: IncomingMessage;
  response: ServerResponse;
  id: string;
  refuseStopped(): void;
  readBody<Schema extends z.ZodType>(schema: Schema): Promise<z.output<Schema>>;
} & Parts;

export type Route<Parts> = [method: string, path: RegExp, handle: (exchange: Exchange<Parts>) => void | Promise<void>];

/** The routes that answer a program's requests, and the parts that these need. */
export type Served<Parts> = { routes: Route<Parts>[]; parts: Parts };

type Program<Parts> = { http: ProgramHttp; secret: string; served: Served<Parts> | Promise<Served<Parts>> };

/** Once the program is being stopped, its server refuses what would begin, which its successor may do. */
export type ProgramServer = Server & { refuseNew(): void };

/**
 * Requests that come before `served` is there wait for it; who doesn't know the secret is refused at once. A program
 * can listen so while it loads.
 */
export function createProgramServer<Parts>(program: Program<Parts>): ProgramServer {
  const { http } = program;
  const timeouts = { requestTimeout: http.requestMs, headersTimeout: HEADERS_MS, keepAliveTimeout: KEEP_ALIVE_MS };
  const stopping = new AbortController();
  const server = createServer(timeouts, (request, response) => {
    void serve(program, stopping.signal, request, response);
  });
  server.on("clientError", (_error, socket) => socket.destroy());
  return Object.assign(server, { refuseNew: () => stopping.abort() });
}

export function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function serve<Parts>(
  { http, secret, served }: Program<Parts>,
  stopping: AbortSignal,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader(http.versionHeader, String(http.protocol));
  response.setHeader("cache-control", "no-store");
  // A connection that nobody keeps can't close while the next request is on its way.
  if (stopping.aborted) response.setHeader("connection", "close");
  response.on("error", () => undefined);
  const refuseStopped = () => {
    if (!stopping.aborted) return;
    response.setHeader(SUCCESSOR_HEADER, "true");
    throw http.refuse("stopping", `The ${http.name} is being stopped; try again.`);
  };
  const readBody = async <Schema extends z.ZodType>(schema: Schema): Promise<z.output<Schema>> => {
    const body = await readBodyOf(http, request, schema);
    refuseStopped();
    return body;
  };
  try {
    if (!isSecret(request, secret)) throw http.refuse("unauthorized", `The ${http.name}'s secret is missing or wrong.`);
    const { routes, parts } = await served;
    // A client that left meanwhile can't be noticed by a route any more.
    if (response.destroyed) return;
    const path = (request.url ?? "/").split("?")[0]!;
    for (const [method, pattern, handle] of routes) {
      const match = method === request.method ? pattern.exec(path) : null;
      const id = match && decode(match[1] ?? "");
      if (id !== null) return await handle({ ...parts, request, response, id, refuseStopped, readBody });
    }
    throw http.refuse("not_found", `The ${http.name} has no such route.`);
  } catch (error) {
    answerFailure(http, request, response, http.toFailure(error));
  }
}

/** Compares digests, so that neither the secret's length nor a shared beginning shows in the time it takes. */
function isSecret(request: IncomingMessage, secret: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(request.headers.authorization ?? ""), digest(`Bearer ${secret}`));
}

/** The decoded text; null where it is not properly encoded. */
function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

async function readBodyOf<Schema extends z.ZodType>(
  { bodyBytesMax, refuse }: ProgramHttp,
  request: IncomingMessage,
  schema: Schema,
): Promise<z.output<Schema>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw refuse("body_too_large", `The body is larger than ${bodyBytesMax} bytes.`);
    chunks.push(chunk);
  }
  const json = parseJson(Buffer.concat(chunks).toString("utf8"));
  if (json === undefined) throw refuse("bad_request", "The body is not JSON.");
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const flaws = parsed.error.issues
    .slice(0, FLAWS_MAX)
    .map(({ path, message }) => ({ pointer: `/${path.join("/")}`, message }));
  throw refuse("bad_request", "The body is not of this protocol's form.", flaws);
}

/** The JSON value; undefined, which JSON can't express, where the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0;

function answerFailure(
  { name }: ProgramHttp,
  request: IncomingMessage,
  response: ServerResponse,
  failure: ProgramFailure,
): void {
  if (failure.code === "internal")
    console.error(
      JSON.stringify({
        event: `${name}.internal_error`,
        cause: failure.cause instanceof Error ? failure.cause.stack : String(failure.cause),
      }),
    );
  if (response.headersSent || response.destroyed) return void response.destroy();
  // A body that was not read to its end would be taken for the next request. A client that sends none keeps the
  // connection: the Worker's object, for one, asks without a secret whether the program lives before it sends what it
  // has.
  if (!request.complete && hasBody(request)) response.setHeader("connection", "close");
  if (failure.isForSuccessor) response.setHeader(SUCCESSOR_HEADER, "true");
  answerJson(response, failure.status, failure.toJSON());
}
