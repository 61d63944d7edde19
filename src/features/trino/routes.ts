// /v1/statement and /v1/info: Trino's HTTP protocol, for its clients as they are.

import { z } from "@hono/zod-openapi";
import { REQUEST_LIMITS } from "../../http/request/limits.ts";
import { Problem } from "../../core/problem.ts";
import { nothing, plain } from "../../http/answer.ts";
import { createRouter } from "../../http/router.ts";
import { cancelPage, getPage } from "./page.ts";
import { beginTrino } from "./statement.ts";

const TAGS = ["Trino's protocol", "Extensions"];

const Statement = z.string().min(1).max(REQUEST_LIMITS.sqlCharactersMax);

const STATEMENT = {
  "text/plain": { schema: { type: "string" as const }, example: "SELECT country, count(*) FROM customers GROUP BY 1" },
};

const TrinoAnswer = z
  .object({
    id: z.string(),
    infoUri: z.string(),
    nextUri: z.string().optional(),
    columns: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
    data: z.array(z.array(z.unknown())).optional(),
    stats: z.object({ state: z.string() }),
    error: z
      .object({ message: z.string(), errorCode: z.number().int(), errorName: z.string(), errorType: z.string() })
      .optional(),
    updateType: z.string().optional(),
    updateCount: z.number().int().optional().openapi({ description: "How many rows the statement has written." }),
    warnings: z.array(z.object({ message: z.string() })).optional(),
  })
  .openapi("TrinoAnswer", {
    description: "An answer of Trino's protocol. A failed statement has `error`, under status 200.",
  });

const PagePath = z.object({ page_token: z.string().openapi({ description: "As `nextUri` has it." }) });

export const trino = createRouter(TAGS);

trino.rawOperation("beginTrinoStatement", "POST /", {
  permission: "query",
  audit: "none",
  summary: "Run a statement of one of Trino's clients",
  description:
    "In Trino's SQL, on a lake. The answer comes soon, with the first rows where they are there by then, and says in `nextUri` where more are. What is not proven to mean the " +
    "same here as in Trino is refused at its place. One that writes begins when its first page is asked for. The key is the bearer's, or Basic's password; `X-Trino-User` changes nothing.",
  requestHeaders: {
    "X-Trino-Catalog": "`lake`, or a lake's id.",
    "X-Trino-Schema": "Where tables without a schema are.",
    "X-Trino-Time-Zone": "Of the present date; UTC when absent.",
    "X-Trino-Prepared-Statement": "Prepared statements, as `name=statement`, both URL-encoded.",
    "X-Trino-Client-Capabilities": "Without `PARAMETRIC_DATETIME` seconds have three digits.",
  },
  rawBody: { required: true, content: STATEMENT },
  responses: { 200: plain("How it stands", TrinoAnswer).document },
  fails: ["validation_failed"],
  respond: async (ctx) => {
    if (/^application\/json\b/i.test(ctx.request.headers.get("content-type") ?? ""))
      throw new Problem("unsupported_media_type", "Send the statement itself, as `Content-Type: text/plain`.");
    const text = Statement.safeParse(await ctx.request.text());
    return beginTrino(ctx, text.data ?? "");
  },
});

trino.rawOperation("getTrinoPage", "GET /executing/{page_token}", {
  permission: "query",
  summary: "Get the next rows of a statement of one of Trino's clients",
  description:
    "Or, after a second, that it still runs. A page may be fetched again. For who began the statement, with what they may read now.",
  params: PagePath,
  responses: { 200: plain("The rows", TrinoAnswer).document },
  fails: ["engine_unavailable"],
  respond: (ctx, { params }) => getPage(ctx, params.page_token),
});

trino.operation("cancelTrinoStatement", "DELETE /executing/{page_token}", {
  permission: "query",
  audit: "none",
  summary: "Cancel a statement of one of Trino's clients",
  description: "For who began it. One that has ended is left as it is.",
  params: PagePath,
  answer: nothing("Cancelled"),
  fails: ["engine_unavailable", "work_in_progress", "write_outcome_unknown"],
  run: (ctx, { params }) => cancelPage(ctx, params.page_token),
});

const TrinoInfo = z
  .object({
    nodeVersion: z.object({ version: z.string() }),
    environment: z.string(),
    coordinator: z.boolean(),
    starting: z.boolean(),
    uptime: z.string(),
  })
  .openapi("TrinoInfo");

export const trinoInfo = createRouter(TAGS);

trinoInfo.operation("getTrinoInfo", "GET /", {
  permission: "everybody",
  summary: "Tell Trino's clients which version's protocol is spoken",
  description: "For their check of a connection.",
  answer: plain("The version", TrinoInfo),
  fails: ["too_many_requests"],
  run: () => ({
    nodeVersion: { version: TRINO_VERSION },
    environment: "fjord",
    coordinator: true,
    starting: false,
    uptime: "1.00d",
  }),
});

/** The version of Trino whose answers are imitated. */
const TRINO_VERSION = "476";
