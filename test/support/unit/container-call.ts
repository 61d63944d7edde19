// Requests to /internal as a container makes them: with a token, and a body whose length it states.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { app } from "../../../src/app.ts";
import { mintToken, type Token } from "../../../src/platform/crypto/token.ts";

type Sent = { token?: Token; body?: unknown; raw?: string; bindings?: Partial<Env> };

/** Answers status and parsed body. `bindings` are a test's own, put in place of the Worker's. */
export async function post(path: string, { token, body = {}, raw = JSON.stringify(body), bindings = {} }: Sent) {
  const length = String(new TextEncoder().encode(raw).length);
  const headers = { "content-type": "application/json", "content-length": length };
  const authorization = token ? { authorization: `Bearer ${await mintToken(env as Env, token)}` } : {};
  const request = new Request(`https://fjord.test/internal${path}`, {
    method: "POST",
    headers: { ...headers, ...authorization },
    body: raw,
  });
  const context = createExecutionContext();
  const response = await app.fetch(request, { ...env, ...bindings } as Env, context);
  await waitOnExecutionContext(context);
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}
