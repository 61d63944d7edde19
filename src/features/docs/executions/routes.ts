// /v4/executions: one dataset of one run.

import { z } from "@hono/zod-openapi";
import { LOG_LIMITS } from "../../../platform/logs/limits.ts";
import { enveloped, pageOf } from "../../../http/answer.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { ExecutionPath } from "../params.ts";
import { ExecutionDetail } from "./execution.ts";
import { getExecution } from "./get.ts";
import { ExecutionLogLine, listExecutionLogs } from "./list-logs.ts";

export const executions = createRouter(["Docs", "Extensions"]);

executions.operation("getExecution", "GET /{execution_id}", {
  permission: "docs:read",
  summary: "Get how one dataset went, and its result",
  description:
    "Its state; and its duration, its memory, a URL of its result, and the traceback for who started the run, as long " +
    "as they may read the same, and for admins.",
  params: ExecutionPath,
  answer: enveloped("The execution", ExecutionDetail),
  run: (ctx, { params }) => getExecution(ctx, params.execution_id),
});

executions.operation("listExecutionLogs", "GET /{execution_id}/logs", {
  permission: "docs:read",
  summary: "Read what a dataset has printed",
  description:
    "Oldest first, live while it runs; for who started the run, as long as they may read the same, and for admins. " +
    "Lines are kept for " +
    `${LOG_LIMITS.keptMs / 86_400_000} days.`,
  params: ExecutionPath,
  query: z.strictObject(pageParameters({ limitMax: LOG_LIMITS.linesPerPageMax, limitDefault: 100 })),
  answer: enveloped("A page of lines", pageOf("ExecutionLogPage", ExecutionLogLine)),
  run: (ctx, { params, query }) => listExecutionLogs(ctx, params.execution_id, query),
});
