// /v1/query

import { z } from "@hono/zod-openapi";
import { CONTENT_TYPES } from "../../../kernel/wire/engine-program.ts";
import { QUERY_LIMITS } from "./limits.ts";
import { LIMITS } from "../../core/limits.ts";
import { ASYNC_QUERY_LIMITS } from "./async/limits.ts";
import { describeHeaders, nothing, plain, succeeded } from "../../http/answer.ts";
import type { CallContext } from "../../http/call.ts";
import { readPreference } from "../../http/request/prefer.ts";
import { createRouter } from "../../http/router.ts";
import { RunningQuery, secondsToAskAgain, showRunning } from "./async/async-query.ts";
import { getQuery, openQuery, type QueryState } from "./async/get.ts";
import { cancelQuery } from "./cancel.ts";
import { estimateQuery } from "./estimate/estimate.ts";
import { chooseFormat } from "./format.ts";
import { QueryEstimate } from "./estimate/query-estimate.ts";
import { NewQuery } from "./query.ts";
import { NUMBERS, RESULT, RESULT_HEADERS } from "./result-declaration.ts";
import { rejectWithFigures, runQuery, runQueryAsync } from "./run.ts";

export const query = createRouter(["Query", "Extensions"]);

const description = `Runs one statement and streams its result, in the format \`Accept\` asks for:
JSON (the default), CSV, NDJSON, an Arrow stream or a Parquet file. JSON ends at ${QUERY_LIMITS.rowsMax} rows or ${QUERY_LIMITS.bytesMax} bytes of rows and then says
\`truncated\`; the other formats are not cut. When something fails after the first rows are out, a JSON document ends with
\`"success": false\`, and in every other format the connection breaks off. The deadline is ${LIMITS.queryDeadlineMsDefault} ms unless \`timeout_ms\` says
otherwise, ${LIMITS.queryDeadlineMsMax} ms at most. \`X-Request-Id\` names the statement; \`DELETE /v1/query/{request_id}\` cancels it.

Connected databases are only read. On the lake, whoever has the right \`lake:write\` may also \`CREATE\`, \`DROP\` and \`ALTER\` tables and schemas, \`COMMENT ON\` tables and columns,
and \`INSERT\`, \`UPDATE\`, \`DELETE\`, \`MERGE INTO\` and \`TRUNCATE\`: each statement is one atomic snapshot and answers \`count\`, how many rows it wrote. A table that a
sync owns, and a change that conflicts with another's, is 409. A request repeated under its \`X-Request-Id\` is not done twice, but answered 409 \`write_committed\`, and so is one that was
committed and whose answer was lost. While the first still runs, its repeat is answered 409 \`work_in_progress\`: the first may yet
write, so repeat it under the same id once more. Whatever else fails wrote nothing, but for \`write_outcome_unknown\`: send that again under its \`X-Request-Id\`.
\`FROM t AT (VERSION => n)\` and \`AT (TIMESTAMP => …)\` read earlier snapshots.

Integers of any width and decimals are JSON numbers with all their digits; \`numbers=string\` writes int64, wider integers and decimals as
strings, for clients whose numbers are doubles. NaN and infinities are strings.

With \`Prefer: respond-async\` the statement runs without its caller: the answer is 202 with a \`Location\` to ask for the result, which
is kept for ${ASYNC_QUERY_LIMITS.keptMs / 3_600_000} hours. \`Prefer: respond-async, wait=10\` waits for ten seconds first, ${ASYNC_QUERY_LIMITS.waitMsMax / 1_000} at most, and answers as without it where that is enough. Then the
deadline is ${LIMITS.queryDeadlineMsMax} ms unless \`timeout_ms\` says otherwise, and a result has at most ${ASYNC_QUERY_LIMITS.resultBytesMax} bytes in any format. A team may
have ${ASYNC_QUERY_LIMITS.runningMax} of them running (else 429).`;

const RUNNING = describeHeaders(
  { Location: "Where to ask for the result.", "Retry-After": "In how many seconds to ask." },
  plain("It runs", RunningQuery).document,
);

query.rawOperation("runQuery", "POST /", {
  permission: "query",
  audit: "none",
  summary: "Run a statement on the lake or a connected database, or a semantic query",
  description,
  tags: ["Query"],
  requestHeaders: {
    "X-Request-Id": "A UUID that names the statement, by which it can be cancelled and is not written twice.",
    Prefer: "`respond-async`: do not wait for the result; with `wait=N`, not longer than N seconds.",
  },
  query: z.strictObject({
    numbers: NUMBERS,
    raw: z.string().optional().openapi({ description: "Accepted for existing clients; results have no other form." }),
  }),
  body: NewQuery,
  responses: {
    200: describeHeaders(
      { "Preference-Applied": "`respond-async`, where that was asked for.", ...RESULT_HEADERS },
      RESULT,
    ),
    202: RUNNING,
  },
  fails: [
    "query_failed",
    "connection_failed",
    "source_unreachable",
    "source_unavailable",
    "heavy_engine_restricted",
    "resource_not_found",
    "not_acceptable",
    "query_timeout",
    "resource_conflict",
    "write_committed",
    "work_in_progress",
    "write_outcome_unknown",
    "query_cancelled",
    "engine_unavailable",
  ],
  async respond(ctx, { query, body }) {
    const { waitUntil, authenticateMs } = ctx;
    const { headers, signal } = ctx.request;
    const writing = { format: chooseFormat(headers.get("accept") ?? undefined), numbers: query.numbers };
    const preference = readPreference(headers.get("prefer"));
    if (!preference.isAsync)
      return runQuery(ctx, body, writing, { signal, waitUntil, isNamed: headers.has("x-request-id"), authenticateMs });
    const waitMs = Math.min(preference.waitMs, ASYNC_QUERY_LIMITS.waitMsMax);
    const sent = await runQueryAsync(ctx, body, writing, { waitMs, waitUntil });
    return answerState(ctx, openQuery(ctx, sent), { "Preference-Applied": "respond-async" });
  },
});

query.operation("estimateQuery", "POST /estimate", {
  permission: "query",
  audit: "none",
  reads: true,
  tags: ["Query", "Extensions"],
  summary: "Tell what a statement on the lake will read",
  description:
    "The files and bytes of each table that are left once the catalog has pruned by the statement's conditions, of how many. Takes " +
    "what `POST /v1/query` takes, and says in `refusal` how that would refuse a statement that reads before it runs; nothing runs, " +
    `and nothing is counted. Only SQL on the lake is estimated, within ${QUERY_LIMITS.estimateMs} ms or \`timeout_ms\`, if that is less.`,
  body: NewQuery,
  answer: succeeded("What it will read", QueryEstimate),
  fails: ["resource_not_found", "query_timeout", "engine_unavailable"],
  run: (ctx, { body }) => estimateQuery(ctx, body),
});

query.rawOperation("getQuery", "GET /{request_id}", {
  permission: "query",
  summary: "Get the result of a statement that was sent with `Prefer: respond-async`",
  description:
    "In the format that it was sent for; 202 while it runs, and how it failed with the failure's own status. For who sent it, " +
    "and for admins. 404 once it is forgotten; 403 where roles bind who asks otherwise than when it was sent.",
  params: z.object({ request_id: z.string() }),
  responses: { 200: RESULT, 202: RUNNING },
  fails: [
    "query_failed",
    "connection_failed",
    "source_unreachable",
    "source_unavailable",
    "query_timeout",
    "resource_conflict",
    "write_committed",
    "work_in_progress",
    "write_outcome_unknown",
    "query_cancelled",
    "engine_unavailable",
  ],
  respond: (ctx, { params }) => answerState(ctx, getQuery(ctx, params.request_id)),
});

async function answerState(ctx: CallContext, asking: Promise<QueryState>, applied: Record<string, string> = {}) {
  const state = await asking.catch((error: unknown) => rejectWithFigures(ctx, error));
  if (state.kind === "ended") {
    const headers = {
      "content-type": CONTENT_TYPES[state.query.format],
      "content-length": String(state.size),
      ...(state.query.engine === "trino" && { "fjord-engine": "trino" }),
    };
    return new Response(state.body, { status: 200, headers: { ...applied, ...headers } });
  }
  const headers = {
    ...applied,
    Location: `/v1/query/${state.query.id}`,
    "Retry-After": String(secondsToAskAgain(state.query, ctx.scope.now)),
  };
  return Response.json(showRunning(state.query), { status: 202, headers });
}

query.operation("cancelQuery", "DELETE /{request_id}", {
  permission: "query",
  audit: "none",
  summary: "Cancel a running statement",
  description:
    "At its source. The id is the `X-Request-Id` that was sent with the statement; one that has ended, is another " +
    "team's, or another user's of the team, is not found. Admins cancel any of their team's.",
  params: z.object({ request_id: z.string() }),
  answer: nothing("Cancelled"),
  fails: ["engine_unavailable", "work_in_progress", "write_outcome_unknown"],
  run: (ctx, { params }) => cancelQuery(ctx, params.request_id),
});
