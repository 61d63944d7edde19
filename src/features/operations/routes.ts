// /v4/admin/work and /v4/admin/health: what operators look at when something stands still.

import { z } from "@hono/zod-openapi";
import { enveloped, envelope, fails, pageOf } from "../../http/answer.ts";
import { operation } from "../../http/operation.ts";
import { listParameter, pageParameters } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { getPlatformHealth, PlatformHealth } from "./get-platform-health.ts";
import { listWork } from "./list-work.ts";
import { WORK_KINDS, WORK_STATES, WorkItem } from "./work-item.ts";

export const operations = createRouter();

const TAGS = ["Extensions"];

operations.openapi(
  operation({
    method: "get",
    path: "/work",
    operationId: "listWork",
    summary: "List what runs, waits and fails, of all teams",
    description:
      "Runs of syncs, of jobs, of docs and maintenances, asynchronous queries, alerts and removals, newest first; of " +
      "those that failed, the last day's. Each run says why it waits, and at which place.",
    tags: TAGS,
    permission: "platform:operate",
    request: {
      query: z.strictObject({
        ...pageParameters({ limitMax: 250, limitDefault: 100 }),
        kind: listParameter(z.enum(WORK_KINDS)),
        state: listParameter(z.enum(WORK_STATES)),
        teamId: z.uuid().optional(),
      }),
    },
    responses: { 200: enveloped("A page of work", pageOf("WorkPage", WorkItem)), ...fails() },
  }),
  async (c) => {
    const { kind: kinds, state: states, teamId, ...page } = c.req.valid("query");
    return c.json(envelope(c, await listWork(c.get("ctx"), { kinds, states, teamId }, page)), 200);
  },
);

operations.openapi(
  operation({
    method: "get",
    path: "/health",
    operationId: "getPlatformHealth",
    summary: "See how the platform's clock, queues and alerts are",
    description: "When the clock last ticked, what is due and nobody has taken, dead letters, and undelivered alerts.",
    tags: TAGS,
    permission: "platform:operate",
    responses: { 200: enveloped("How it is", PlatformHealth), ...fails() },
  }),
  async (c) => c.json(envelope(c, await getPlatformHealth(c.get("ctx"))), 200),
);
