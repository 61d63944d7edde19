// The one way from a jail to the network: an HTTP proxy that knows whose request it carries, and where that may go.

import { once } from "node:events";
import { chmod } from "node:fs/promises";
import { createServer, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect, isIP, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { resolveHost } from "../../engine/sources/address.ts";
import { readHello } from "./client-hello.ts";
import { wayOf, wayOfTunnel, type Places, type Policy, type Way } from "./policy.ts";

const connectMs = 10_000;
/** A query may be silent for as long as it may run. */
const idleMs = 16 * 60_000;
/** With the keys of today's exchanges a hello takes about two thousand. */
const helloBytesMax = 64 * 1024;
const connectionsMax = 1_024;
const connectionsEachMax = 64;
/** About the connection to the proxy, not for the other side. */
const ownHeaders = new Set(["proxy-authorization", "proxy-connection", "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "host"]);

export class Proxy {
  readonly #places: Places;
  readonly #granted = new Map<string, { policy: Policy; sockets: Set<Duplex> }>();
  readonly #servers: Server[] = [];
  port = 0;

  constructor(places: Places) {
    this.#places = places;
  }

  /** Listens on a port of loopback, for jails that share this network, and at `socketPath`, for those that have one of their own. */
  async listen(socketPath: string): Promise<void> {
    const [onPort, onPath] = [this.#server(), this.#server()];
    await new Promise<void>((resolve, reject) => onPort.once("error", reject).listen(0, "127.0.0.1", resolve));
    await new Promise<void>((resolve, reject) => onPath.once("error", reject).listen(socketPath, resolve));
    await chmod(socketPath, 0o666);
    this.port = (onPort.address() as AddressInfo).port;
  }

  grant(token: string, policy: Policy): void {
    this.#granted.set(token, { policy, sockets: new Set() });
  }

  /** What is under way ends with the right. */
  revoke(token: string): void {
    for (const socket of this.#granted.get(token)?.sockets ?? []) socket.destroy();
    this.#granted.delete(token);
  }

  async stop(): Promise<void> {
    for (const token of [...this.#granted.keys()]) this.revoke(token);
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  #server(): Server {
    const server = createServer({ requestTimeout: 0, headersTimeout: 20_000 }, (request, response) => void this.#carry(request, response));
    server.on("connect", (request, socket, head) => void this.#tunnel(request, socket, head));
    server.on("clientError", (_error, socket) => socket.destroy());
    server.maxConnections = connectionsMax;
    this.#servers.push(server);
    return server;
  }

  /** Whose request it is, with this connection counted; undefined for nobody's, and past the bound. */
  #admit(request: IncomingMessage): Policy | undefined {
    const [scheme, given = ""] = (request.headers["proxy-authorization"] ?? "").split(" ");
    const token = scheme === "Basic" ? Buffer.from(given, "base64").toString().split(":")[1] : undefined;
    const granted = token === undefined ? undefined : this.#granted.get(token);
    if (!granted || (!granted.sockets.has(request.socket) && granted.sockets.size >= connectionsEachMax)) return undefined;
    if (!granted.sockets.has(request.socket)) request.socket.once("close", () => granted.sockets.delete(request.socket));
    granted.sockets.add(request.socket);
    return granted.policy;
  }

  async #carry(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => undefined);
    const policy = this.#admit(request);
    const url = parseUrl(request.url ?? "");
    if (!policy) return refuse(request, response, 407, "its credentials are missing, or too many of its connections are open");
    if (!url) return refuse(request, response, 400, "this is a proxy; ask it for a whole URL");
    try {
      const { host, port } = await dialFor(wayOf(url, Object.keys(request.headers), this.#places, policy));
      const onward = httpRequest({ host, port, method: request.method, path: url.pathname + url.search, headers: { ...passedOn(request.headers), ...framingOf(request), host: url.host }, timeout: idleMs });
      onward.on("timeout", () => onward.destroy());
      onward.on("error", () => (response.headersSent ? response.destroy() : refuse(request, response, 502, `${url.host} can't be reached`)));
      onward.on("response", (answer) => {
        answer.on("error", () => response.destroy());
        response.writeHead(answer.statusCode ?? 502, passedOn(answer.headers));
        answer.pipe(response);
      });
      response.once("close", () => onward.destroy());
      request.pipe(onward);
    } catch (error) {
      refuse(request, response, error instanceof Refused ? 403 : 502, messageOf(error));
    }
  }

  async #tunnel(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => undefined);
    const policy = this.#admit(request);
    if (!policy) return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n");
    try {
      const way = wayOfTunnel(request.url ?? "", this.#places, policy);
      const onward = await open(await dialFor(way));
      onward.setTimeout(idleMs, () => onward.destroy());
      onward.on("error", () => socket.destroy()).on("close", () => socket.destroy());
      socket.on("close", () => onward.destroy());
      if (socket.destroyed) return void onward.destroy();
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      // At the platform's address others may answer too, to whom the run may not speak.
      const first = policy.internet ? head : await greetingTo(hostOf(request.url ?? ""), socket, head);
      if (first === undefined) return void socket.destroy();
      onward.write(first);
      socket.pipe(onward).pipe(socket);
    } catch (error) {
      const text = sentence(messageOf(error));
      socket.end(`HTTP/1.1 ${error instanceof Refused ? "403 Forbidden" : "502 Bad Gateway"}\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    }
  }
}

class Refused extends Error {}

/** What a client of TLS says first, where it names this host and no other; undefined where it does not. */
async function greetingTo(host: string, socket: Duplex, head: Buffer): Promise<Buffer | undefined> {
  const until = AbortSignal.timeout(connectMs);
  for (let bytes = head; ; ) {
    const hello = readHello(bytes);
    if (hello) return !hello.isVeiled && (hello.name?.toLowerCase() ?? "") === (isIP(host) ? "" : host) ? bytes : undefined;
    if (hello === null || bytes.length > helloBytesMax) return undefined;
    const more = (socket.read() as Buffer | null) ?? (await once(socket, "readable", { signal: until }).then(() => socket.read() as Buffer | null, () => null));
    if (more === null) return undefined;
    bytes = Buffer.concat([bytes, more]);
  }
}

/** Of an authority that the policy has taken. */
const hostOf = (authority: string): string => bare(authority.slice(0, authority.lastIndexOf(":")).toLowerCase());

async function dialFor(way: Way): Promise<{ host: string; port: number }> {
  if ("refused" in way) throw new Refused(way.refused);
  if ("dial" in way) return { ...way.dial, host: bare(way.dial.host) };
  try {
    // Public addresses only, whatever the engine may dial here; and the one that was checked is the one that is dialled.
    const { address } = await resolveHost(way.resolve.host, AbortSignal.timeout(connectMs), "");
    return { host: address, port: way.resolve.port };
  } catch (error) {
    throw new Refused(messageOf(error));
  }
}

function open({ host, port }: { host: string; port: number }): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: connectMs });
    socket.once("connect", () => resolve(socket.setTimeout(0)));
    socket.once("timeout", () => socket.destroy(new Error(`${host}:${port} did not answer`)));
    socket.once("error", reject);
  });
}

const bare = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");
const passedOn = (headers: IncomingHttpHeaders) => Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.has(name)));
/** A body of unstated length stays framed: node sends that of a GET or DELETE bare, where its bytes would be the next request. */
const framingOf = ({ headers }: IncomingMessage) => (headers["transfer-encoding"] === undefined ? {} : { "transfer-encoding": "chunked" });
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const sentence = (why: string): string => `The sandbox's proxy did not carry this request: ${why.replace(/\.$/, "")}.\n`;

function refuse(request: IncomingMessage, response: ServerResponse, status: number, why: string): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  // A body that was not read to its end would be taken for the next request.
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...(request.complete ? {} : { connection: "close" }) }).end(sentence(why));
}

function parseUrl(text: string): URL | undefined {
  return /^http:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}
