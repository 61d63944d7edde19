// GET /v4/usage

import { enveloped } from "../../http/answer.ts";
import { createRouter } from "../../http/router.ts";
import { getUsage, Usage } from "./usage.ts";

export const quotas = createRouter(["Usage", "Extensions"]);

quotas.operation("getUsage", "GET /", {
  permission: "team:manage",
  summary: "Get what the team holds and uses of its plan",
  description:
    "And what the plan allows. A request beyond it is refused with 426, and says what is full. What is held is exact; " +
    "how fresh the others are stands with each.",
  answer: enveloped("As it is now", Usage),
  run: (ctx) => getUsage(ctx),
});
