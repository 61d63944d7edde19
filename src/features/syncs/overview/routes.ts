// /v1/api/syncs: all of a team's syncs at a glance.

import { z } from "@hono/zod-openapi";
import { SYNC_LIMITS } from "../limits.ts";
import { succeeded } from "../../../http/answer.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { HEALTHS } from "./health.ts";
import { listSyncs } from "./list.ts";
import { SyncSummary } from "./summary.ts";

export const syncOverview = createRouter(["Syncs", "Extensions"]);

const SyncSummaryPage = z
  .object({
    success: z.literal(true),
    data: z.array(SyncSummary),
    total: z.number().int().openapi({ description: "All syncs that the filter means." }),
    limit: z.number().int(),
    offset: z.number().int(),
  })
  .openapi("SyncSummaryPage");

const named = (what: string) =>
  z
    .string()
    .optional()
    .openapi({ description: `Only syncs that ${what} this.` });

syncOverview.operation("listSyncs", "GET /", {
  permission: "integrations:read",
  summary: "List the team's syncs, and what is wrong with them",
  description:
    "Oldest first: each with its last run, its last success, the age of its data, its next run, and a grade with " +
    "words. A filter that matches nothing answers an empty list.",
  query: z.strictObject({
    ...pageParameters({ limitMax: SYNC_LIMITS.perTeamMax, limitDefault: 100 }),
    integration_id: named("read"),
    dest_integration_id: named("write to"),
    status: SyncSummary.shape.status.optional(),
    health: z.enum(HEALTHS).optional(),
  }),
  answer: succeeded("The syncs", SyncSummaryPage),
  run: async (ctx, { query }) => {
    const { limit, offset, ...filter } = query;
    const { items, ...page } = await listSyncs(ctx, filter, { limit, offset });
    return { data: items, ...page };
  },
});
