// /v4/automations/jobs/{job_id}/runs/{run_id}: attempts, and what they have said.

import { z } from "@hono/zod-openapi";
import { LOG_LIMITS } from "../../../platform/logs/limits.ts";
import { AUTOMATION_LIMITS } from "../limits.ts";
import { invalidAt } from "../../../core/problem.ts";
import { enveloped, pageOf } from "../../../http/answer.ts";
import { listParameter } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { LOG_LEVELS } from "../../../platform/logs/log-lines.ts";
import { AttemptPath, orderedPage, RunPath } from "../params.ts";
import { listAutomationAttempts } from "./list-attempts.ts";
import { AutomationAttempt, AutomationLogEntry } from "../runs/wire-schema.ts";
import { followAutomationRun } from "./follow.ts";
import { listAutomationLogs } from "./list.ts";

const TAGS = ["Automations"];

export const automationLogs = createRouter(TAGS);

automationLogs.operation("listAutomationAttempts", "GET /{job_id}/runs/{run_id}/attempts", {
  permission: "jobs:read",
  summary: "List a run's attempts",
  description: "Newest first. One that found no room was none, and is not listed.",
  params: RunPath,
  query: z.strictObject(orderedPage(false)),
  answer: enveloped("A page of attempts", pageOf("AutomationAttemptPage", AutomationAttempt)),
  run: (ctx, { params, query }) => {
    const { orderedBy: _, ...page } = query;
    return listAutomationAttempts(ctx, { jobId: params.job_id, runId: params.run_id }, page);
  },
});

automationLogs.operation("listAutomationLogs", "GET /{job_id}/runs/{run_id}/attempts/{attempt_id}/logs", {
  permission: "jobs:read",
  summary: "Read what an attempt has said",
  description:
    "Oldest first, live while it runs: the platform's lines, the engine's, and what a doc's datasets print, which is " +
    `for the job's owner and for admins. Lines are kept for ${LOG_LIMITS.keptMs / 86_400_000} days.`,
  params: AttemptPath,
  query: z.strictObject({
    ...orderedPage(true),
    level: listParameter(z.enum(LOG_LEVELS)).openapi({ description: "Only these; repeat the parameter." }),
  }),
  answer: enveloped("A page of lines", pageOf("AutomationLogPage", AutomationLogEntry)),
  run: (ctx, { params, query }) => {
    const { orderedBy: _, level: levels, ...page } = query;
    return listAutomationLogs(
      ctx,
      { jobId: params.job_id, runId: params.run_id, attemptId: params.attempt_id },
      { ...page, levels },
    );
  },
});

automationLogs.rawOperation("followAutomationRun", "GET /{job_id}/runs/{run_id}/logs", {
  permission: "jobs:read",
  summary: "Follow what a run says",
  description:
    "Server-sent events: `log` for each line of all attempts, with its offset as the id, and `end` with the run's " +
    `state. A connection lasts ${AUTOMATION_LIMITS.logFollowMs / 1_000} seconds; come again with \`Last-Event-ID\`, as an ` +
    "EventSource does by itself, and go on where it left off. 204: it has ended, and all has been seen.",
  tags: [...TAGS, "Extensions"],
  requestHeaders: { "Last-Event-ID": "The offset of the last line that was seen." },
  params: RunPath,
  responses: {
    200: { description: "The events", content: { "text/event-stream": { schema: z.string() } } },
    204: { description: "The run has ended, and there is nothing more" },
  },
  async respond(ctx, { params }) {
    const lastSeen = lastSeenIn(ctx.request.headers.get("last-event-id") ?? undefined);
    const events = await followAutomationRun(ctx, { jobId: params.job_id, runId: params.run_id }, lastSeen);
    if (!events) return new Response(null, { status: 204 });
    return new Response(events, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
  },
});

function lastSeenIn(header: string | undefined): number | undefined {
  if (header === undefined || header === "") return undefined;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  const message = "Last-Event-ID takes the offset of a line.";
  throw invalidAt("/header/Last-Event-ID", message);
}
