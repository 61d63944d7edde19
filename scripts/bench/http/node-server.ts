// The built bundle on node:http instead of workerd: the same bytes, Node's own runtime.
// node node-server.ts <bundle> <port> <database file> '<bindings of text as JSON>'

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { registerHooks } from "node:module";
import { scheduler } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { openD1 } from "./d1.ts";

type Bundle = { default: { fetch(request: Request, env: object, context: object): Response | Promise<Response> } };

const RUNTIME = `
  export class DurableObject {}
  export class WorkerEntrypoint {}
  export class RpcTarget {}
  export class WorkflowEntrypoint {}
  export class EmailMessage {}
  export const env = {};
  export const exports = {};
  export const waitUntil = () => undefined;
  export default {};
`;

// Only classes that nothing measured here instantiates come from the runtime's own modules.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith("cloudflare:") ? { url: specifier, shortCircuit: true } : next(specifier, context),
  load: (url, context, next) =>
    url.startsWith("cloudflare:") ? { format: "module", source: RUNTIME, shortCircuit: true } : next(url, context),
});

const [bundle = "", port = "", database = "", texts = "{}"] = process.argv.slice(2);
const { default: app } = (await import(pathToFileURL(bundle).href)) as Bundle;
/** Takes what requests add up to; workerd's own keeps it in memory, too. */
const METER = { idFromName: String, get: () => ({ add: async () => ({ minute: 0, team: 0, keys: {} }) }) };
const env = { ...(JSON.parse(texts) as Record<string, string>), DB: openD1(database), METER };
Object.assign(globalThis, { scheduler });
const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };

async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = new Headers(message.headers as Record<string, string>);
  const answered = await app.fetch(
    new Request(`http://127.0.0.1:${port}${message.url}`, { method: message.method ?? "GET", headers }),
    env,
    context,
  );
  const body = Buffer.from(await answered.arrayBuffer());
  response
    .writeHead(answered.status, { ...Object.fromEntries(answered.headers), "content-length": body.length })
    .end(body);
}

createServer(answer).listen(Number(port), "127.0.0.1");
