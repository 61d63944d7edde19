// Requests to the Worker under test. Every answer is held against the OpenAPI document the Worker serves.

import { exports } from "cloudflare:workers";
import { expect } from "vitest";
import { nonconformities } from "./conformance.ts";

export type Call = {
  key?: string | undefined;
  /** Sent as JSON; use `raw` for anything else. */
  body?: unknown;
  raw?: BodyInit;
  headers?: Record<string, string>;
};

/**
 * `body` is the parsed JSON, the text of another content type, or undefined where there is none. It is untyped: every
 * answer is held against its schema, and stating its shape here as well would only repeat the tests.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Answer = { status: number; headers: Headers; body: any };

const BASE = "https://fjord.test";

/** Sends one request and reads the whole answer, which must be as documented. `path` may carry a query. */
export async function call(method: string, path: string, options: Call = {}): Promise<Answer> {
  const response = await send(method, path, options);
  const type = response.headers.get("content-type") ?? "";
  const text = await response.text();
  const body = text === "" ? undefined : type.startsWith("application/json") ? JSON.parse(text) : text;
  expect(await nonconformities(method, path, { status: response.status, type, body })).toEqual([]);
  return { status: response.status, headers: response.headers, body };
}

/** The raw Response, unread and unchecked: for streams and disconnects. */
export function send(method: string, path: string, { key, body, raw, headers = {} }: Call = {}): Promise<Response> {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return exports.default.fetch(
    new Request(BASE + path, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
      redirect: "manual",
    }),
  );
}
