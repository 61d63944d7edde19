// POST /v4/admin/bootstrap: asks for the deployment's secret where every other operation asks for a key.

import { createMiddleware } from "hono/factory";
import { bearerOf } from "../../../http/authenticate.ts";
import { enveloped } from "../../../http/answer.ts";
import { createRouter, type AppEnv } from "../../../http/router.ts";
import { createFirstOperator, requireBootstrapSecret } from "./create-first-operator.ts";
import { CreatedTeam } from "../admin-routes.ts";
import { Bootstrap } from "../team.ts";
import { clientsOf } from "../../../http/app-env.ts";

export const bootstrap = createRouter(["Teams", "Extensions"]);

/** Before the body is read, which could be anybody's. */
const bySecret = createMiddleware<AppEnv>(async (c, next) => {
  await requireBootstrapSecret(clientsOf(c), bearerOf(c.req.raw.headers));
  await next();
});

bootstrap.operation("createFirstOperator", "POST /", {
  permission: "own_check",
  audit: "operator.create",
  summary: "Mint the platform's first operator, once",
  description:
    "Send `Authorization: Bearer <BOOTSTRAP_SECRET>`. Answers 409 as soon as there is an operator, " +
    "and 401 where no secret is set.",
  middleware: [bySecret],
  body: Bootstrap,
  answer: enveloped("The operator's team, account, and a key that is shown this once", CreatedTeam, 201),
  fails: ["auth_invalid_token", "resource_conflict"],
  run: (ctx, { body }) => createFirstOperator(ctx, body, new Date()),
});
