// /v1/api/integrations/{integration_id}/syncs: the runs of an integration's syncs.

import { z } from "@hono/zod-openapi";
import { WORK_LIMITS } from "../../work-model/limits.ts";
import { SYNC_LIMITS } from "../limits.ts";
import { LOG_LIMITS } from "../../../platform/logs/limits.ts";
import { succeeded } from "../../../http/answer.ts";
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

export const runs = createRouter(["Syncs", "Extensions"]);

const ok = { success: z.literal(true) };
const DetailAnswer = z.object({ ...ok, run: SyncRunDetail }).openapi("FoundSyncRun");
const SyncRunPage = z.object({ ...ok, data: z.array(SyncRun) }).openapi("SyncRunPage");

runs.operation("listSyncRuns", "GET /{integration_id}/syncs", {
  permission: "integrations:read",
  summary: "List the runs of an integration's syncs",
  description:
    `Newest first. Runs are kept for ${WORK_LIMITS.keptMs / 86_400_000} days after their end, also those of a ` +
    "sync or an integration that was deleted.",
  tags: ["Syncs"],
  params: IntegrationPath,
  query: z.strictObject({
    ...pageParameters({ limitMax: 100, limitDefault: 50 }),
    desc: booleanParameter(true).openapi({ description: "Newest first." }),
    status: z.enum(RUN_STATUSES).optional(),
  }),
  answer: succeeded("The runs", SyncRunPage),
  run: async (ctx, { params, query }) => ({ data: await listSyncRuns(ctx, params.integration_id, query) }),
});

runs.operation("runSync", "POST /{integration_id}/syncs/run", {
  permission: "integrations:write",
  audit: "sync.run",
  summary: "Run a sync now",
  description:
    "Answers at once. A sync runs once at a time: where a run of it has not ended and brings what is " +
    "asked for, that one is answered. " +
    "Otherwise, where `full` or other `tables` are asked for, or the run was cancelled, a new one is queued " +
    "behind it: `waits_for` names the run whose end it waits for. " +
    `At most ${SYNC_LIMITS.runsWaitingMax} wait. 426 where the month's seconds of runs, or rows synced, of the plan are ` +
    "used up, as far as runs have ended; a run that a schedule begins then fails with the same reason.",
  params: IntegrationPath,
  query: AddressQuery,
  optionalBody: NewSyncRun,
  answer: succeeded(
    "The run",
    z.object({ ...ok, run_id: z.uuid(), waits_for: z.uuid().nullable() }).openapi("StartedSyncRun"),
    202,
  ),
  fails: ["resource_conflict", "work_in_progress"],
  run: async (ctx, { params, query, body }) => {
    const run = await runSync(ctx, params.integration_id, query, body);
    return { ...run };
  },
});

runs.operation("getSyncRun", "GET /{integration_id}/syncs/{run_id}", {
  permission: "integrations:read",
  summary: "Get a run, table by table",
  description: "Live while it runs: each table's phase, rows and bytes, and in `notes` what should be known of it.",
  params: RunPath,
  answer: succeeded("The run", DetailAnswer),
  run: async (ctx, { params }) => ({ run: await getSyncRun(ctx, params.integration_id, params.run_id) }),
});

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

runs.operation("listSyncRunLogs", "GET /{integration_id}/syncs/{run_id}/logs", {
  permission: "integrations:read",
  summary: "Read what a run has said",
  description:
    `Oldest first, over all its attempts. Lines are kept for ${LOG_LIMITS.keptMs / 86_400_000} days, as long as ` +
    `those of the team fit into ${LOG_LIMITS.bytesMax / 1024 / 1024} MiB.`,
  params: RunPath,
  query: z.strictObject(pageParameters({ limitMax: LOG_LIMITS.linesPerPageMax, limitDefault: 100 })),
  answer: succeeded("The lines", LogLinePage),
  run: async (ctx, { params, query }) => {
    const { lines, total } = await listSyncRunLogs(ctx, params.integration_id, params.run_id, query);
    return { data: lines, total, ...query };
  },
});

runs.operation("cancelSyncRun", "POST /{integration_id}/syncs/{run_id}/cancel", {
  permission: "integrations:write",
  audit: "sync_run.cancel",
  summary: "Cancel a run",
  description:
    "Answers at once; the run is over when its state says so. What it had committed before stays in the lake.",
  params: RunPath,
  answer: succeeded("The run", DetailAnswer, 202),
  fails: ["resource_conflict"],
  run: async (ctx, { params }) => ({ run: await cancelSyncRun(ctx, params.integration_id, params.run_id) }),
});
