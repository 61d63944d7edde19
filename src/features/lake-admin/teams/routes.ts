// /v4/admin/teams/{team_id}/maintenance: the maintenance of all lakes of a team; for operators.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../core/limits.ts";
import { BODY_FAILURES, enveloped, envelope, fails, pageOf } from "../../../http/answer.ts";
import { operation } from "../../../http/operation.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { askedOf, Maintenance, MaintenanceBody, SubmittedMaintenance } from "../maintenance/maintenance.ts";
import { LogsQuery, MaintenanceLogPage } from "../params.ts";
import { getTeamMaintenance } from "./get.ts";
import { listLastFailedTeamMaintenanceLogs, listTeamMaintenanceLogs } from "./list-logs.ts";
import { runTeamMaintenance } from "./run.ts";

export const teamMaintenance = createRouter();

const TAGS = ["Teams", "Lake administration"];
const PATH = "/{team_id}/maintenance";
const TeamPath = z.object({ team_id: z.string() });
const TeamJobPath = TeamPath.extend({ job_id: z.string() });

const SubmittedTeamMaintenance = z
  .object({
    teamId: z.uuid(),
    maintenances: z.array(SubmittedMaintenance).openapi({ description: "Of each lake, the oldest lake first." }),
  })
  .openapi("SubmittedTeamMaintenance");

teamMaintenance.openapi(
  operation({
    method: "post",
    path: PATH,
    operationId: "runTeamMaintenance",
    summary: "Maintain all lakes of a team now",
    description:
      `At most ${LIMITS.teamLakesMaintainedMax} lakes; the first ${LIMITS.teamLakesStartedMax} begin before this ` +
      "answers, the others as soon as the queue brings them. Where one of them is being maintained nothing is begun: " +
      "409 names those, also in `error.conflictsWith`.",
    tags: TAGS,
    permission: "platform:operate",
    request: { params: TeamPath, body: { required: false, ...MaintenanceBody } },
    responses: {
      202: enveloped("The maintenance of each lake", SubmittedTeamMaintenance),
      ...fails("resource_not_found", "resource_conflict", "work_in_progress", ...BODY_FAILURES),
    },
  }),
  async (c) => {
    const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
    const { team_id: id } = c.req.valid("param");
    const asked = askedOf(c.req.valid("json"));
    return c.json(envelope(c, await runTeamMaintenance({ ...c.get("ctx"), waitUntil }, id, asked)), 202);
  },
);

teamMaintenance.openapi(
  operation({
    method: "get",
    path: PATH,
    operationId: "getTeamMaintenance",
    summary: "See how the maintenance of a team's lakes is",
    description: "The latest of each lake, newest first. 404 where none of its lakes was maintained yet.",
    tags: TAGS,
    permission: "platform:operate",
    request: { params: TeamPath, query: z.strictObject(pageParameters({ limitMax: 50, limitDefault: 50 })) },
    responses: {
      200: enveloped("A page of maintenances", pageOf("TeamMaintenancePage", Maintenance)),
      ...fails("resource_not_found"),
    },
  }),
  async (c) => {
    const { team_id: id } = c.req.valid("param");
    return c.json(envelope(c, await getTeamMaintenance(c.get("ctx"), id, c.req.valid("query"))), 200);
  },
);

teamMaintenance.openapi(
  operation({
    method: "get",
    path: `${PATH}/job-logs/last-failed`,
    operationId: "listLastFailedTeamMaintenanceLogs",
    summary: "Read what the last maintenance of a team's lakes that failed has said",
    description: "Of the latest of any of its lakes that failed, or ran out of time, over all its attempts.",
    tags: TAGS,
    permission: "platform:operate",
    request: { params: TeamPath, query: LogsQuery },
    responses: { 200: enveloped("The lines", MaintenanceLogPage), ...fails("resource_not_found") },
  }),
  async (c) => {
    const { team_id: id } = c.req.valid("param");
    return c.json(envelope(c, await listLastFailedTeamMaintenanceLogs(c.get("ctx"), id, c.req.valid("query"))), 200);
  },
);

teamMaintenance.openapi(
  operation({
    method: "get",
    path: `${PATH}/job-logs/{job_id}`,
    operationId: "listTeamMaintenanceLogs",
    summary: "Read what a maintenance of a team's lakes has said",
    description: "Of one attempt by its engine's job, or of a maintenance with all its attempts.",
    tags: TAGS,
    permission: "platform:operate",
    request: { params: TeamJobPath, query: LogsQuery },
    responses: { 200: enveloped("The lines", MaintenanceLogPage), ...fails("resource_not_found") },
  }),
  async (c) => {
    const { team_id: id, job_id: jobId } = c.req.valid("param");
    return c.json(envelope(c, await listTeamMaintenanceLogs(c.get("ctx"), id, jobId, c.req.valid("query"))), 200);
  },
);
