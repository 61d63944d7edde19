// What the routes of lake administration share: paths, queries, the page of a log.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../core/limits.ts";
import { booleanParameter, listParameter, pageParameters } from "../../http/request/query-params.ts";
import { MAINTENANCE_KINDS } from "../../platform/db/schema/work-schema.ts";
import { LOG_LEVELS } from "../../platform/logs/log-lines.ts";
import { AutomationLogEntry } from "../automations/runs/wire-schema.ts";

export const TAGS = ["Lake administration"];

export const LakePath = z.object({ integration_id: z.string().openapi({ description: "A lake." }) });
export const LakeJobPath = LakePath.extend({
  job_id: z.string().openapi({ description: "An engine's job; or a maintenance, for the lines of all its attempts." }),
});

export const KindQuery = z.strictObject({ kind: z.enum(MAINTENANCE_KINDS).default("full") });

export const LogsQuery = z.strictObject({
  ...pageParameters({ limitMax: LIMITS.logLinesPerPageMax, limitDefault: 100 }),
  ascending: booleanParameter(true).openapi({ description: "Oldest first." }),
  level: listParameter(z.enum(LOG_LEVELS)).openapi({ description: "Only these; repeat the parameter." }),
});

const count = z.number().int();

export const MaintenanceLogPage = z
  .object({
    maintenanceId: z.uuid(),
    engineJobId: z.string().nullable(),
    items: z.array(AutomationLogEntry),
    total: count.openapi({ description: "Lines that fit, and are kept still." }),
    limit: count,
    offset: count,
  })
  .openapi("MaintenanceLogPage");
