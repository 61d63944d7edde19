// A proxy between an engine and the platform, in a test's hands: requests pass, or meet the fate that the test decides.

import { createServer, request as send, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Fate =
  /** The request passes as if there were no proxy. */
  | "pass"
  /** Never answered, never passed on; the connection stays open. */
  | "hang"
  /** The platform acts on it; then this is called, and once that has ended, the answer is lost. */
  | { afterwards: () => unknown }
  /** Broken off after the first bytes of the body. */
  | "cut"
  /** Answered in the platform's place. */
  | 503;

export type ProxiedRequest = { method: string; path: string };
/** Says what becomes of a request; a promise of it holds the request up. */
export type Rule = (asked: ProxiedRequest) => Fate | Promise<Fate>;

export type InterceptingProxy = {
  port: number;
  /** Replaces the rule before it. */
  rule(rule: Rule): void;
  /** Lets everything pass; what hangs is broken off. */
  clear(): void;
  close(): void;
};

export const isUpload = ({ method }: ProxiedRequest): boolean => method === "PUT";
export const isCommit = ({ path }: ProxiedRequest): boolean => /^\/internal\/jobs\/[^/]+\/commit$/.test(path);

/**
 * Listens on a free port of 127.0.0.1 and passes on what is for the platform to `targetPort`, and what was dialled for
 * another port to that one.
 */
export async function startInterceptingProxy(targetPort: number): Promise<InterceptingProxy> {
  const hanging = new Set<ServerResponse>();
  let decide: Rule = () => "pass";
  const server = createServer((request, response) => void meet(request, response));
  const meet = async (request: IncomingMessage, response: ServerResponse) => {
    for (const stream of [request, response]) stream.on("error", () => undefined);
    const fate = await decide({ method: request.method!, path: request.url!.split("?")[0]! });
    if (fate === "hang") {
      hanging.add(response);
      return void response.on("close", () => hanging.delete(response));
    }
    if (fate === "cut") return void request.once("data", () => request.socket.destroy());
    if (fate === 503) return void request.resume().on("end", () => response.writeHead(503).end());
    const { method, url: path, headers } = request;
    const meant = Number(new URL(`http://${headers.host}`).port);
    const port = meant === (server.address() as AddressInfo).port ? targetPort : meant;
    const onward = send({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
      if (typeof fate === "object") {
        // An engine that heard of the loss before its death would go on to what kills it next.
        return void answer.resume().on("end", async () => {
          await fate.afterwards();
          request.socket.destroy();
        });
      }
      response.writeHead(answer.statusCode!, answer.headers);
      answer.on("error", () => response.destroy()).pipe(response);
    });
    onward.on("error", () => response.destroy());
    // An engine that is killed breaks off, and so does what was passed on of it.
    response.on("close", () => response.writableEnded || onward.destroy());
    request.pipe(onward);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const clear = () => {
    decide = () => "pass";
    for (const response of hanging) response.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    rule: (rule) => void (decide = rule),
    clear,
    close() {
      clear();
      server.closeAllConnections();
      server.close();
    },
  };
}
