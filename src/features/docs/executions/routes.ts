// /v4/executions: one dataset of one run.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../core/limits.ts";
import { enveloped, envelope, fails, pageOf } from "../../../http/answer.ts";
import { operation } from "../../../http/operation.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { ExecutionPath } from "../params.ts";
import { ExecutionDetail } from "./execution.ts";
import { getExecution } from "./get.ts";
import { ExecutionLogLine, listExecutionLogs } from "./list-logs.ts";

export const executions = createRouter();

const TAGS = ["Docs", "Extensions"];

executions.openapi(
  operation({
    method: "get",
    path: "/{execution_id}",
    operationId: "getExecution",
    summary: "Get how one dataset went, and its result",
    description:
      "Its state; and its duration, its memory, a URL of its result, and the traceback for who started the run, as long " +
      "as they may read the same, and for admins.",
    tags: TAGS,
    permission: "docs:read",
    request: { params: ExecutionPath },
    responses: { 200: enveloped("The execution", ExecutionDetail), ...fails("resource_not_found") },
  }),
  async (c) => c.json(envelope(c, await getExecution(c.get("ctx"), c.req.valid("param").execution_id)), 200),
);

executions.openapi(
  operation({
    method: "get",
    path: "/{execution_id}/logs",
    operationId: "listExecutionLogs",
    summary: "Read what a dataset has printed",
    description:
      "Oldest first, live while it runs; for who started the run, as long as they may read the same, and for admins. " +
      "Lines are kept for " +
      `${LIMITS.logKeptMs / 86_400_000} days.`,
    tags: TAGS,
    permission: "docs:read",
    request: {
      params: ExecutionPath,
      query: z.strictObject(pageParameters({ limitMax: LIMITS.logLinesPerPageMax, limitDefault: 100 })),
    },
    responses: {
      200: enveloped("A page of lines", pageOf("ExecutionLogPage", ExecutionLogLine)),
      ...fails("resource_not_found"),
    },
  }),
  async (c) =>
    c.json(
      envelope(c, await listExecutionLogs(c.get("ctx"), c.req.valid("param").execution_id, c.req.valid("query"))),
      200,
    ),
);
