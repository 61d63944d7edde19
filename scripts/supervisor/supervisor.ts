// Stands in for a container runtime on a machine that has none: HTTP on loopback, for holders of this boot's token
// only.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Instances, NO_INSTANCE } from "./instances.ts";
import { PROGRAMS, type Program } from "./programs.ts";

const BODY_BYTES_MAX = 64 * 1024;
/** A wait is answered "still running" after this long, so that no connection stays open for ever. */
const WAIT_MS = 60_000;
const LISTEN_MS = 20_000;

export type SupervisorOptions = {
  /** 0 or absent: any free one. */
  port?: number;
  /** Absent: a fresh one. */
  token?: string;
  /** How many instances of one program run at once. */
  instancesMax?: number;
  programs?: Readonly<Record<string, Program>>;
  /** How long a program may take to obey SIGTERM. */
  graceMs?: number;
  /** Receives the supervisor's and the programs' output, a line at a time. */
  log?: (line: string) => void;
};

export type Supervisor = { url: string; token: string; stop(): Promise<void> };

/**
 * Listens on 127.0.0.1. `stop` ends every program it started; so does the end of this process, whatever its cause.
 *
 *     POST /instances/{id}/start   {program, environment} → 200 {boot, port} once it listens;
 *                                  404 unknown program; 503 no free instance
 *     POST /instances/{id}/touch   → 204; keeps it from being the least recently used
 *     POST /instances/{id}/signal  {signal} → 204
 *     GET  /instances/{id}         → 200 {boot, port} · 404 not running
 *     POST /boots/{boot}/wait      → 200 {code} when it has ended · 204 still running · 404 unknown
 */
export async function startSupervisor(options: SupervisorOptions = {}): Promise<Supervisor> {
  const token = options.token ?? randomBytes(32).toString("base64url");
  const log = options.log ?? ((line: string) => console.log(line));
  const instances = new Instances({
    programs: options.programs ?? PROGRAMS,
    instancesMax: options.instancesMax ?? 4,
    log,
    graceMs: options.graceMs,
  });

  let port = 0;
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      log(`[supervisor] ${error instanceof Error ? error.message : String(error)}`);
      if (!response.headersSent) answer(response, 500);
    });
  });
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refuse(request, port, token);
    if (refusal) return answer(response, refusal);
    await route(instances, request, response);
  }

  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(options.port ?? 0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("The supervisor has no port.");
  port = address.port;

  process.on("exit", instances.killAll);
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    async stop() {
      await instances.stopAll();
      process.off("exit", instances.killAll);
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/**
 * A web page can reach loopback too: by a name it owns (Host) or from its own origin (Origin). It knows no token
 * either.
 */
function refuse(request: IncomingMessage, port: number, token: string): number | undefined {
  const { host, origin, authorization } = request.headers;
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) return 403;
  if (origin !== undefined) return 403;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(authorization ?? ""), digest(`Bearer ${token}`)) ? undefined : 401;
}

async function route(instances: Instances, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, kind, id = "", verb = ""] =
    /^\/(instances|boots)\/([\w-]{1,128})(?:\/(\w+))?$/.exec(request.url ?? "") ?? [];
  switch (`${request.method} ${kind} ${verb}`) {
    case "GET instances ": {
      const child = instances.get(id);
      return child ? answer(response, 200, { boot: child.boot, port: child.port }) : answer(response, 404);
    }
    case "POST instances start": {
      const body = await readJson(request);
      if (!body) return answer(response, 413);
      const { program, environment } = body;
      if (typeof program !== "string" || !isStrings(environment)) return answer(response, 422);
      if (!instances.has(program)) return answer(response, 404, { message: "No such program." });
      const child = await instances.start(id, program, environment);
      if (!child) return answer(response, 503, { message: NO_INSTANCE });
      await child.listening(LISTEN_MS);
      return answer(response, 200, { boot: child.boot, port: child.port });
    }
    case "POST instances touch":
      instances.touch(id);
      return answer(response, 204);
    case "POST instances signal": {
      const body = await readJson(request);
      const signal = body?.signal;
      if (!body) return answer(response, 413);
      if (typeof signal !== "number" || !Number.isInteger(signal) || signal < 1 || signal > 31)
        return answer(response, 422);
      instances.get(id)?.signal(signal);
      return answer(response, 204);
    }
    case "POST boots wait": {
      const exit = instances.exitOf(id);
      if (!exit) return answer(response, 404);
      const ended = await Promise.race([exit, afterWait()]);
      return ended ? answer(response, 200, ended) : answer(response, 204);
    }
    default:
      return answer(response, 404);
  }
}

const afterWait = () => new Promise<undefined>((resolve) => setTimeout(resolve, WAIT_MS, undefined).unref());

const isStrings = (value: unknown): value is Record<string, string> =>
  typeof value === "object" && value !== null && Object.values(value).every((entry) => typeof entry === "string");

/** Undefined when the body is too large; what is no JSON object counts as an empty one. */
async function readJson(request: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > BODY_BYTES_MAX) return undefined;
    pieces.push(piece);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(pieces).toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function answer(response: ServerResponse, status: number, body?: unknown): void {
  // What is left of a refused body is not read.
  response.writeHead(status, {
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(status === 413 ? { connection: "close" } : {}),
  });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
