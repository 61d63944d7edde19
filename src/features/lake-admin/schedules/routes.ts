// /v4/admin/lake/maintenance/…/schedule: when a lake is maintained.

import { z } from "@hono/zod-openapi";
import { AUTOMATION_LIMITS } from "../../automations/limits.ts";
import { enveloped, nothing, pageOf } from "../../../http/answer.ts";
import { requireBody } from "../../../http/request/body.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { KindQuery, LakePath, TAGS } from "../params.ts";
import { deleteMaintenanceSchedule } from "./delete.ts";
import { getMaintenanceSchedule } from "./get.ts";
import { listMaintenanceSchedules } from "./list.ts";
import { MaintenanceSchedule, NewMaintenanceSchedule } from "./schedule.ts";
import { setMaintenanceSchedule } from "./set.ts";

export const schedules = createRouter(TAGS);

const PATH = "/{integration_id}/schedule";

schedules.operation("listMaintenanceSchedules", "GET /schedules", {
  permission: "lake:manage",
  summary: "List the team's schedules of maintenance",
  description:
    "Of the current team's lakes, oldest first. Each is an automation job; those that run by hand alone are no schedules.",
  query: z.strictObject(
    pageParameters({ limitMax: AUTOMATION_LIMITS.jobsPerTeamMax, limitDefault: AUTOMATION_LIMITS.jobsPerTeamMax }),
  ),
  answer: enveloped("A page of schedules", pageOf("MaintenanceSchedulePage", MaintenanceSchedule)),
  run: (ctx, { query }) => listMaintenanceSchedules(ctx, query),
});

schedules.operation("setMaintenanceSchedule", `PUT ${PATH}`, {
  permission: "lake:manage",
  audit: ["automation_job.create", "automation_job.update"],
  summary: "Set when a lake is maintained",
  description:
    "Creates or replaces the schedule of a kind. It is the automation job of this lake and kind: a change of either " +
    "is a change of both. Runs have the rights of whoever created it. 409 where it was changed at the same time, and " +
    "where that job has no schedule, and runs by hand alone.",
  middleware: [requireBody],
  params: LakePath,
  query: KindQuery,
  body: NewMaintenanceSchedule,
  answer: enveloped("The schedule", MaintenanceSchedule),
  fails: ["resource_conflict"],
  run: (ctx, { params, query, body }) => setMaintenanceSchedule(ctx, params.integration_id, query.kind, body),
});

schedules.operation("getMaintenanceSchedule", `GET ${PATH}`, {
  permission: "lake:manage",
  summary: "Get when a lake is maintained",
  description: "The schedule of a kind, when it runs next, and how it went last. 404 where there is none.",
  params: LakePath,
  query: KindQuery,
  answer: enveloped("The schedule", MaintenanceSchedule),
  run: (ctx, { params, query }) => getMaintenanceSchedule(ctx, params.integration_id, query.kind),
});

schedules.operation("deleteMaintenanceSchedule", `DELETE ${PATH}`, {
  permission: "lake:manage",
  audit: "automation_job.delete",
  summary: "Delete a schedule of maintenance",
  description: "With the automation job that it is; a run of it under way is cancelled.",
  params: LakePath,
  query: KindQuery,
  answer: nothing("Deleted"),
  run: (ctx, { params, query }) => deleteMaintenanceSchedule(ctx, params.integration_id, query.kind),
});
