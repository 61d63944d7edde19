// /v4/admin/teams/{team_id}/maintenance: the maintenance of all lakes of a team; for operators.

import { z } from "@hono/zod-openapi";
import { LAKE_ADMIN_LIMITS } from "../limits.ts";
import { enveloped, pageOf } from "../../../http/answer.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import {
  askedOf,
  Maintenance,
  MAINTENANCE_EXAMPLE,
  MaintenanceBody,
  SubmittedMaintenance,
} from "../maintenance/maintenance.ts";
import { LogsQuery, MaintenanceLogPage } from "../params.ts";
import { getTeamMaintenance } from "./get.ts";
import { listLastFailedTeamMaintenanceLogs, listTeamMaintenanceLogs } from "./list-logs.ts";
import { runTeamMaintenance } from "./run.ts";

export const teamMaintenance = createRouter(["Teams", "Lake administration"]);

const PATH = "/{team_id}/maintenance";
const TeamPath = z.object({ team_id: z.string() });
const TeamJobPath = TeamPath.extend({ job_id: z.string() });

const SubmittedTeamMaintenance = z
  .object({
    teamId: z.uuid(),
    maintenances: z.array(SubmittedMaintenance).openapi({ description: "Of each lake, the oldest lake first." }),
  })
  .openapi("SubmittedTeamMaintenance");

teamMaintenance.operation("runTeamMaintenance", `POST ${PATH}`, {
  permission: "platform:operate",
  audit: "lake.maintain",
  summary: "Maintain all lakes of a team now",
  description:
    `At most ${LAKE_ADMIN_LIMITS.teamLakesMaintainedMax} lakes; the first ${LAKE_ADMIN_LIMITS.teamLakesStartedMax} begin before this ` +
    "answers, the others as soon as the queue brings them. Where one of them is being maintained nothing is begun: " +
    "409 names those, also in `error.conflictsWith`.",
  params: TeamPath,
  optionalBody: MaintenanceBody,
  example: MAINTENANCE_EXAMPLE,
  answer: enveloped("The maintenance of each lake", SubmittedTeamMaintenance, 202),
  fails: ["resource_conflict", "work_in_progress"],
  run: (ctx, { params, body }) => runTeamMaintenance(ctx, params.team_id, askedOf(body)),
});

teamMaintenance.operation("getTeamMaintenance", `GET ${PATH}`, {
  permission: "platform:operate",
  summary: "See how the maintenance of a team's lakes is",
  description: "The latest of each lake, newest first. 404 where none of its lakes was maintained yet.",
  params: TeamPath,
  query: z.strictObject(pageParameters({ limitMax: 50, limitDefault: 50 })),
  answer: enveloped("A page of maintenances", pageOf("TeamMaintenancePage", Maintenance)),
  run: (ctx, { params, query }) => getTeamMaintenance(ctx, params.team_id, query),
});

teamMaintenance.operation("listLastFailedTeamMaintenanceLogs", `GET ${PATH}/job-logs/last-failed`, {
  permission: "platform:operate",
  summary: "Read what the last maintenance of a team's lakes that failed has said",
  description: "Of the latest of any of its lakes that failed, or ran out of time, over all its attempts.",
  params: TeamPath,
  query: LogsQuery,
  answer: enveloped("The lines", MaintenanceLogPage),
  run: (ctx, { params, query }) => listLastFailedTeamMaintenanceLogs(ctx, params.team_id, query),
});

teamMaintenance.operation("listTeamMaintenanceLogs", `GET ${PATH}/job-logs/{job_id}`, {
  permission: "platform:operate",
  summary: "Read what a maintenance of a team's lakes has said",
  description: "Of one attempt by its engine's job, or of a maintenance with all its attempts.",
  params: TeamJobPath,
  query: LogsQuery,
  answer: enveloped("The lines", MaintenanceLogPage),
  run: (ctx, { params, query }) => listTeamMaintenanceLogs(ctx, params.team_id, params.job_id, query),
});
