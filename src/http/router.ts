// The Hono app every feature mounts on, and the router every feature writes on.

import { OpenAPIHono, type RouteConfig } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { App, AppEnv } from "./app-env.ts";
import { fillAbsentBody, isStreamed, limitBody } from "./request/body.ts";
import { LayeredRouter } from "./layered-router.ts";
import { standardHeaders } from "./middleware.ts";
import { setFlawTexts } from "./request/flaw-texts.ts";
import { refuseUnknownQuery } from "./request/query-params.ts";
import { answerInvalid, answerInvalidAs400, answerProblem, answerProblemAs400 } from "./render-problem.ts";
import { answerUnrouted } from "./unrouted.ts";

export type { App, AppEnv } from "./app-env.ts";

/** The root: its error handler and its answer to unknown routes serve every mounted router. */
export function createApp(): App {
  setFlawTexts();
  const app: App = new OpenAPIHono<AppEnv>({ defaultHook: answerInvalid, router: new LayeredRouter() });
  app.onError(answerProblem);
  app.notFound((c) => answerUnrouted(app, c));
  app.use(standardHeaders);
  return app;
}

/**
 * A feature's router. Operations that declare a body get its size limit, and its default where it is optional; those
 * that declare no query refuse one.
 */
export function createRouter(): App {
  return declaring(new OpenAPIHono<AppEnv>({ defaultHook: answerInvalid }));
}

/** A router of version 3, where all that is invalid is 400. */
export function createV3Router(): App {
  const router: App = new OpenAPIHono<AppEnv>({ defaultHook: answerInvalidAs400 });
  router.onError(answerProblemAs400);
  return declaring(router);
}

function declaring(router: App): App {
  const register = router.openapi as (route: Declared, ...rest: unknown[]) => App;
  router.openapi = ((route: Declared, ...rest: unknown[]) =>
    register({ ...route, middleware: [...middlewareOf(route), ...impliedBy(route)] }, ...rest)) as App["openapi"];
  return router;
}

type Declared = RouteConfig & { middleware?: MiddlewareHandler | MiddlewareHandler[] };

const middlewareOf = ({ middleware = [] }: Declared): MiddlewareHandler[] =>
  Array.isArray(middleware) ? middleware : [middleware];

function impliedBy({ request, security }: Declared): MiddlewareHandler[] {
  const isPublic = security?.length === 0;
  return [...impliedByBody(request?.body), ...(request?.query || isPublic ? [] : [refuseUnknownQuery])];
}

function impliedByBody(body: NonNullable<Declared["request"]>["body"]): MiddlewareHandler[] {
  if (!body || isStreamed(body)) return [];
  return body.required ? [limitBody] : [limitBody, fillAbsentBody];
}
