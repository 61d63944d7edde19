// The yardsticks: a bare Hono route that answers a document about as large as ours, and one with our headers as well.

import { Hono } from "hono";

/** `HEADERS`: as JSON, those of our answer. */
const app = new Hono<{ Bindings: { HEADERS: string } }>();

const DOCUMENT = {
  success: true,
  data: {
    user: {
      id: "0198f3c2-0000-7000-8000-000000000001",
      name: "Ada",
      email: "ada@example.com",
      role: "admin",
      isOperator: false,
    },
    team: { id: "0198f3c2-0000-7000-8000-000000000002", name: "Demo" },
    key: { id: "0198f3c2-0000-7000-8000-000000000003" },
    rights: ["query", "catalog:read", "integrations:read", "integrations:write", "team:manage"],
  },
  meta: { requestId: "0198f3c2-0000-7000-8000-000000000004", durationMs: 0.1 },
};

app.get("/json", (c) => c.json(DOCUMENT));

let headers: [string, string][] | undefined;

app.get("/json-with-headers", (c) => {
  for (const [name, value] of (headers ??= JSON.parse(c.env.HEADERS) as [string, string][])) c.header(name, value);
  return c.json(DOCUMENT);
});

export default app;
