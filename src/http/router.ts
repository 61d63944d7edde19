// The Hono app every feature mounts on, and the router on which every feature declares its operations.

import { createRoute, OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import type { AnswerDocument } from "./answer.ts";
import { callOf, openCallOf, type AppEnv } from "./app-env.ts";
import type { CallContext, OpenContext } from "./call.ts";
import { failuresOf, type Dialect } from "./failures.ts";
import { LayeredRouter } from "./layered-router.ts";
import { standardHeaders } from "./middleware.ts";
import {
  Operation,
  type Audited,
  type ContextOf,
  type Described,
  type Permission,
  type Responding,
  type Route,
  type Valid,
  type Valued,
} from "./operation.ts";
import { answerInvalid, answerInvalidAs400, answerProblem, answerProblemAs400 } from "./render-problem.ts";
import { fillAbsentBody, isStreamed, limitBody } from "./request/body.ts";
import { setFlawTexts } from "./request/flaw-texts.ts";
import { prefersYaml, YAML } from "./request/media-types.ts";
import { refuseUnknownQuery } from "./request/query-params.ts";
import { readYamlBody } from "./request/yaml-body.ts";
import { answerUnrouted } from "./unrouted.ts";

export type { AppEnv } from "./app-env.ts";

type RouterOptions = ConstructorParameters<typeof OpenAPIHono<AppEnv>>[0] & {
  dialect?: Dialect;
  tags?: readonly string[];
};

export class App extends OpenAPIHono<AppEnv> {
  /** Every operation that was declared here, or on a router that is mounted here: what other transports may call. */
  readonly operations: Operation[] = [];
  readonly #dialect: Dialect;
  readonly #tags: readonly string[];

  constructor({ dialect = "v4", tags = [], ...options }: RouterOptions) {
    super(options);
    this.#dialect = dialect;
    this.#tags = tags;
  }

  /** Serves another router's operations below a path. */
  include(path: string, router: App): void {
    this.route(path, router);
    this.operations.push(...router.operations);
  }

  /**
   * Declares an operation and answers it by HTTP. The router adds what follows from the declaration: the failures, the
   * bounds of the body, and that a query which is not declared is refused.
   */
  operation<
    const Given extends Permission,
    const Of extends Route,
    Value,
    Params extends z.ZodObject | undefined = undefined,
    Query extends z.ZodType | undefined = undefined,
    Body extends z.ZodType | undefined = undefined,
  >(
    id: string,
    route: Of,
    declared: Described<Given, Params, Query, Body> &
      Valued<ContextOf<Given>, Valid<Params, Query, Body>, Value> &
      Audited<Of>,
  ): this {
    const { run, ...rest } = declared;
    return this.#serve(new Operation(id, route, rest as never, run));
  }

  /** Serves an operation that writes its response itself, as one that streams does. */
  rawOperation<
    const Given extends Permission,
    const Of extends Route,
    Params extends z.ZodObject | undefined = undefined,
    Query extends z.ZodType | undefined = undefined,
    Body extends z.ZodType | undefined = undefined,
  >(
    id: string,
    route: Of,
    declared: Described<Given, Params, Query, Body> &
      Responding<ContextOf<Given>, Valid<Params, Query, Body>> &
      Audited<Of>,
  ): this {
    const { respond, ...rest } = declared;
    return this.#serve(new Operation(id, route, rest as never, respond));
  }

  #serve(operation: Operation): this {
    this.operations.push(operation);
    const route = createRoute(routeOf(operation, this.#dialect, this.#tags));
    this.openapi(route, (async (c: Context<AppEnv>) => answerCall(c, operation)) as never);
    return this;
  }
}

/** The root: its error handler and its answer to unknown routes serve every mounted router. */
export function createApp(): App {
  setFlawTexts();
  const app = new App({ defaultHook: answerInvalid, router: new LayeredRouter() });
  app.onError(answerProblem);
  app.notFound((c) => answerUnrouted(app, c));
  app.use(standardHeaders);
  return app;
}

/** A feature's router. Its operations have these tags, unless they say otherwise. */
export const createRouter = (tags: readonly string[] = [], dialect: Dialect = "v4"): App =>
  new App({ defaultHook: answerInvalid, tags, dialect });

/** A router of version 3, where all that is invalid is 400. */
export function createV3Router(tags: readonly string[]): App {
  const router = new App({ defaultHook: answerInvalidAs400, tags, dialect: "v3" });
  router.onError(answerProblemAs400);
  return router;
}

/** What the framework and the document are told of an operation. */
function routeOf(operation: Operation, dialect: Dialect, tags: readonly string[]): RouteConfig {
  const { id, method, path, isOpen, declared } = operation;
  const { permission, summary, description, params, query, requestHeaders = {}, fails = [] } = declared;
  const body = bodyOf(operation);
  const isPublic = permission === "everybody";
  const responses: Record<number, AnswerDocument> = declared.answer
    ? { [declared.answer.status]: declared.answer.document }
    : (declared.responses ?? {});
  const implied = { names: hasFreeText(params), hasBody: body !== undefined, isOpen };
  return {
    method: method.toLowerCase() as RouteConfig["method"],
    path,
    operationId: id,
    summary,
    description,
    ...(Object.keys(requestHeaders).length > 0 && { parameters: headerParameters(requestHeaders) }),
    tags: [...(declared.tags ?? tags)],
    ...(isPublic ? { security: [] } : {}),
    ...({ "x-permission": permission } as object),
    request: { ...(params && { params }), ...(query && { query: query as never }), ...(body && { body }) },
    responses: { ...failuresOf(dialect, fails, implied), ...responses } as RouteConfig["responses"],
    middleware: [
      ...(isOpen ? [] : [permitting(operation)]),
      ...(declared.middleware ?? []),
      ...(body && !isStreamed(body) ? [limitBody, ...(body.required ? [] : [fillAbsentBody])] : []),
      ...(declared.yamlBody ? [readYamlBody(declared.yamlBody)] : []),
      ...(query || isPublic ? [] : [refuseUnknownQuery]),
    ],
  };
}

type Body = NonNullable<NonNullable<RouteConfig["request"]>["body"]>;

function bodyOf({ declared: { body, optionalBody, rawBody, yamlBody, example } }: Operation): Body | undefined {
  const schema = body ?? optionalBody;
  if (!schema) return rawBody as Body | undefined;
  const content = {
    "application/json": { schema, ...(example !== undefined && { example }) },
    ...(yamlBody && { "application/yaml": { schema: { type: "string" as const }, example: yamlBody.example } }),
  };
  return { required: body !== undefined, content };
}

/** Whether a part of the path is a text of the caller's, which may name nothing; one of a list of words is no such. */
const hasFreeText = (params: z.ZodObject | undefined): boolean =>
  Object.values(params?.shape ?? {}).some((schema) => !(schema instanceof z.ZodEnum));

const headerParameters = (headers: Record<string, string>) =>
  Object.entries(headers).map(([name, description]) => ({
    in: "header" as const,
    name,
    required: false,
    description,
    schema: { type: "string" as const },
  }));

/** By HTTP the right is checked before anything of the input is read, and again with the verb. */
const permitting = (operation: Operation): MiddlewareHandler =>
  createMiddleware<AppEnv>(async (c, next) => {
    operation.permit(c.get("ctx"));
    await next();
  });

async function answerCall(c: Context<AppEnv>, operation: Operation): Promise<Response> {
  const { answer, params, query, body, optionalBody } = operation.declared;
  const call: CallContext | OpenContext = operation.isOpen ? openCallOf(c) : callOf(c);
  const value = await operation.perform(call, {
    params: params && c.req.valid("param" as never),
    query: query && c.req.valid("query" as never),
    body: (body ?? optionalBody) && c.req.valid("json" as never),
  });
  // Through the framework, which adds the headers that middleware has set.
  if (!answer) {
    const response = value as Response;
    if (c.req.method !== "HEAD") return c.newResponse(response.body, response);
    // The framework drops the body of HEAD; whoever fills it has to learn of that.
    await response.body?.cancel();
    return c.newResponse(null, response);
  }
  const sent = answer.bodyOf(call, value as never);
  const headers = answer.headersOf?.(value as never) ?? {};
  if (answer.status === 204 || sent === undefined) return c.body(null, 204, headers);
  if (answer.yamlOf && prefersYaml(c.req.header("accept") ?? null))
    return c.body(answer.yamlOf(value as never), answer.status, { ...headers, "Content-Type": YAML });
  return c.json(sent, answer.status, headers);
}
