// GET / and GET /health: for load balancers and people, without a key.

import { plain } from "../../http/answer.ts";
import { createRouter } from "../../http/router.ts";
import { getHealth } from "./get-health.ts";
import { Health } from "./health.ts";
import { getLiveness, Liveness } from "./liveness.ts";

export const liveness = createRouter(["Liveness"]);

liveness.operation("getLiveness", "GET /", {
  permission: "everybody",
  summary: "Whether the API answers",
  description: "That the Worker runs. It asks nothing else, and needs no key.",
  answer: plain("It does", Liveness),
  fails: ["too_many_requests"],
  run: () => getLiveness(),
});

liveness.operation("getHealth", "GET /health", {
  permission: "everybody",
  summary: "Whether the network, the database, the bucket and the way to the engines answer",
  description:
    "Always 200 within a few seconds, with `false` for what does not answer. Up to 30 " +
    "seconds old; it starts no engine.",
  answer: plain("What answers", Health),
  fails: ["too_many_requests"],
  run: (ctx) => getHealth(ctx, new Date(), ctx.waitUntil),
});
