// POST /v4/admin/bootstrap: asks for the deployment's secret where every other operation asks for a key.

import { createMiddleware } from "hono/factory";
import { bearerOf } from "../../../http/authenticate.ts";
import { BODY_FAILURES, enveloped, envelope, failsOnly, json } from "../../../http/answer.ts";
import { operation } from "../../../http/operation.ts";
import { createRouter, type AppEnv } from "../../../http/router.ts";
import { createFirstOperator, requireBootstrapSecret } from "./create-first-operator.ts";
import { CreatedTeam } from "../admin-routes.ts";
import { Bootstrap } from "../team.ts";
import { clientsOf } from "../../../http/app-env.ts";

export const bootstrap = createRouter();

/** Before the body is read, which could be anybody's. */
const bySecret = createMiddleware<AppEnv>(async (c, next) => {
  await requireBootstrapSecret(clientsOf(c), bearerOf(c.req.raw.headers));
  await next();
});

bootstrap.openapi(
  operation({
    method: "post",
    path: "/",
    operationId: "createFirstOperator",
    summary: "Mint the platform's first operator, once",
    description:
      "Send `Authorization: Bearer <BOOTSTRAP_SECRET>`. Answers 409 as soon as there is an operator, " +
      "and 401 where no secret is set.",
    tags: ["Teams", "Extensions"],
    permission: "own_check",
    middleware: [bySecret] as const,
    request: { body: { required: true, ...json(Bootstrap) } },
    responses: {
      201: enveloped("The operator's team, account, and a key that is shown this once", CreatedTeam),
      ...failsOnly("auth_invalid_token", "resource_conflict", "internal_error", ...BODY_FAILURES),
    },
  }),
  async (c) => c.json(envelope(c, await createFirstOperator(clientsOf(c), c.req.valid("json"), new Date())), 201),
);
