// /v1/query

import { createRoute, z } from "@hono/zod-openapi";
import { LIMITS } from "../../core/limits.ts";
import { BODY_FAILURES, fails, json } from "../../http/answer.ts";
import { requestHeaders } from "../../http/openapi/headers.ts";
import { permit } from "../../http/permit.ts";
import { createRouter } from "../../http/router.ts";
import { cancelQuery } from "./cancel.ts";
import { chooseFormat, MEDIA_TYPES } from "./format.ts";
import { NewQuery, QueryResult } from "./query.ts";
import { runQuery } from "./run.ts";

export const query = createRouter();

const description = `Runs one statement and streams its result, in the format \`Accept\` asks for:
JSON (the default), CSV, NDJSON or an Arrow stream. JSON ends at ${LIMITS.queryRowsMax} rows or ${LIMITS.queryBytesMax} bytes of rows and then says
\`truncated\`; the other formats are not cut. When something fails after the first rows are out, a JSON document ends with
\`"success": false\`, and in every other format the connection breaks off. The deadline is ${LIMITS.queryDeadlineMsDefault} ms unless \`timeout_ms\` says
otherwise, ${LIMITS.queryDeadlineMsMax} ms at most. \`X-Request-Id\` names the statement; \`DELETE /v1/query/{request_id}\` cancels it.

Connected databases are only read. On the lake, whoever has the right \`lake:write\` may also \`CREATE\`, \`DROP\` and \`ALTER\` tables and schemas, \`COMMENT ON\` tables and columns,
and \`INSERT\`, \`UPDATE\`, \`DELETE\`, \`MERGE INTO\` and \`TRUNCATE\`: each statement is one atomic snapshot and answers \`count\`, how many rows it wrote. A table that a
sync owns, and a change that conflicts with another's, is 409. A request repeated under its \`X-Request-Id\` is not done twice, but refused with 409.
\`FROM t AT (VERSION => n)\` and \`AT (TIMESTAMP => …)\` read earlier snapshots.

Integers of any width and decimals are JSON numbers with all their digits; \`numbers=string\` writes int64, wider integers and decimals as
strings, for clients whose numbers are doubles. NaN and infinities are strings.`;

const BINARY = { schema: { type: "string" as const, format: "binary" } };

query.openapi(
  createRoute({
    method: "post",
    path: "/",
    operationId: "runQuery",
    summary: "Run a statement on the lake or a connected database",
    description,
    ...requestHeaders({
      "X-Request-Id": "A UUID that names the statement, by which it can be cancelled and is not written twice.",
    }),
    tags: ["Query"],
    middleware: [permit("query")] as const,
    request: {
      query: z.strictObject({
        numbers: z.enum(["exact", "string"]).default("exact"),
        raw: z
          .string()
          .optional()
          .openapi({ description: "Accepted for existing clients; SQL results have no other form." }),
      }),
      body: { required: true, ...json(NewQuery) },
    },
    responses: {
      200: {
        description: "The result",
        content: {
          [MEDIA_TYPES.json]: { schema: QueryResult },
          [MEDIA_TYPES.csv]: BINARY,
          [MEDIA_TYPES.ndjson]: BINARY,
          [MEDIA_TYPES.arrow]: BINARY,
        },
      },
      ...fails(
        "query_failed",
        "connection_failed",
        "resource_not_found",
        "not_acceptable",
        "query_timeout",
        "resource_conflict",
        "query_cancelled",
        "engine_unavailable",
        ...BODY_FAILURES,
      ),
    },
  }),
  async (c) => {
    const format = chooseFormat(c.req.header("accept"));
    const life = { signal: c.req.raw.signal, waitUntil: (work: Promise<unknown>) => c.executionCtx.waitUntil(work) };
    return runQuery(c.get("ctx"), c.req.valid("json"), { format, numbers: c.req.valid("query").numbers }, life);
  },
);

query.openapi(
  createRoute({
    method: "delete",
    path: "/{request_id}",
    operationId: "cancelQuery",
    summary: "Cancel a running statement",
    description:
      "At its source. The id is the `X-Request-Id` that was sent with the statement; one that has ended, is another " +
      "team's, or another user's of the team, is not found. Admins cancel any of their team's.",
    tags: ["Query", "Extensions"],
    middleware: [permit("query")] as const,
    request: { params: z.object({ request_id: z.string() }) },
    responses: { 204: { description: "Cancelled" }, ...fails("resource_not_found", "engine_unavailable") },
  }),
  async (c) => {
    await cancelQuery(c.get("ctx"), c.req.valid("param").request_id);
    return c.body(null, 204);
  },
);
