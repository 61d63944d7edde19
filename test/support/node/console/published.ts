// A dashboard that is published, the tokens that open it, and servers of other origins: whoever embeds it, and whoever
// would like to hear what leaks.

import { createHmac, randomUUID } from "node:crypto";
import { createSocket } from "node:dgram";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ask, type Api } from "./api.ts";

export async function uploadFile(api: Api, path: string, content: string): Promise<void> {
  const { upload_url: url } = await ask(api, "POST", "/v3/drive/upload-url", { path });
  const answer = await fetch(String(url), { method: "PUT", body: content });
  if (!answer.ok) throw new Error(`The bucket answered ${answer.status}`);
}

export type Published = { id: string; path: string; secret: string; docId: string; embedUrl: string };

export async function publishDashboard(api: Api, doc: object, settings: Record<string, unknown>): Promise<Published> {
  const name = `d-${randomUUID()}`;
  const make = async (at: string, body: object): Promise<Record<string, unknown>> =>
    (await ask(api, "POST", at, body)).data;
  const made = await make("/v4/docs", doc);
  const grants = [{ integration_id: "*", schema: "sample", table: "*" }];
  const role = await make("/v4/data-access/roles", { name: `Dashboard: ${name}`, grants });
  const body = { name, doc_id: made["id"], role_id: role["id"], numbers: "string", ...settings };
  const { id, path } = await make("/v4/published-dashboards", body);
  const { secret } = await make(`/v4/published-dashboards/${String(id)}/secret`, {});
  return {
    id: String(id),
    path: String(path),
    secret: String(secret),
    docId: String(made["id"]),
    embedUrl: `${api.baseUrl}${String(path).replace("/v1/", "/embed/")}`,
  };
}

export function signToken({ id, secret }: Published, parameters: object = {}, seconds = 600): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(Date.now() / 1_000) + seconds;
  const text = `${part({ alg: "HS256", typ: "JWT" })}.${part({ sub: id, aud: "fjord", exp, parameters })}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

/** A server at `http://localhost:…`, which is another site than the platform's `127.0.0.1`. */
export async function startPortal(): Promise<{ origin: string; show(html: string): void; stop(): void }> {
  let page = "";
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    show: (html) => void (page = `<!doctype html><html lang="en"><title>Portal</title><body>${html}</body></html>`),
    stop: () => void server.close(),
  };
}

/** Hears whatever comes, by TCP and by UDP at the same port. */
export async function startListener(): Promise<{ port: number; heard: string[]; stop(): void }> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    response.setHeader("access-control-allow-origin", "*");
    response.end("{}");
  });
  // Some hints open a connection and send nothing.
  server.on("connection", () => heard.push("connection"));
  server.on("upgrade", (request, socket) => {
    heard.push(`upgrade ${request.url}`);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const socket = createSocket("udp4");
  socket.on("message", (bytes) => heard.push(`udp of ${bytes.length} bytes`));
  await new Promise<void>((resolve) => socket.bind(port, "127.0.0.1", resolve));
  const stop = () => {
    server.close();
    server.closeAllConnections();
    socket.close();
  };
  return { port, heard, stop };
}
