// The yardstick: a bare Hono route that answers a document about as large as ours.

import { Hono } from "hono";

const app = new Hono();

app.get("/json", (c) =>
  c.json({
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
  }),
);

export default app;
