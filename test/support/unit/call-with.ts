// Requests to the Worker with some of its bindings put aside for a test's own. Answers are held against the document
// all the same.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { ENGINE_HEADER, PROTOCOL } from "../../../kernel/wire/engine-program.ts";
import type { Introspection } from "../../../kernel/wire/source.ts";
import { app } from "../../../src/app.ts";
import { mintToken, type Token } from "../../../src/platform/crypto/token.ts";
import { nonconformities } from "./conformance.ts";
import type { Answer, Call } from "./http.ts";

export async function callWith(
  bindings: Partial<Env>,
  method: string,
  path: string,
  { key, body, raw, headers: more = {} }: Call = {},
): Promise<Answer> {
  const headers = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...more,
  };
  const request = new Request(`https://fjord.test${path}`, {
    method,
    headers,
    ...(raw === undefined && body === undefined ? {} : { body: raw ?? JSON.stringify(body) }),
  });
  const context = createExecutionContext();
  const response = await app.fetch(request, { ...env, ...bindings }, context);
  // What streams is only written as it is read.
  const text = await response.text();
  await waitOnExecutionContext(context);
  const answer = {
    status: response.status,
    type: response.headers.get("content-type") ?? "",
    body: text === "" ? undefined : JSON.parse(text),
  };
  expect(await nonconformities(method, path, answer)).toEqual([]);
  return { status: answer.status, headers: response.headers, body: answer.body };
}

type SentByContainer = { token?: Token; body?: unknown; raw?: string; bindings?: Partial<Env> };

/**
 * A request to /internal as a container makes it: with a token, and a body whose length it states. Answers status and
 * parsed body. `bindings` are a test's own.
 */
export async function post(
  path: string,
  { token, body = {}, raw = JSON.stringify(body), bindings = {} }: SentByContainer,
) {
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

export type SentWakeUp = { kind: string; teamId: string; id: string };

/** A source that has these tables, and a queue that only remembers. */
export function sourceWith(schemas: Introspection["schemas"]) {
  const wakeUps: SentWakeUp[] = [];
  const answer = () => Response.json({ schemas }, { headers: { [ENGINE_HEADER]: String(PROTOCOL) } });
  const bindings = {
    ENGINE: { getByName: () => ({ fetch: async () => answer(), askRunning: async () => undefined }) },
    WAKE_UPS: {
      send: async (body: SentWakeUp) => void wakeUps.push(body),
      sendBatch: async (batch: Iterable<{ body: SentWakeUp }>) =>
        void wakeUps.push(...[...batch].map(({ body }) => body)),
    },
  } as unknown as Pick<Env, "ENGINE" | "WAKE_UPS">;
  return { bindings, wakeUps };
}

type Table = Introspection["schemas"][number]["tables"][number];
/** A table whose server counts its key up, unless a test says otherwise. */
export const sourceTable = (name: string, rest: Partial<Table> = {}): Table => ({
  name,
  kind: "table",
  rowsEstimate: 10,
  columns: [
    { name: "id", type: "bigint", nullable: false, counted: true },
    { name: "note", type: "text", nullable: true },
  ],
  primaryKey: ["id"],
  ...rest,
});
