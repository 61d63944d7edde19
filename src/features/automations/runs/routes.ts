// /v4/automations/jobs/{job_id}: what becomes of a job when it is run.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../core/limits.ts";
import { BODY_FAILURES, enveloped, envelope, fails, json, pageOf } from "../../../http/answer.ts";
import { operation } from "../../../http/operation.ts";
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

export const automationRuns = createRouter();

const TAGS = ["Automations"];
const EXTENSION = [...TAGS, "Extensions"];

automationRuns.openapi(
  operation({
    method: "post",
    path: "/{job_id}/process",
    operationId: "processAutomationJob",
    summary: "Run a job now",
    description:
      "Also one whose schedule is disabled, with its owner's rights. Answers the new run, or, where the job's overlap " +
      "is `skip` and a run is in progress, that one. With `dryRun` all of it is checked, `plan` says what would run, " +
      "and nothing is kept.",
    tags: TAGS,
    permission: "jobs:write",
    middleware: [requireBody] as const,
    request: {
      params: JobPath,
      query: z.strictObject({ dryRun: booleanParameter(false) }),
      body: { required: true, ...json(RunJobRequest) },
    },
    responses: {
      200: enveloped("The run", ProcessedRun),
      ...fails("resource_not_found", "resource_conflict", "work_in_progress", ...BODY_FAILURES),
    },
  }),
  async (c) => {
    const run = await processAutomationJob(c.get("ctx"), c.req.valid("param").job_id, {
      ...c.req.valid("json"),
      ...c.req.valid("query"),
      waitUntil: (work) => c.executionCtx.waitUntil(work),
    });
    return c.json(envelope(c, run), 200);
  },
);

automationRuns.openapi(
  operation({
    method: "get",
    path: "/{job_id}/runs",
    operationId: "listAutomationRuns",
    summary: "List a job's runs",
    description: `Newest first. Runs are kept for ${LIMITS.workKeptMs / 86_400_000} days after their end.`,
    tags: TAGS,
    permission: "jobs:read",
    request: {
      params: JobPath,
      query: z.strictObject({
        ...orderedPage(false),
        state: listParameter(z.enum(RUN_STATES)).openapi({ description: "Only these; repeat the parameter." }),
        createdFrom: z.iso.datetime({ offset: true }).optional().openapi({ description: "At this instant or later." }),
        createdBefore: z.iso.datetime({ offset: true }).optional(),
      }),
    },
    responses: {
      200: enveloped("A page of runs", pageOf("AutomationRunPage", AutomationRun)),
      ...fails("resource_not_found"),
    },
  }),
  async (c) => {
    const { limit, offset, ascending, state, createdFrom, createdBefore } = c.req.valid("query");
    const runs = await listAutomationRuns(
      c.get("ctx"),
      c.req.valid("param").job_id,
      { states: state, createdFrom: instantOf(createdFrom), createdBefore: instantOf(createdBefore) },
      { limit, offset, ascending },
    );
    return c.json(envelope(c, runs), 200);
  },
);

/** In the form in which instants are kept, so that they compare as text. */
const instantOf = (text: string | undefined): string | undefined => text && new Date(text).toISOString();

automationRuns.openapi(
  operation({
    method: "get",
    path: "/{job_id}/runs/{run_id}",
    operationId: "getAutomationRun",
    summary: "Get a run",
    description: "Live while it runs; of a maintenance step by step and table by table.",
    tags: EXTENSION,
    permission: "jobs:read",
    request: { params: RunPath },
    responses: { 200: enveloped("The run", AutomationRun), ...fails("resource_not_found") },
  }),
  async (c) => {
    const { job_id: jobId, run_id: runId } = c.req.valid("param");
    return c.json(envelope(c, await getAutomationRun(c.get("ctx"), jobId, runId)), 200);
  },
);

automationRuns.openapi(
  operation({
    method: "post",
    path: "/{job_id}/runs/{run_id}/cancel",
    operationId: "cancelAutomationRun",
    summary: "Cancel a run",
    description: "Answers at once; the run is over when its state says so.",
    tags: EXTENSION,
    permission: "jobs:write",
    request: { params: RunPath },
    responses: { 202: enveloped("The run", AutomationRun), ...fails("resource_not_found", "resource_conflict") },
  }),
  async (c) => {
    const { job_id: jobId, run_id: runId } = c.req.valid("param");
    return c.json(envelope(c, await cancelAutomationRun(c.get("ctx"), jobId, runId)), 202);
  },
);

automationRuns.openapi(
  operation({
    method: "post",
    path: "/{job_id}/runs/{run_id}/replay",
    operationId: "replayAutomationRun",
    summary: "Run again what a run ran",
    description:
      "A new run of the same datasets, or maintenance, as the doc and the job are now. Of a run that has ended; 409 " +
      "while another is in progress that it may not wait for.",
    tags: EXTENSION,
    permission: "jobs:write",
    request: { params: RunPath },
    responses: {
      202: enveloped("The new run", AutomationRun),
      ...fails("resource_not_found", "resource_conflict", "work_in_progress"),
    },
  }),
  async (c) => {
    const { job_id: jobId, run_id: runId } = c.req.valid("param");
    const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
    return c.json(envelope(c, await replayAutomationRun(c.get("ctx"), jobId, runId, waitUntil)), 202);
  },
);
