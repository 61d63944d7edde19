// A server that speaks Trino's protocol as a real cluster does on the wire, or wrongly where a test says so.

import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

/** The parts of an answer that a test decides; the fake adds id, address and state. */
export type FakePage = {
  columns?: object[];
  data?: unknown[];
  state?: string;
  error?: object;
  physicalInputBytes?: number;
  [member: string]: unknown;
};

export type FakeRequest = { method: string; path: string; headers: IncomingMessage["headers"]; body: string };
/** Takes a request in the fake's place where it answers true. */
type Intercept = (request: FakeRequest, response: ServerResponse) => boolean;

export type FakeCluster = {
  url: string;
  requests: FakeRequest[];
  /** The answers after the one to the statement itself; the last has no next one. */
  pages: FakePage[];
  intercept: Intercept;
  /** How many statements were ended by request. */
  readonly cancelled: number;
  reset(): void;
  close(): Promise<void>;
};

const ID = "20261130_000000_00001_fake1";

const tlsFile = (name: string): string => readFileSync(new URL(`../servers/tls/${name}`, import.meta.url), "utf8");
/** Signs itself, for localhost and 127.0.0.1. */
export const readCertificate = (): string => tlsFile("server.crt");

/** `tls`: by https, with {@link readCertificate}. */
export async function startFakeCluster({ tls = false }: { tls?: boolean } = {}): Promise<FakeCluster> {
  const listener = (incoming: IncomingMessage, response: ServerResponse) => void serve(incoming, response);
  const server = tls
    ? createTlsServer({ key: tlsFile("server.key"), cert: readCertificate() }, listener)
    : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fake: FakeCluster = {
    ...{ url, requests: [], pages: [], intercept: () => false },
    get cancelled() {
      return fake.requests.filter(({ method }) => method === "DELETE").length;
    },
    reset() {
      fake.requests = [];
      fake.pages = [];
      fake.intercept = () => false;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const { method = "", url: path = "", headers } = incoming;
    const request = { method, path, headers, body: Buffer.concat(pieces).toString() };
    fake.requests.push(request);
    if (fake.intercept(request, response)) return;
    if (method === "DELETE") return void response.writeHead(204).end();
    if (method === "POST") return answer(response, { state: "QUEUED" }, 0);
    const at = Number(/\/(\d+)$/.exec(path)?.[1] ?? -1);
    const page = fake.pages[at];
    return page ? answer(response, page, at + 1) : void response.writeHead(404).end();
  }

  function answer(response: ServerResponse, { state, physicalInputBytes = 0, ...page }: FakePage, next: number): void {
    const isLast = next >= fake.pages.length;
    const document = {
      id: ID,
      infoUri: `${url}/ui/query.html?${ID}`,
      ...(!isLast && {
        nextUri: `${url}/v1/statement/${next === 0 ? "queued" : "executing"}/${ID}/y${next * 7}/${next}`,
      }),
      stats: { state: state ?? (isLast ? "FINISHED" : "RUNNING"), queued: false, nodes: 2, physicalInputBytes },
      warnings: [],
      ...page,
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
  }

  return fake;
}

type Signature = { rawType: string; arguments: { kind: string; value: unknown }[] };
export const signature = (rawType: string, ...parts: (number | Signature)[]): Signature => ({
  rawType,
  arguments: parts.map((value) => ({ kind: typeof value === "number" ? "LONG" : "TYPE", value })),
});
export const rowOf = (fields: Record<string, Signature>): Signature => ({
  rawType: "row",
  arguments: Object.entries(fields).map(([name, typeSignature]) => ({
    kind: "NAMED_TYPE",
    value: { fieldName: { name }, typeSignature },
  })),
});
export const column = (name: string, typeSignature: Signature, type = typeSignature.rawType): object => ({
  ...{ name, type, typeSignature },
});
