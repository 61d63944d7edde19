// GET / and GET /health: for load balancers and people, without a key.

import { answers, failsOnly } from "../../http/answer.ts";
import { operation } from "../../http/operation.ts";
import { createRouter } from "../../http/router.ts";
import { getHealth } from "./get-health.ts";
import { Health } from "./health.ts";
import { getLiveness, Liveness } from "./liveness.ts";
import { clientsOf } from "../../http/app-env.ts";

export const liveness = createRouter();

liveness.openapi(
  operation({
    method: "get",
    path: "/",
    operationId: "getLiveness",
    summary: "Whether the API answers",
    description: "That the Worker runs. It asks nothing else, and needs no key.",
    tags: ["Liveness"],
    permission: "everybody",
    responses: { 200: answers("It does", Liveness), ...failsOnly("too_many_requests", "internal_error") },
  }),
  (c) => c.json(getLiveness(), 200),
);

liveness.openapi(
  operation({
    method: "get",
    path: "/health",
    operationId: "getHealth",
    summary: "Whether the network, the database, the bucket and the way to the engines answer",
    description:
      "Always 200 within a few seconds, with `false` for what does not answer. Up to 30 " +
      "seconds old; it starts no engine.",
    tags: ["Liveness"],
    permission: "everybody",
    responses: { 200: answers("What answers", Health), ...failsOnly("too_many_requests", "internal_error") },
  }),
  async (c) => c.json(await getHealth(clientsOf(c), new Date(), (work) => c.executionCtx.waitUntil(work)), 200),
);
