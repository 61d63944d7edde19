// /v4/admin/lake/maintenance/{integration_id}: a lake's maintenance, asked for, looked at, and what it said.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../core/limits.ts";
import { BODY_FAILURES, enveloped, envelope, fails } from "../../../http/answer.ts";
import { operation } from "../../../http/operation.ts";
import { createRouter } from "../../../http/router.ts";
import { LakeJobPath, LakePath, LogsQuery, MaintenanceLogPage, TAGS } from "../params.ts";
import { cancelMaintenance } from "./cancel.ts";
import { getMaintenance } from "./get.ts";
import { listLastFailedMaintenanceLogs, listMaintenanceLogs } from "./list-logs.ts";
import { askedOf, Maintenance, MaintenanceBody, SubmittedMaintenance } from "./maintenance.ts";
import { runMaintenance } from "./run.ts";

export const maintenance = createRouter();

const KEPT_DAYS = LIMITS.logKeptMs / 86_400_000;

maintenance.openapi(
  operation({
    method: "post",
    path: "/{integration_id}",
    operationId: "runMaintenance",
    summary: "Maintain a lake now",
    description:
      "Answers once its engine has the job, or has said that it has no capacity yet: it is `queued` then, and starts by " +
      "itself. A lake has one maintenance at a time: where one goes on, or waits, the answer is 409 and names it, also " +
      "in `error.conflictsWith`. With `dryRun` nothing is kept, and `plan` says what would be done.",
    tags: TAGS,
    permission: "lake:manage",
    request: { params: LakePath, body: { required: false, ...MaintenanceBody } },
    responses: {
      202: enveloped("The maintenance", SubmittedMaintenance),
      ...fails("resource_not_found", "resource_conflict", "work_in_progress", ...BODY_FAILURES),
    },
  }),
  async (c) => {
    const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
    const { integration_id: id } = c.req.valid("param");
    const asked = askedOf(c.req.valid("json"));
    return c.json(envelope(c, await runMaintenance({ ...c.get("ctx"), waitUntil }, id, asked)), 202);
  },
);

maintenance.openapi(
  operation({
    method: "get",
    path: "/{integration_id}",
    operationId: "getMaintenance",
    summary: "Get how a lake's maintenance is",
    description: "The one that is named by either id, or the latest: its state, its attempts, and how far it is.",
    tags: TAGS,
    permission: "lake:manage",
    request: {
      params: LakePath,
      query: z.strictObject({
        engineJobId: z.string().max(200).optional().openapi({ description: "Of any of its attempts." }),
        maintenanceId: z.string().max(200).optional(),
      }),
    },
    responses: { 200: enveloped("The maintenance", Maintenance), ...fails("resource_not_found") },
  }),
  async (c) => {
    const { integration_id: id } = c.req.valid("param");
    return c.json(envelope(c, await getMaintenance(c.get("ctx"), id, c.req.valid("query"))), 200);
  },
);

maintenance.openapi(
  operation({
    method: "post",
    path: "/{integration_id}/cancel",
    operationId: "cancelMaintenance",
    summary: "Cancel a lake's maintenance",
    description:
      "The one that goes on, or else the first that waits, whether it was asked for by itself or is a job's run. Answers " +
      "at once; it is over when its state says so. What it has committed stays: the next one goes on from there. 404 " +
      "where none goes on.",
    tags: [...TAGS, "Extensions"],
    permission: "lake:manage",
    request: { params: LakePath },
    responses: { 202: enveloped("The maintenance", Maintenance), ...fails("resource_not_found") },
  }),
  async (c) => c.json(envelope(c, await cancelMaintenance(c.get("ctx"), c.req.valid("param").integration_id)), 202),
);

maintenance.openapi(
  operation({
    method: "get",
    path: "/{integration_id}/job-logs/last-failed",
    operationId: "listLastFailedMaintenanceLogs",
    summary: "Read what the last maintenance that failed has said",
    description: `Of the latest that failed, or ran out of time, over all its attempts. Lines are kept for ${KEPT_DAYS} days.`,
    tags: TAGS,
    permission: "lake:manage",
    request: { params: LakePath, query: LogsQuery },
    responses: { 200: enveloped("The lines", MaintenanceLogPage), ...fails("resource_not_found") },
  }),
  async (c) => {
    const { integration_id: id } = c.req.valid("param");
    return c.json(envelope(c, await listLastFailedMaintenanceLogs(c.get("ctx"), id, c.req.valid("query"))), 200);
  },
);

maintenance.openapi(
  operation({
    method: "get",
    path: "/{integration_id}/job-logs/{job_id}",
    operationId: "listMaintenanceLogs",
    summary: "Read what a maintenance has said",
    description: `Of one attempt by its engine's job, or of a maintenance with all its attempts. Lines are kept for ${KEPT_DAYS} days.`,
    tags: TAGS,
    permission: "lake:manage",
    request: { params: LakeJobPath, query: LogsQuery },
    responses: { 200: enveloped("The lines", MaintenanceLogPage), ...fails("resource_not_found") },
  }),
  async (c) => {
    const { integration_id: id, job_id: jobId } = c.req.valid("param");
    return c.json(envelope(c, await listMaintenanceLogs(c.get("ctx"), id, jobId, c.req.valid("query"))), 200);
  },
);
