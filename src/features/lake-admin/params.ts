// Parts that the routes of lake administration share: paths, queries, the page of a log.

import { z } from "@hono/zod-openapi";
import { LOG_LIMITS } from "../../platform/logs/limits.ts";
import { listParameter, optionalBooleanParameter, optionalIntegerParameter } from "../../http/request/query-params.ts";
import { MAINTENANCE_KINDS } from "../../platform/db/schema/work-schema.ts";
import { LOG_LEVELS } from "../../platform/logs/log-lines.ts";
import { AutomationLogEntry } from "../automations/runs/wire-schema.ts";

export const TAGS = ["Lake administration"];

export const LakePath = z.object({ integration_id: z.string().openapi({ description: "A lake." }) });
export const LakeJobPath = LakePath.extend({
  job_id: z.string().openapi({ description: "An engine's job; or a maintenance, for the lines of all its attempts." }),
});

export const KindQuery = z.strictObject({ kind: z.enum(MAINTENANCE_KINDS).default("full") });

/** A query without `limit`, `offset` and `ascending` asks for the end of a log, in the order of time. */
export const LogsQuery = z.strictObject({
  limit: optionalIntegerParameter({ min: 1, max: LOG_LIMITS.linesPerPageMax }).openapi({
    description:
      "100 when absent. Without `limit`, `offset` and `ascending` the last lines are answered, oldest first.",
  }),
  offset: optionalIntegerParameter({ min: 0 }).openapi({ description: "0 when absent." }),
  ascending: optionalBooleanParameter().openapi({ description: "Oldest first, also when absent." }),
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
