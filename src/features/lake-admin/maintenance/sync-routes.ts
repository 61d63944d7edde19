// POST /v4/automations/jobs/{job_id}/maintenance/sync

import { z } from "@hono/zod-openapi";
import { enveloped, envelope, fails } from "../../../http/answer.ts";
import { operation } from "../../../http/operation.ts";
import { createRouter } from "../../../http/router.ts";
import { syncMaintenance, SyncedMaintenance } from "./sync.ts";

export const maintenanceSync = createRouter();

maintenanceSync.openapi(
  operation({
    method: "post",
    path: "/{job_id}/maintenance/sync",
    operationId: "syncMaintenance",
    summary: "Compare a maintenance job's latest attempt with its engine's job",
    description:
      "Looks at the attempt under way now rather than when it is due, and moves it on: where the engine's job has ended, " +
      "failed or vanished, so has the attempt. Asked again, nothing changes. Of a job of a doc: 422.",
    tags: ["Automations", "Lake administration"],
    permission: "jobs:write",
    request: { params: z.object({ job_id: z.string() }) },
    responses: {
      200: enveloped("What was found, and done", SyncedMaintenance),
      ...fails("resource_not_found", "validation_failed"),
    },
  }),
  async (c) => c.json(envelope(c, await syncMaintenance(c.get("ctx"), c.req.valid("param").job_id)), 200),
);
