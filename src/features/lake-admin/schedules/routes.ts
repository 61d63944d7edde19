// /v4/admin/lake/maintenance/…/schedule: when a lake is maintained.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../core/limits.ts";
import { BODY_FAILURES, enveloped, envelope, fails, json, pageOf } from "../../../http/answer.ts";
import { operation } from "../../../http/operation.ts";
import { requireBody } from "../../../http/request/body.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { KindQuery, LakePath, TAGS } from "../params.ts";
import { deleteMaintenanceSchedule } from "./delete.ts";
import { getMaintenanceSchedule } from "./get.ts";
import { listMaintenanceSchedules } from "./list.ts";
import { MaintenanceSchedule, NewMaintenanceSchedule } from "./schedule.ts";
import { setMaintenanceSchedule } from "./set.ts";

export const schedules = createRouter();

const PATH = "/{integration_id}/schedule";

schedules.openapi(
  operation({
    method: "get",
    path: "/schedules",
    operationId: "listMaintenanceSchedules",
    summary: "List the team's schedules of maintenance",
    description:
      "Of the current team's lakes, oldest first. Each is an automation job; those that run by hand alone are no schedules.",
    tags: TAGS,
    permission: "lake:manage",
    request: {
      query: z.strictObject(
        pageParameters({ limitMax: LIMITS.automationJobsPerTeamMax, limitDefault: LIMITS.automationJobsPerTeamMax }),
      ),
    },
    responses: {
      200: enveloped("A page of schedules", pageOf("MaintenanceSchedulePage", MaintenanceSchedule)),
      ...fails(),
    },
  }),
  async (c) => c.json(envelope(c, await listMaintenanceSchedules(c.get("ctx"), c.req.valid("query"))), 200),
);

schedules.openapi(
  operation({
    method: "put",
    path: PATH,
    operationId: "setMaintenanceSchedule",
    summary: "Set when a lake is maintained",
    description:
      "Creates or replaces the schedule of a kind. It is the automation job of this lake and kind: a change of either " +
      "is a change of both. Runs have the rights of whoever created it. 409 where it was changed at the same time, and " +
      "where that job has no schedule, and runs by hand alone.",
    tags: TAGS,
    permission: "lake:manage",
    middleware: [requireBody] as const,
    request: { params: LakePath, query: KindQuery, body: { required: true, ...json(NewMaintenanceSchedule) } },
    responses: {
      200: enveloped("The schedule", MaintenanceSchedule),
      ...fails("resource_not_found", "resource_conflict", ...BODY_FAILURES),
    },
  }),
  async (c) => {
    const [{ integration_id: id }, { kind }] = [c.req.valid("param"), c.req.valid("query")];
    return c.json(envelope(c, await setMaintenanceSchedule(c.get("ctx"), id, kind, c.req.valid("json"))), 200);
  },
);

schedules.openapi(
  operation({
    method: "get",
    path: PATH,
    operationId: "getMaintenanceSchedule",
    summary: "Get when a lake is maintained",
    description: "The schedule of a kind, when it runs next, and how it went last. 404 where there is none.",
    tags: TAGS,
    permission: "lake:manage",
    request: { params: LakePath, query: KindQuery },
    responses: { 200: enveloped("The schedule", MaintenanceSchedule), ...fails("resource_not_found") },
  }),
  async (c) => {
    const [{ integration_id: id }, { kind }] = [c.req.valid("param"), c.req.valid("query")];
    return c.json(envelope(c, await getMaintenanceSchedule(c.get("ctx"), id, kind)), 200);
  },
);

schedules.openapi(
  operation({
    method: "delete",
    path: PATH,
    operationId: "deleteMaintenanceSchedule",
    summary: "Delete a schedule of maintenance",
    description: "With the automation job that it is; a run of it under way is cancelled.",
    tags: TAGS,
    permission: "lake:manage",
    request: { params: LakePath, query: KindQuery },
    responses: { 204: { description: "Deleted" }, ...fails("resource_not_found") },
  }),
  async (c) => {
    const [{ integration_id: id }, { kind }] = [c.req.valid("param"), c.req.valid("query")];
    await deleteMaintenanceSchedule(c.get("ctx"), id, kind);
    return c.body(null, 204);
  },
);
