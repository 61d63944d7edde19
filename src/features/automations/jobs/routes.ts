// /v4/automations/jobs: definitions of recurring work.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../core/limits.ts";
import { RESOURCE_TYPES } from "../../../core/resource-types.ts";
import { enveloped, nothing, pageOf } from "../../../http/answer.ts";
import { listParameter, optionalBooleanParameter } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { JobPath, orderedPage } from "../params.ts";
import { createAutomationJob } from "./create.ts";
import { deleteAutomationJob } from "./delete.ts";
import { getAutomationJob } from "./get.ts";
import { AutomationJob, AutomationJobPatch, NewAutomationJob } from "./job.ts";
import { listAutomationJobs } from "./list.ts";
import { updateAutomationJob } from "./update.ts";

export const automationJobs = createRouter(["Automations"]);

automationJobs.operation("listAutomationJobs", "GET /", {
  permission: "jobs:read",
  summary: "List the team's jobs",
  description: "Oldest first, each with its last run.",
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
  answer: enveloped("A page of jobs", pageOf("AutomationJobPage", AutomationJob)),
  run: (ctx, { query }) => {
    const { limit, offset, ascending, orderedBy: _, id, resourceId, ...filter } = query;
    return listAutomationJobs(
      ctx,
      { ...filter, ids: id?.map((one) => one.toLowerCase()), resourceId: resourceId?.toLowerCase() },
      { limit, offset, ascending },
    );
  },
});

automationJobs.operation("createAutomationJob", "POST /", {
  permission: "jobs:write",
  audit: "automation_job.create",
  summary: "Create a job",
  description:
    "Of a doc, whose datasets it runs, or of a lake, which it maintains. Its runs have the rights that whoever " +
    "creates it has when they begin. A lake has one maintenance job of each kind.",
  body: NewAutomationJob,
  answer: enveloped("The job", AutomationJob, 201),
  fails: ["resource_not_found"],
  run: (ctx, { body }) => createAutomationJob(ctx, body),
});

automationJobs.operation("getAutomationJob", "GET /{job_id}", {
  permission: "jobs:read",
  summary: "Get a job and its last run",
  description: "When it runs next, how its last run went, and whose rights its runs have.",
  params: JobPath,
  answer: enveloped("The job", AutomationJob),
  run: (ctx, { params }) => getAutomationJob(ctx, params.job_id),
});

automationJobs.operation("updateAutomationJob", "PATCH /{job_id}", {
  permission: "jobs:write",
  audit: "automation_job.update",
  summary: "Change a job",
  description:
    "Only the fields that are sent; another schedule, or to enable it, plans its next run anew. Runs that have " +
    "begun go on as they were. An admin takes a job over by sending the own id as `ownerId`.",
  params: JobPath,
  body: AutomationJobPatch,
  answer: enveloped("The job", AutomationJob),
  fails: ["resource_conflict"],
  run: (ctx, { params, body }) => updateAutomationJob(ctx, params.job_id, body),
});

automationJobs.operation("deleteAutomationJob", "DELETE /{job_id}", {
  permission: "jobs:write",
  audit: ["automation_job.delete", "delivery.delete"],
  summary: "Delete a job",
  description: "It starts no more runs, and one under way is cancelled. The delivery of a doc's job goes with it.",
  params: JobPath,
  answer: nothing("Deleted"),
  run: (ctx, { params }) => deleteAutomationJob(ctx, params.job_id),
});
