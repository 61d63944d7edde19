// /v4/automations/jobs/{job_id}: what becomes of a job when it is run.

import { z } from "@hono/zod-openapi";
import { WORK_LIMITS } from "../../work-model/limits.ts";
import { enveloped, pageOf } from "../../../http/answer.ts";
import { requireBody } from "../../../http/request/body.ts";
import { booleanParameter, listParameter } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { JobPath, orderedPage, RunPath } from "../params.ts";
import { cancelAutomationRun } from "./cancel.ts";
import { getAutomationRun } from "./get.ts";
import { listAutomationRuns } from "./list.ts";
import { processAutomationJob, RunJobRequest } from "./process.ts";
import { replayAutomationRun } from "./replay.ts";
import { AutomationRun, ProcessedRun, RUN_STATES } from "./wire-schema.ts";

const TAGS = ["Automations"];
export const automationRuns = createRouter([...TAGS, "Extensions"]);

automationRuns.operation("processAutomationJob", "POST /{job_id}/process", {
  permission: "jobs:write",
  audit: "automation_job.process",
  summary: "Run a job now",
  description:
    "Also one whose schedule is disabled, with its owner's rights. Answers the new run, or, where the job's overlap " +
    "is `skip` and a run is in progress, that one. With `dryRun` all of it is checked, `plan` says what would run, " +
    "and nothing is kept.",
  tags: TAGS,
  middleware: [requireBody],
  params: JobPath,
  query: z.strictObject({ dryRun: booleanParameter(false) }),
  body: RunJobRequest,
  answer: enveloped("The run", ProcessedRun),
  fails: ["resource_conflict", "work_in_progress"],
  run: (ctx, { params, query, body }) =>
    processAutomationJob(ctx, params.job_id, { ...body, ...query, waitUntil: ctx.waitUntil }),
});

automationRuns.operation("listAutomationRuns", "GET /{job_id}/runs", {
  permission: "jobs:read",
  summary: "List a job's runs",
  description: `Newest first. Runs are kept for ${WORK_LIMITS.keptMs / 86_400_000} days after their end.`,
  tags: TAGS,
  params: JobPath,
  query: z.strictObject({
    ...orderedPage(false),
    state: listParameter(z.enum(RUN_STATES)).openapi({ description: "Only these; repeat the parameter." }),
    createdFrom: z.iso.datetime({ offset: true }).optional().openapi({ description: "At this instant or later." }),
    createdBefore: z.iso.datetime({ offset: true }).optional(),
  }),
  answer: enveloped("A page of runs", pageOf("AutomationRunPage", AutomationRun)),
  run: (ctx, { params, query }) =>
    listAutomationRuns(
      ctx,
      params.job_id,
      { states: query.state, createdFrom: instantOf(query.createdFrom), createdBefore: instantOf(query.createdBefore) },
      { limit: query.limit, offset: query.offset, ascending: query.ascending },
    ),
});

/** In the form in which instants are kept, so that they compare as text. */
const instantOf = (text: string | undefined): string | undefined => text && new Date(text).toISOString();

automationRuns.operation("getAutomationRun", "GET /{job_id}/runs/{run_id}", {
  permission: "jobs:read",
  summary: "Get a run",
  description: "Live while it runs; of a maintenance step by step and table by table.",
  params: RunPath,
  answer: enveloped("The run", AutomationRun),
  run: (ctx, { params }) => getAutomationRun(ctx, params.job_id, params.run_id),
});

automationRuns.operation("cancelAutomationRun", "POST /{job_id}/runs/{run_id}/cancel", {
  permission: "jobs:write",
  audit: "automation_run.cancel",
  summary: "Cancel a run",
  description: "Answers at once; the run is over when its state says so.",
  params: RunPath,
  answer: enveloped("The run", AutomationRun, 202),
  fails: ["resource_conflict"],
  run: (ctx, { params }) => cancelAutomationRun(ctx, params.job_id, params.run_id),
});

automationRuns.operation("replayAutomationRun", "POST /{job_id}/runs/{run_id}/replay", {
  permission: "jobs:write",
  audit: "automation_run.replay",
  summary: "Run again what a run ran",
  description:
    "A new run of the same datasets, or maintenance, as the doc and the job are now. Of a run that has ended; 409 " +
    "while another is in progress that it may not wait for.",
  params: RunPath,
  answer: enveloped("The new run", AutomationRun, 202),
  fails: ["resource_conflict", "work_in_progress"],
  run: (ctx, { params }) => replayAutomationRun(ctx, params.job_id, params.run_id, ctx.waitUntil),
});
