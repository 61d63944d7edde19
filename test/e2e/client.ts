// The platform as its callers see it: HTTP and nothing else.

import { expect, inject } from "vitest";
import type { Server } from "../support/node/servers/server.ts";

export type Answer<Body = Record<string, unknown>> = { status: number; headers: Headers; body: Body };
type Options = {
  body?: unknown;
  headers?: Record<string, string>;
  key?: string;
  baseUrl?: string;
  signal?: AbortSignal;
};

/** The raw response, with the demo team's key. */
export function send(
  method: string,
  path: string,
  { body, headers, key, baseUrl, signal }: Options = {},
): Promise<Response> {
  const platform = inject("platform");
  const isText = typeof body === "string" || body === undefined;
  return fetch(`${baseUrl ?? platform.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key ?? platform.key}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  });
}

/** One request whose answer is JSON. */
export async function call<Body = Record<string, unknown>>(
  method: string,
  path: string,
  options: Options = {},
): Promise<Answer<Body>> {
  const response = await send(method, path, options);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: (text === "" ? {} : JSON.parse(text)) as Body };
}

/** A team of its own, for what the files that share the demo team would disturb; `key` is its admin's. */
export async function newTeam(name: string): Promise<{ id: string; key: string }> {
  const mark = crypto.randomUUID();
  const body = { name: `${name} ${mark}`, plan: "standard", admin: { name: "Ada", email: `ada@${mark}.example` } };
  type Made = { data: { team: { id: string }; api_key: { key: string } } };
  const made = await call<Made>("POST", "/v4/admin/teams", { body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { team, api_key } = made.body.data;
  return { id: team.id, key: api_key.key };
}

export type QueryAnswer = {
  success: boolean;
  columns: string[];
  types: { name: string; type: string; kind: string }[];
  data: Record<string, unknown>[];
  rowCount: number;
  truncated: boolean;
  message: string;
  error: Failure["error"];
};
export type Failure = {
  success: false;
  message: string;
  error: { code: string; title: string; status: number; retryable: boolean; flaws: unknown[] };
  meta: { requestId: string };
};

export const query = (
  sql: string,
  more: Record<string, unknown> = {},
  options: Options = {},
): Promise<Answer<QueryAnswer>> => call<QueryAnswer>("POST", "/v1/query", { ...options, body: { sql, ...more } });

/** The rows of a query that must succeed. */
export async function rowsOf(
  sql: string,
  more: Record<string, unknown> = {},
  options: Options = {},
): Promise<Record<string, unknown>[]> {
  const { status, body } = await query(sql, more, options);
  expect(body, JSON.stringify(body)).toMatchObject({ success: true });
  expect(status).toBe(200);
  return body.data;
}

export type Integration = { id: string; type: string; name: string };

/** Connects a test server's database; fails the test when the platform refuses. */
export async function connect(
  type: "postgres" | "mysql",
  server: Server,
  database: string,
  options: Options = {},
): Promise<Integration> {
  const { host, port, username, password } = server;
  const credentials = { host, port: String(port), database, username, password };
  const { status, body } = await call("POST", "/v1/api/integrations", {
    ...options,
    body: { type, name: `${type} of a test ${crypto.randomUUID()}`, credentials },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return (body as { integration: Integration }).integration;
}
