// /mcp: the door of agents, which speak the Model Context Protocol over HTTP.

import { z } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { Problem } from "../../core/problem.ts";
import { hostWithPort, isLoopback } from "../../core/public-url.ts";
import { clientsOf, type AppEnv } from "../../http/app-env.ts";
import type { Operation } from "../../http/operation.ts";
import { textParameter } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { challengeOf } from "../teams/agents/oauth-routes.ts";
import { OperationCalls } from "./operation-calls.ts";
import { serveTools } from "./serve.ts";
import { TOOL_GROUPS } from "./tool.ts";
import { chooseTools, TOOLS } from "./tools.ts";

const TAGS = ["Agents", "Extensions"];
const NAMES_CHARACTERS_MAX = 500;

/** Read by the protocol's library, which says in the protocol's own words what is wrong with it. */
const MESSAGE = { schema: { type: "object" as const }, example: { jsonrpc: "2.0", id: 1, method: "tools/list" } };

/** `operations`: all that there are; each tool names those that it calls. */
export function createMcpRoutes(operations: readonly Operation[]) {
  const router = createRouter(TAGS, "mcp");
  const byId = new Map(operations.map((operation) => [operation.id, operation]));

  router.rawOperation("callMcp", "POST /", {
    permission: "any_key",
    // Each operation that a tool calls records what it does.
    audit: "none",
    summary: "Speak the Model Context Protocol",
    description:
      "One message of a client, by streamable HTTP without sessions, in the protocol's version of 2026-07-28 and those of " +
      `2025. The tools are ${TOOLS.map(({ name }) => `\`${name}\``).join(", ")}: each is listed for a key that has the rights of ` +
      "what it calls. It takes API keys and agents' own tokens, and no session of a browser; a page of another origin is refused (403).",
    query: z.strictObject({
      read_only: z
        .enum(["0", "1", "false", "true"])
        .default("0")
        .transform((text) => text === "1" || text === "true")
        .openapi({ description: "1: only tools that change nothing." }),
      tools: textParameter({ min: 1, max: NAMES_CHARACTERS_MAX })
        .optional()
        .openapi({ description: `Only these, by name or group (${TOOL_GROUPS.join(", ")}), with commas between.` }),
    }),
    rawBody: { required: true, content: { "application/json": MESSAGE } },
    middleware: [refuseOtherOrigins],
    responses: {
      200: {
        description: "The answer",
        content: { "application/json": MESSAGE, "text/event-stream": { schema: { type: "string" as const } } },
      },
      202: { description: "A notification, which has no answer" },
    },
    fails: ["invalid_request", "resource_not_found", "not_acceptable"],
    respond(ctx, { query: { read_only: readOnly, tools } }) {
      const calls = new OperationCalls(ctx, byId);
      const names = tools?.split(",").map((name) => name.trim());
      return serveTools(calls, chooseTools(calls, { readOnly, names }));
    },
  });

  return router;
}

/** Who is refused for want of a key or a token learns where a token is given. */
export const challengeAgents = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.res.status === 401) c.res.headers.set("WWW-Authenticate", challengeOf(c.req.raw));
});

/**
 * A page that a browser shows may call from the platform's own origin alone. The name that a request came by is no
 * proof of it, since anybody's name can be made to lead here; a name of this machine can't.
 */
const refuseOtherOrigins = createMiddleware<AppEnv>(async (c, next) => {
  const origin = c.req.header("origin");
  const url = new URL(c.req.url);
  const own = [...clientsOf(c).settings.ownHosts, ...(isLoopback(url) ? [hostWithPort(url)] : [])];
  if (origin !== undefined && !(URL.canParse(origin) && own.includes(hostWithPort(new URL(origin)))))
    throw new Problem("forbidden_insufficient_permissions", "Pages of another origin may not call this.");
  await next();
});
