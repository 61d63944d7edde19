// /v4/admin/work and /v4/admin/health: what operators look at when something stands still.

import { z } from "@hono/zod-openapi";
import { enveloped, pageOf } from "../../http/answer.ts";
import { listParameter, pageParameters } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { getPlatformHealth, PlatformHealth } from "./get-platform-health.ts";
import { listWork } from "./list-work.ts";
import { WORK_KINDS, WORK_STATES, WorkItem } from "./work-item.ts";

export const operations = createRouter(["Extensions"]);

operations.operation("listWork", "GET /work", {
  permission: "platform:operate",
  summary: "List what runs, waits and fails, of all teams",
  description:
    "Runs of syncs, of jobs, of docs and maintenances, asynchronous queries, alerts and removals, newest first; of " +
    "those that failed, the last day's. Each run says why it waits, and at which place.",
  query: z.strictObject({
    ...pageParameters({ limitMax: 250, limitDefault: 100 }),
    kind: listParameter(z.enum(WORK_KINDS)),
    state: listParameter(z.enum(WORK_STATES)),
    teamId: z.uuid().optional(),
  }),
  answer: enveloped("A page of work", pageOf("WorkPage", WorkItem)),
  run: (ctx, { query }) => {
    const { kind: kinds, state: states, teamId, ...page } = query;
    return listWork(ctx, { kinds, states, teamId }, page);
  },
});

operations.operation("getPlatformHealth", "GET /health", {
  permission: "platform:operate",
  summary: "See how the platform's clock, queues and alerts are",
  description: "When the clock last ticked, what is due and nobody has taken, dead letters, and undelivered alerts.",
  answer: enveloped("How it is", PlatformHealth),
  run: (ctx) => getPlatformHealth(ctx),
});
