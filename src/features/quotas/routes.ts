// GET /v4/usage

import { enveloped, envelope, fails } from "../../http/answer.ts";
import { operation } from "../../http/operation.ts";
import { createRouter } from "../../http/router.ts";
import { getUsage, Usage } from "./usage.ts";

export const quotas = createRouter();

quotas.openapi(
  operation({
    method: "get",
    path: "/",
    operationId: "getUsage",
    summary: "Get what the team holds and uses of its plan",
    description:
      "And what the plan allows. A request beyond it is refused with 426, and says what is full. What is held is exact; " +
      "how fresh the others are stands with each.",
    tags: ["Usage", "Extensions"],
    permission: "team:manage",
    responses: { 200: enveloped("As it is now", Usage), ...fails() },
  }),
  async (c) => c.json(envelope(c, await getUsage(c.get("ctx"))), 200),
);
