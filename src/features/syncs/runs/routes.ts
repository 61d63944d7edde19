// /v1/api/integrations/{integration_id}/syncs: the runs of an integration's syncs.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../core/limits.ts";
import { answers, BODY_FAILURES, fails, json } from "../../../http/answer.ts";
import { operation } from "../../../http/operation.ts";
import { booleanParameter, pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { LOG_LEVELS } from "../../../platform/logs/log-lines.ts";
import { cancelSyncRun } from "./cancel.ts";
import { getSyncRun } from "./get.ts";
import { listSyncRunLogs } from "./list-logs.ts";
import { listSyncRuns } from "./list.ts";
import { RUN_STATUSES, SyncRun, SyncRunDetail } from "./wire-schema.ts";
import { NewSyncRun, runSync } from "./run-now.ts";
import { AddressQuery, IntegrationPath, RunPath } from "../params.ts";

export const runs = createRouter();

const EXTENSION = ["Syncs", "Extensions"];
const ok = { success: z.literal(true) };
const DetailAnswer = z.object({ ...ok, run: SyncRunDetail }).openapi("FoundSyncRun");
const SyncRunPage = z.object({ ...ok, data: z.array(SyncRun) }).openapi("SyncRunPage");

runs.openapi(
  operation({
    method: "get",
    path: "/{integration_id}/syncs",
    operationId: "listSyncRuns",
    summary: "List the runs of an integration's syncs",
    description:
      `Newest first. Runs are kept for ${LIMITS.workKeptMs / 86_400_000} days after their end, also those of a ` +
      "sync or an integration that was deleted.",
    tags: ["Syncs"],
    permission: "integrations:read",
    request: {
      params: IntegrationPath,
      query: z.strictObject({
        ...pageParameters({ limitMax: 100, limitDefault: 50 }),
        desc: booleanParameter(true).openapi({ description: "Newest first." }),
        status: z.enum(RUN_STATUSES).optional(),
      }),
    },
    responses: { 200: answers("The runs", SyncRunPage), ...fails("resource_not_found") },
  }),
  async (c) =>
    c.json(
      {
        success: true as const,
        data: await listSyncRuns(c.get("ctx"), c.req.valid("param").integration_id, c.req.valid("query")),
      },
      200,
    ),
);

runs.openapi(
  operation({
    method: "post",
    path: "/{integration_id}/syncs/run",
    operationId: "runSync",
    summary: "Run a sync now",
    description:
      "Answers at once. A sync runs once at a time: where a run of it has not ended and brings what is " +
      "asked for, that one is answered. " +
      "Otherwise, where `full` or other `tables` are asked for, or the run was cancelled, a new one is queued " +
      "behind it: `waits_for` names the run whose end it waits for. " +
      `At most ${LIMITS.syncRunsWaitingMax} wait. 426 where the month's seconds of runs, or rows synced, of the plan are ` +
      "used up, as far as runs have ended; a run that a schedule begins then fails with the same reason.",
    tags: EXTENSION,
    permission: "integrations:write",
    request: { params: IntegrationPath, query: AddressQuery, body: { required: false, ...json(NewSyncRun) } },
    responses: {
      202: answers(
        "The run",
        z.object({ ...ok, run_id: z.uuid(), waits_for: z.uuid().nullable() }).openapi("StartedSyncRun"),
      ),
      ...fails("resource_not_found", "resource_conflict", "work_in_progress", ...BODY_FAILURES),
    },
  }),
  async (c) => {
    const run = await runSync(
      c.get("ctx"),
      c.req.valid("param").integration_id,
      c.req.valid("query"),
      c.req.valid("json"),
    );
    return c.json({ success: true as const, ...run }, 202);
  },
);

runs.openapi(
  operation({
    method: "get",
    path: "/{integration_id}/syncs/{run_id}",
    operationId: "getSyncRun",
    summary: "Get a run, table by table",
    description: "Live while it runs: each table's phase, rows and bytes, and in `notes` what should be known of it.",
    tags: EXTENSION,
    permission: "integrations:read",
    request: { params: RunPath },
    responses: { 200: answers("The run", DetailAnswer), ...fails("resource_not_found") },
  }),
  async (c) => {
    const { integration_id: integrationId, run_id: runId } = c.req.valid("param");
    return c.json({ success: true as const, run: await getSyncRun(c.get("ctx"), integrationId, runId) }, 200);
  },
);

const LogLineDocument = z
  .object({
    offset: z.number().int().openapi({ description: "Counts the run's lines from 0." }),
    at: z.iso.datetime(),
    level: z.enum(LOG_LEVELS),
    attempt: z.number().int().openapi({ description: "The try that said it, from 1." }),
    message: z.string(),
  })
  .openapi("LogLine");

const LogLinePage = z
  .object({
    ...ok,
    data: z.array(LogLineDocument),
    total: z.number().int().openapi({ description: "All lines the run has had." }),
    limit: z.number().int(),
    offset: z.number().int(),
  })
  .openapi("LogLinePage");

runs.openapi(
  operation({
    method: "get",
    path: "/{integration_id}/syncs/{run_id}/logs",
    operationId: "listSyncRunLogs",
    summary: "Read what a run has said",
    description:
      `Oldest first, over all its attempts. Lines are kept for ${LIMITS.logKeptMs / 86_400_000} days, as long as ` +
      `those of the team fit into ${LIMITS.logBytesMax / 1024 / 1024} MiB.`,
    tags: EXTENSION,
    permission: "integrations:read",
    request: {
      params: RunPath,
      query: z.strictObject(pageParameters({ limitMax: LIMITS.logLinesPerPageMax, limitDefault: 100 })),
    },
    responses: { 200: answers("The lines", LogLinePage), ...fails("resource_not_found") },
  }),
  async (c) => {
    const { integration_id: integrationId, run_id: runId } = c.req.valid("param");
    const page = c.req.valid("query");
    const { lines, total } = await listSyncRunLogs(c.get("ctx"), integrationId, runId, page);
    return c.json({ success: true as const, data: lines, total, ...page }, 200);
  },
);

runs.openapi(
  operation({
    method: "post",
    path: "/{integration_id}/syncs/{run_id}/cancel",
    operationId: "cancelSyncRun",
    summary: "Cancel a run",
    description:
      "Answers at once; the run is over when its state says so. What it had committed before stays in the lake.",
    tags: EXTENSION,
    permission: "integrations:write",
    request: { params: RunPath },
    responses: { 202: answers("The run", DetailAnswer), ...fails("resource_not_found", "resource_conflict") },
  }),
  async (c) => {
    const { integration_id: integrationId, run_id: runId } = c.req.valid("param");
    return c.json({ success: true as const, run: await cancelSyncRun(c.get("ctx"), integrationId, runId) }, 202);
  },
);
