// /v4/admin/lake/maintenance/{integration_id}: a lake's maintenance, asked for, looked at, and what it said.

import { z } from "@hono/zod-openapi";
import { LOG_LIMITS } from "../../../platform/logs/limits.ts";
import { enveloped } from "../../../http/answer.ts";
import { createRouter } from "../../../http/router.ts";
import { LakeJobPath, LakePath, LogsQuery, MaintenanceLogPage, TAGS } from "../params.ts";
import { cancelMaintenance } from "./cancel.ts";
import { getMaintenance } from "./get.ts";
import { listLastFailedMaintenanceLogs, listMaintenanceLogs } from "./list-logs.ts";
import { askedOf, Maintenance, MAINTENANCE_EXAMPLE, MaintenanceBody, SubmittedMaintenance } from "./maintenance.ts";
import { runMaintenance } from "./run.ts";

export const maintenance = createRouter(TAGS);

const KEPT_DAYS = LOG_LIMITS.keptMs / 86_400_000;

maintenance.operation("runMaintenance", "POST /{integration_id}", {
  permission: "lake:manage",
  audit: "lake.maintain",
  summary: "Maintain a lake now",
  description:
    "Answers once its engine has the job, or has said that it has no capacity yet: it is `queued` then, and starts by " +
    "itself. A lake has one maintenance at a time: where one goes on, or waits, the answer is 409 and names it, also " +
    "in `error.conflictsWith`. With `dryRun` nothing is kept, and `plan` says what would be done.",
  params: LakePath,
  optionalBody: MaintenanceBody,
  example: MAINTENANCE_EXAMPLE,
  answer: enveloped("The maintenance", SubmittedMaintenance, 202),
  fails: ["resource_conflict", "work_in_progress"],
  run: (ctx, { params, body }) => runMaintenance(ctx, params.integration_id, askedOf(body)),
});

maintenance.operation("getMaintenance", "GET /{integration_id}", {
  permission: "lake:manage",
  summary: "Get how a lake's maintenance is",
  description: "The one that is named by either id, or the latest: its state, its attempts, and how far it is.",
  params: LakePath,
  query: z.strictObject({
    engineJobId: z.string().max(200).optional().openapi({ description: "Of any of its attempts." }),
    maintenanceId: z.string().max(200).optional(),
  }),
  answer: enveloped("The maintenance", Maintenance),
  run: (ctx, { params, query }) => getMaintenance(ctx, params.integration_id, query),
});

maintenance.operation("cancelMaintenance", "POST /{integration_id}/cancel", {
  permission: "lake:manage",
  audit: "automation_run.cancel",
  summary: "Cancel a lake's maintenance",
  description:
    "The one that goes on, or else the first that waits, whether it was asked for by itself or is a job's run. Answers " +
    "at once; it is over when its state says so. What it has committed stays: the next one goes on from there. 404 " +
    "where none goes on.",
  tags: [...TAGS, "Extensions"],
  params: LakePath,
  answer: enveloped("The maintenance", Maintenance, 202),
  run: (ctx, { params }) => cancelMaintenance(ctx, params.integration_id),
});

maintenance.operation("listLastFailedMaintenanceLogs", "GET /{integration_id}/job-logs/last-failed", {
  permission: "lake:manage",
  summary: "Read what the last maintenance that failed has said",
  description: `Of the latest that failed, or ran out of time, over all its attempts. Lines are kept for ${KEPT_DAYS} days.`,
  params: LakePath,
  query: LogsQuery,
  answer: enveloped("The lines", MaintenanceLogPage),
  run: (ctx, { params, query }) => listLastFailedMaintenanceLogs(ctx, params.integration_id, query),
});

maintenance.operation("listMaintenanceLogs", "GET /{integration_id}/job-logs/{job_id}", {
  permission: "lake:manage",
  summary: "Read what a maintenance has said",
  description: `Of one attempt by its engine's job, or of a maintenance with all its attempts. Lines are kept for ${KEPT_DAYS} days.`,
  params: LakeJobPath,
  query: LogsQuery,
  answer: enveloped("The lines", MaintenanceLogPage),
  run: (ctx, { params, query }) => listMaintenanceLogs(ctx, params.integration_id, params.job_id, query),
});
