// The paths and queries that the routes of automations share.

import { z } from "@hono/zod-openapi";
import { AUTOMATION_LIMITS } from "./limits.ts";
import { booleanParameter, pageParameters } from "../../http/request/query-params.ts";

export const JobPath = z.object({ job_id: z.string() });
export const RunPath = JobPath.extend({ run_id: z.string() });
export const AttemptPath = RunPath.extend({ attempt_id: z.string() });

/** A page of a list in the order of `created_at`, the one order there is. */
export const orderedPage = (ascending: boolean) => ({
  ...pageParameters({ limitMax: AUTOMATION_LIMITS.pageMax, limitDefault: 50 }),
  orderedBy: z.enum(["created_at"]).default("created_at"),
  ascending: booleanParameter(ascending),
});
