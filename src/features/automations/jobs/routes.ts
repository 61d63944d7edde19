// /v4/automations/jobs: definitions of recurring work.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../core/limits.ts";
import { RESOURCE_TYPES } from "../../../core/resource-types.ts";
import { BODY_FAILURES, enveloped, envelope, fails, json, pageOf } from "../../../http/answer.ts";
import { operation } from "../../../http/operation.ts";
import { listParameter, optionalBooleanParameter } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { JobPath, orderedPage } from "../params.ts";
import { createAutomationJob } from "./create.ts";
import { deleteAutomationJob } from "./delete.ts";
import { getAutomationJob } from "./get.ts";
import { AutomationJob, AutomationJobPatch, NewAutomationJob } from "./job.ts";
import { listAutomationJobs } from "./list.ts";
import { updateAutomationJob } from "./update.ts";

export const automationJobs = createRouter();

const TAGS = ["Automations"];

automationJobs.openapi(
  operation({
    method: "get",
    path: "/",
    operationId: "listAutomationJobs",
    summary: "List the team's jobs",
    description: "Oldest first, each with its last run.",
    tags: TAGS,
    permission: "jobs:read",
    request: {
      query: z.strictObject({
        ...orderedPage(true),
        id: listParameter(z.string().max(100)).openapi({ description: "Only these; repeat the parameter." }),
        enabled: optionalBooleanParameter(),
        resourceId: z.uuid().optional().openapi({ description: "Only those of this doc, or lake." }),
        resourceType: z.enum(RESOURCE_TYPES).optional(),
        name: z
          .string()
          .min(1)
          .max(LIMITS.nameCharactersMax)
          .optional()
          .openapi({ description: "Part of the name, in any case." }),
      }),
    },
    responses: { 200: enveloped("A page of jobs", pageOf("AutomationJobPage", AutomationJob)), ...fails() },
  }),
  async (c) => {
    const { limit, offset, ascending, orderedBy: _, id, resourceId, ...filter } = c.req.valid("query");
    const jobs = await listAutomationJobs(
      c.get("ctx"),
      { ...filter, ids: id?.map((one) => one.toLowerCase()), resourceId: resourceId?.toLowerCase() },
      { limit, offset, ascending },
    );
    return c.json(envelope(c, jobs), 200);
  },
);

automationJobs.openapi(
  operation({
    method: "post",
    path: "/",
    operationId: "createAutomationJob",
    summary: "Create a job",
    description:
      "Of a doc, whose datasets it runs, or of a lake, which it maintains. Its runs have the rights that whoever " +
      "creates it has when they begin. A lake has one maintenance job of each kind.",
    tags: TAGS,
    permission: "jobs:write",
    request: { body: { required: true, ...json(NewAutomationJob) } },
    responses: { 201: enveloped("The job", AutomationJob), ...fails("resource_not_found", ...BODY_FAILURES) },
  }),
  async (c) => c.json(envelope(c, await createAutomationJob(c.get("ctx"), c.req.valid("json"))), 201),
);

automationJobs.openapi(
  operation({
    method: "get",
    path: "/{job_id}",
    operationId: "getAutomationJob",
    summary: "Get a job and its last run",
    description: "When it runs next, how its last run went, and whose rights its runs have.",
    tags: TAGS,
    permission: "jobs:read",
    request: { params: JobPath },
    responses: { 200: enveloped("The job", AutomationJob), ...fails("resource_not_found") },
  }),
  async (c) => c.json(envelope(c, await getAutomationJob(c.get("ctx"), c.req.valid("param").job_id)), 200),
);

automationJobs.openapi(
  operation({
    method: "patch",
    path: "/{job_id}",
    operationId: "updateAutomationJob",
    summary: "Change a job",
    description:
      "Only the fields that are sent; another schedule, or to enable it, plans its next run anew. Runs that have " +
      "begun go on as they were. An admin takes a job over by sending the own id as `ownerId`.",
    tags: TAGS,
    permission: "jobs:write",
    request: { params: JobPath, body: { required: true, ...json(AutomationJobPatch) } },
    responses: {
      200: enveloped("The job", AutomationJob),
      ...fails("resource_not_found", "resource_conflict", ...BODY_FAILURES),
    },
  }),
  async (c) => {
    const { job_id: id } = c.req.valid("param");
    return c.json(envelope(c, await updateAutomationJob(c.get("ctx"), id, c.req.valid("json"))), 200);
  },
);

automationJobs.openapi(
  operation({
    method: "delete",
    path: "/{job_id}",
    operationId: "deleteAutomationJob",
    summary: "Delete a job",
    description: "It starts no more runs, and one under way is cancelled.",
    tags: TAGS,
    permission: "jobs:write",
    request: { params: JobPath },
    responses: { 204: { description: "Deleted" }, ...fails("resource_not_found") },
  }),
  async (c) => {
    await deleteAutomationJob(c.get("ctx"), c.req.valid("param").job_id);
    return c.body(null, 204);
  },
);
