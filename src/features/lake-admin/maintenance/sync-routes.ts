// POST /v4/automations/jobs/{job_id}/maintenance/sync

import { z } from "@hono/zod-openapi";
import { enveloped } from "../../../http/answer.ts";
import { createRouter } from "../../../http/router.ts";
import { syncMaintenance, SyncedMaintenance } from "./sync.ts";

export const maintenanceSync = createRouter(["Automations", "Lake administration"]);

maintenanceSync.operation("syncMaintenance", "POST /{job_id}/maintenance/sync", {
  permission: "jobs:write",
  audit: "automation_run.sync",
  summary: "Compare a maintenance job's latest attempt with its engine's job",
  description:
    "Looks at the attempt under way now rather than when it is due, and moves it on: where the engine's job has ended, " +
    "failed or vanished, so has the attempt. Asked again, nothing changes. Of a job of a doc: 422.",
  params: z.object({ job_id: z.string() }),
  answer: enveloped("What was found, and done", SyncedMaintenance),
  fails: ["validation_failed"],
  run: (ctx, { params }) => syncMaintenance(ctx, params.job_id),
});
