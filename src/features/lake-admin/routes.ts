// /v4/admin/lake: how lakes are, what they hold, and their maintenance. A team's admins look after their own lakes,
// operators after those of every team.

import { z } from "@hono/zod-openapi";
import { LAKE_ADMIN_LIMITS } from "./limits.ts";
import { enveloped, pageOf } from "../../http/answer.ts";
import { listParameter, pageParameters } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { getLakeHealth } from "./health/get.ts";
import { LakeHealth } from "./health/health.ts";
import { listLakeHealth } from "./health/list.ts";
import { maintenance } from "./maintenance/routes.ts";
import { options } from "./options/routes.ts";
import { LakePath, TAGS } from "./params.ts";
import { schedules } from "./schedules/routes.ts";
import { getLakeStorage } from "./storage/get.ts";
import { LakeStorage } from "./storage/storage.ts";

export const lakeAdmin = createRouter(TAGS);

// The list of schedules before the lake of that name.
lakeAdmin.include("/maintenance", schedules);
lakeAdmin.include("/options", options);
lakeAdmin.include("/maintenance", maintenance);

lakeAdmin.operation("listLakeHealth", "GET /health", {
  permission: "lake:manage",
  summary: "See how many lakes are",
  description:
    "Of the team's lakes; of an operator's, of every team's. From what the last round of maintenance or collection has " +
    `seen of each; ${LAKE_ADMIN_LIMITS.lakesMeasuredLiveMax} of those that had none yet are asked now, and the others are ` +
    "`unknown`. `measuredAt` says of when each answer is.",
  query: z.strictObject({
    teamIds: listParameter(z.uuid()).openapi({
      description: "Only lakes of these teams; repeat the parameter. An admin gets nothing for another team's id.",
    }),
    ...pageParameters({ limitMax: 100, limitDefault: 100 }),
  }),
  answer: enveloped("A page of lakes", pageOf("LakeHealthPage", LakeHealth)),
  run: (ctx, { query }) => listLakeHealth(ctx, query),
});

lakeAdmin.operation("getLakeHealth", "GET /health/{integration_id}", {
  permission: "lake:manage",
  summary: "See how a lake is",
  description: "Its catalog is asked now. What is wrong is in `findings`, with what to do.",
  params: LakePath,
  answer: enveloped("The lake's health", LakeHealth),
  run: (ctx, { params }) => getLakeHealth(ctx, params.integration_id),
});

lakeAdmin.operation("getLakeStorage", "GET /storage/{integration_id}", {
  permission: "lake:manage",
  summary: "See what a lake's objects take",
  description:
    "What its catalog tracks beside what its objects have, and what explains the difference. Up to " +
    `${LAKE_ADMIN_LIMITS.storagePagesMax * 1_000} objects are listed for the answer; of a larger lake it is what the last ` +
    "daily collection saw.",
  params: LakePath,
  answer: enveloped("The lake's storage", LakeStorage),
  run: (ctx, { params }) => getLakeStorage(ctx, params.integration_id),
});
