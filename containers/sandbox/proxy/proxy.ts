// The only connection from a jail to the network: an HTTP proxy that knows whose request it carries, and where that may
// go.

import { once } from "node:events";
import { chmod } from "node:fs/promises";
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect, isIP, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { HostError, resolveHost } from "../../program/address.ts";
import { HelloReader } from "./client-hello.ts";
import { routeOf, routeOfTunnel, type Endpoints, type Policy, type Route } from "./policy.ts";

const CONNECT_MS = 10_000;
/** A query may be silent for as long as it may run. */
const IDLE_MS = 16 * 60_000;
const CONNECTIONS_MAX = 1_024;
const CONNECTIONS_EACH_MAX = 64;
const REPORTS_MAX = 20;
/** Headers about the connection to the proxy, which are not passed on. */
const OWN_HEADERS = new Set([
  "proxy-authorization",
  "proxy-connection",
  "connection",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "host",
]);

/**
 * `report` says to a doc's author why a connection was not made: a client of TLS hears nothing but that it broke off.
 */
type ProxyAccess = { policy: Policy; report: (text: string) => void; reported: Set<string>; sockets: Set<Duplex> };

export class Proxy {
  readonly #places: Endpoints;
  readonly #granted = new Map<string, ProxyAccess>();
  readonly #servers: Server[] = [];
  port = 0;

  constructor(places: Endpoints) {
    this.#places = places;
  }

  /**
   * Listens on a port of loopback, for jails that share this network, and at `socketPath`, for those that have one of
   * their own.
   */
  async listen(socketPath: string): Promise<void> {
    const [onPort, onPath] = [this.#server(), this.#server()];
    await new Promise<void>((resolve, reject) => onPort.once("error", reject).listen(0, "127.0.0.1", resolve));
    await new Promise<void>((resolve, reject) => onPath.once("error", reject).listen(socketPath, resolve));
    await chmod(socketPath, 0o666);
    this.port = (onPort.address() as AddressInfo).port;
  }

  grant(token: string, policy: Policy, report: (text: string) => void): void {
    this.#granted.set(token, { policy, report, reported: new Set(), sockets: new Set() });
  }

  /** Ends the connections of a right that has ended. */
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
    const server = createServer(
      { requestTimeout: 0, headersTimeout: 20_000 },
      (request, response) => void this.#carry(request, response),
    );
    server.on("connect", (request, socket, head) => void this.#tunnel(request, socket, head));
    server.on("clientError", (_error, socket) => socket.destroy());
    server.maxConnections = CONNECTIONS_MAX;
    this.#servers.push(server);
    return server;
  }

  /** The access of a request, with this connection counted; or the reason for a refusal. */
  #admit(request: IncomingMessage): ProxyAccess | string {
    const [scheme, given = ""] = (request.headers["proxy-authorization"] ?? "").split(" ");
    const token = scheme === "Basic" ? Buffer.from(given, "base64").toString().split(":")[1] : undefined;
    const granted = token === undefined ? undefined : this.#granted.get(token);
    if (!granted) return "its credentials, which HTTP_PROXY and HTTPS_PROXY hold, are missing";
    if (!granted.sockets.has(request.socket) && granted.sockets.size >= CONNECTIONS_EACH_MAX) {
      return `${CONNECTIONS_EACH_MAX} connections of this dataset are open already`;
    }
    if (!granted.sockets.has(request.socket))
      request.socket.once("close", () => granted.sockets.delete(request.socket));
    granted.sockets.add(request.socket);
    return granted;
  }

  async #carry(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => undefined);
    const granted = this.#admit(request);
    const url = parseUrl(request.url ?? "");
    if (typeof granted === "string") return refuse(request, response, 407, granted);
    if (!url) return refuse(request, response, 400, "this is a proxy; ask it for a whole URL");
    try {
      const { host, port } = await dialFor(routeOf(url, Object.keys(request.headers), this.#places, granted.policy));
      const onward = httpRequest({
        host,
        port,
        method: request.method,
        path: url.pathname + url.search,
        headers: { ...passedOn(request.headers), ...framingOf(request), host: url.host },
        timeout: IDLE_MS,
      });
      onward.on("timeout", () => onward.destroy());
      onward.on("error", () =>
        response.headersSent ? response.destroy() : refuse(request, response, 502, `${url.host} can't be reached`),
      );
      onward.on("response", (answer) => {
        answer.on("error", () => response.destroy());
        response.writeHead(answer.statusCode ?? 502, passedOn(answer.headers));
        answer.pipe(response);
      });
      response.once("close", () => onward.destroy());
      request.pipe(onward);
    } catch (error) {
      refuse(request, response, error instanceof Refused ? 403 : 502, messageOf(error));
      reportOnce(granted, url.host, messageOf(error));
    }
  }

  async #tunnel(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => undefined);
    const granted = this.#admit(request);
    if (typeof granted === "string") return refuseTunnel(socket, 407, granted);
    const authority = request.url ?? "";
    try {
      const onward = await open(await dialFor(routeOfTunnel(authority, this.#places, granted.policy)));
      onward.setTimeout(IDLE_MS, () => onward.destroy());
      onward.on("error", () => socket.destroy()).on("close", () => socket.destroy());
      socket.on("close", () => onward.destroy());
      if (socket.destroyed) return void onward.destroy();
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      // At the platform's address others may answer too, to whom the run may not speak.
      const first = granted.policy.internet ? head : await greetingTo(hostOf(authority), socket, head);
      if (typeof first === "string") {
        reportOnce(granted, authority, first);
        return void socket.end(accessDenied, () => onward.destroy());
      }
      onward.write(first);
      socket.pipe(onward).pipe(socket);
    } catch (error) {
      refuseTunnel(socket, error instanceof Refused ? 403 : 502, messageOf(error));
      reportOnce(granted, authority, messageOf(error));
    }
  }
}

/** Reports each reason once, up to a bound. */
function reportOnce({ report, reported }: ProxyAccess, target: string, why: string): void {
  const text = `${target.slice(0, 300)}: ${sentence(why).trimEnd()}`;
  if (reported.has(text) || reported.size >= REPORTS_MAX) return;
  reported.add(text);
  report(text);
}

/** Refuses a tunnel. Clients show only the first line. */
function refuseTunnel(socket: Duplex, status: number, why: string): void {
  const text = sentence(why);
  const headers = ["content-type: text/plain; charset=utf-8", `content-length: ${Buffer.byteLength(text)}`];
  socket.end([`HTTP/1.1 ${status} ${inStatusLine(why)}`, ...headers, "", text].join("\r\n"));
}

class Refused extends Error {}

const WITHOUT_INTERNET =
  "Without the team's setting sandbox_internet, tunnels carry TLS to the platform and its store by their names alone";
const PUBLIC_ALONE =
  "Datasets reach public addresses alone, and no setting changes that; " +
  "what a private network holds, an integration reads";
/** TLS's own word for it, in an alert that ends the connection (RFC 8446 §6.2). */
const accessDenied = Buffer.from([21, 3, 3, 0, 2, 2, 49]);

/**
 * The first bytes of a client of TLS, where they name this host and no other; else the reason why they are not carried.
 */
async function greetingTo(host: string, socket: Duplex, head: Buffer): Promise<Buffer | string> {
  const until = AbortSignal.timeout(CONNECT_MS);
  const reader = new HelloReader();
  for (let piece = head; ; ) {
    const hello = reader.push(piece);
    if (hello) {
      const names = !hello.isEncrypted && (hello.name?.toLowerCase() ?? "") === (isIP(host) ? "" : host);
      return names ? reader.bytes() : `its TLS handshake does not name ${host}. ${WITHOUT_INTERNET}`;
    }
    if (hello === null) return `it is no TLS. ${WITHOUT_INTERNET}`;
    const more =
      (socket.read() as Buffer | null) ??
      (await once(socket, "readable", { signal: until }).then(
        () => socket.read() as Buffer | null,
        () => null,
      ));
    if (more === null) return "no TLS handshake came";
    piece = more;
  }
}

/** The host of an authority that the policy has accepted. */
const hostOf = (authority: string): string => bare(authority.slice(0, authority.lastIndexOf(":")).toLowerCase());

async function dialFor(route: Route): Promise<{ host: string; port: number }> {
  if ("refused" in route) throw new Refused(route.refused);
  if ("dial" in route) return { ...route.dial, host: bare(route.dial.host) };
  try {
    // Public addresses only, whatever the engine may dial here; and the one that was checked is the one that is
    // dialled.
    const { address } = await resolveHost(route.resolve.host, AbortSignal.timeout(CONNECT_MS), "");
    return { host: address, port: route.resolve.port };
  } catch (error) {
    if (!(error instanceof HostError && error.reason === "host_forbidden")) throw error;
    throw new Refused(`${error.message.replace(/\.$/, "")}. ${PUBLIC_ALONE}`);
  }
}

function open({ host, port }: { host: string; port: number }): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    socket.once("connect", () => resolve(socket.setTimeout(0)));
    socket.once("timeout", () => socket.destroy(new Error(`${host}:${port} did not answer`)));
    socket.once("error", reject);
  });
}

const bare = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");
const passedOn = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name)));
/**
 * A body of unstated length stays framed: node sends that of a GET or DELETE bare, where its bytes would be the next
 * request.
 */
const framingOf = ({ headers }: IncomingMessage) =>
  headers["transfer-encoding"] === undefined ? {} : { "transfer-encoding": "chunked" };
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const sentence = (why: string): string => `The sandbox's proxy did not carry this: ${why.replace(/\.$/, "")}.\n`;

/** The text as one line that HTTP allows in a status line. */
const inStatusLine = (why: string): string =>
  sentence(why)
    .replace(/[^\x20-\x7e]+/g, " ")
    .trim()
    .slice(0, 500);

function refuse(request: IncomingMessage, response: ServerResponse, status: number, why: string): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  // A body that was not read to its end would be taken for the next request.
  const headers = { "content-type": "text/plain; charset=utf-8", ...(request.complete ? {} : { connection: "close" }) };
  response.writeHead(status, inStatusLine(why), headers).end(sentence(why));
}

function parseUrl(text: string): URL | undefined {
  return /^http:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}
