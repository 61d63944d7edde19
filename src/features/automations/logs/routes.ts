// /v4/automations/jobs/{job_id}/runs/{run_id}: attempts, and what they have said.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../core/limits.ts";
import { Problem } from "../../../core/problem.ts";
import { enveloped, envelope, fails, pageOf } from "../../../http/answer.ts";
import { requestHeaders } from "../../../http/openapi/headers.ts";
import { operation } from "../../../http/operation.ts";
import { listParameter } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { LOG_LEVELS } from "../../../platform/logs/log-lines.ts";
import { AttemptPath, orderedPage, RunPath } from "../params.ts";
import { listAutomationAttempts } from "./list-attempts.ts";
import { AutomationAttempt, AutomationLogEntry } from "../runs/wire-schema.ts";
import { followAutomationRun } from "./follow.ts";
import { listAutomationLogs } from "./list.ts";

export const automationLogs = createRouter();

const TAGS = ["Automations"];

automationLogs.openapi(
  operation({
    method: "get",
    path: "/{job_id}/runs/{run_id}/attempts",
    operationId: "listAutomationAttempts",
    summary: "List a run's attempts",
    description: "Newest first. One that found no room was none, and is not listed.",
    tags: TAGS,
    permission: "jobs:read",
    request: { params: RunPath, query: z.strictObject(orderedPage(false)) },
    responses: {
      200: enveloped("A page of attempts", pageOf("AutomationAttemptPage", AutomationAttempt)),
      ...fails("resource_not_found"),
    },
  }),
  async (c) => {
    const { job_id: jobId, run_id: runId } = c.req.valid("param");
    const { orderedBy: _, ...page } = c.req.valid("query");
    return c.json(envelope(c, await listAutomationAttempts(c.get("ctx"), { jobId, runId }, page)), 200);
  },
);

automationLogs.openapi(
  operation({
    method: "get",
    path: "/{job_id}/runs/{run_id}/attempts/{attempt_id}/logs",
    operationId: "listAutomationLogs",
    summary: "Read what an attempt has said",
    description:
      "Oldest first, live while it runs: the platform's lines, the engine's, and what a doc's datasets print, which is " +
      `for the job's owner and for admins. Lines are kept for ${LIMITS.logKeptMs / 86_400_000} days.`,
    tags: TAGS,
    permission: "jobs:read",
    request: {
      params: AttemptPath,
      query: z.strictObject({
        ...orderedPage(true),
        level: listParameter(z.enum(LOG_LEVELS)).openapi({ description: "Only these; repeat the parameter." }),
      }),
    },
    responses: {
      200: enveloped("A page of lines", pageOf("AutomationLogPage", AutomationLogEntry)),
      ...fails("resource_not_found"),
    },
  }),
  async (c) => {
    const { job_id: jobId, run_id: runId, attempt_id: attemptId } = c.req.valid("param");
    const { orderedBy: _, level: levels, ...page } = c.req.valid("query");
    const lines = await listAutomationLogs(c.get("ctx"), { jobId, runId, attemptId }, { ...page, levels });
    return c.json(envelope(c, lines), 200);
  },
);

automationLogs.openapi(
  operation({
    method: "get",
    path: "/{job_id}/runs/{run_id}/logs",
    operationId: "followAutomationRun",
    summary: "Follow what a run says",
    description:
      "Server-sent events: `log` for each line of all attempts, with its offset as the id, and `end` with the run's " +
      `state. A connection lasts ${LIMITS.logFollowMs / 1_000} seconds; come again with \`Last-Event-ID\`, as an ` +
      "EventSource does by itself, and go on where it left off. 204: it has ended, and all has been seen.",
    ...requestHeaders({ "Last-Event-ID": "The offset of the last line that was seen." }),
    tags: [...TAGS, "Extensions"],
    permission: "jobs:read",
    request: { params: RunPath },
    responses: {
      200: { description: "The events", content: { "text/event-stream": { schema: z.string() } } },
      204: { description: "The run has ended, and there is nothing more" },
      ...fails("resource_not_found"),
    },
  }),
  async (c) => {
    const { job_id: jobId, run_id: runId } = c.req.valid("param");
    const events = await followAutomationRun(c.get("ctx"), { jobId, runId }, lastSeenIn(c.req.header("last-event-id")));
    if (!events) return c.body(null, 204);
    return c.body(events, 200, { "content-type": "text/event-stream; charset=utf-8" });
  },
);

function lastSeenIn(header: string | undefined): number | undefined {
  if (header === undefined || header === "") return undefined;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  const message = "Last-Event-ID takes the offset of a line.";
  throw new Problem("validation_failed", message, [{ pointer: "/header/Last-Event-ID", message }]);
}
