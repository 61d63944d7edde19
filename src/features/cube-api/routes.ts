// /cubejs-api/v1 and /cubejs-api/{integration_id}/v1: Cube's REST API, for its clients as they are. It translates: what
// is asked goes to the verbs that /v1/query and the model's own routes have.

import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { answers, BODY_FAILURES, failsAsCube, json } from "../../http/answer.ts";
import { operation } from "../../http/operation.ts";
import { createRouter, type App, type AppEnv } from "../../http/router.ts";
import { findAddressed } from "./address.ts";
import { CubeDryRun, dryRunCubeQuery } from "./dry-run.ts";
import { CubeMeta, getCubeMeta } from "./get-meta.ts";
import { CubeSql, getCubeSql } from "./get-sql.ts";
import { CONTINUE_WAIT, CubeLoaded } from "./loaded.ts";
import { loadCubeQuery } from "./load.ts";
import { callOf, readSentQuery, SentInAddress, SentInBody, type SentQuery } from "./sent-query.ts";

const TAGS = ["Cube's API", "Extensions"];

/** A question about a query, by GET and by POST alike. */
type Verb = {
  path: string;
  id: string;
  summary: string;
  description: string;
  answer: z.ZodType;
  run: (c: Context<AppEnv>, asked: SentQuery & { integrationId: string }) => Promise<Response>;
};

const load: Pick<Verb, "answer" | "run"> = {
  answer: CubeLoaded,
  async run(c, asked) {
    const call = callOf(c.req.header("x-request-id"));
    const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
    const rows = await loadCubeQuery(c.get("ctx"), { ...asked, call }, waitUntil);
    return rows ? c.body(rows, 200, { "Content-Type": "application/json" }) : c.json(CONTINUE_WAIT, 200);
  },
};

const VERBS: Verb[] = [
  {
    path: "/load",
    id: "loadCubeQuery",
    summary: "Run a query of one of Cube's clients",
    description:
      "As `POST /v1/query` runs a `cube_query`, with 64-bit and wider integers and decimals as strings. While the query " +
      'runs the answer is, after some seconds, `{"error": "Continue wait"}` with status 200: the same request is to be ' +
      "sent again. An answer that would be cut fails. A list of queries has its answers in `results`, in their order.",
    ...load,
  },
  {
    path: "/subscribe",
    id: "subscribeCubeQuery",
    summary: "Run a query of a client that subscribes to it by HTTP",
    description: "As `load`: the client asks again and again.",
    ...load,
  },
  {
    path: "/sql",
    id: "getCubeSql",
    summary: "Show one of Cube's clients the SQL of a query",
    description: "It is not run. A query that compares ranges, and a list of queries, has a list of statements.",
    answer: z.union([CubeSql, z.array(CubeSql).openapi("CubeSqlList")]),
    run: async (c, asked) => c.json(await getCubeSql(c.get("ctx"), asked), 200),
  },
  {
    path: "/dry-run",
    id: "dryRunCubeQuery",
    summary: "Show one of Cube's clients what a query means",
    description: "Its members are looked up and its dates resolved; no database is asked.",
    answer: CubeDryRun,
    run: async (c, asked) => c.json(await dryRunCubeQuery(c.get("ctx"), asked), 200),
  },
];

const FAILURES = failsAsCube(
  "query_failed",
  "connection_failed",
  "resource_not_found",
  "query_timeout",
  "resource_conflict",
  "query_cancelled",
  "engine_unavailable",
);

/** `named`: of an address with the model's id in it; the other is of the team's only model. */
export function createCubeApi(named: boolean): App {
  const router = createRouter();
  for (const verb of VERBS) {
    for (const method of ["get", "post"] as const) addOperation(router, verb, { method, named });
  }
  addMeta(router, named);
  return router;
}

const paramsOf = (named: boolean) => (named ? { params: z.object({ integration_id: z.string() }) } : {});

const idOf = (id: string, { method, named }: { method: "get" | "post"; named: boolean }): string =>
  `${id}${method === "post" ? "ByPost" : ""}${named ? "OfModel" : ""}`;

const whichModel = (named: boolean): string =>
  named ? "" : " Of the team's only semantic model; where there are several, each has an address with its id.";

/** The model is looked up before the query is read: an id that is nobody's is not found, whatever is asked. */
function addOperation(router: App, verb: Verb, at: { method: "get" | "post"; named: boolean }): void {
  const params = paramsOf(at.named);
  const isPost = at.method === "post";
  const route = operation({
    method: at.method,
    path: verb.path,
    operationId: idOf(verb.id, at),
    summary: verb.summary,
    description: verb.description + whichModel(at.named),
    tags: TAGS,
    permission: "query",
    request: { ...params, ...(isPost ? { body: { required: true, ...json(SentInBody) } } : { query: SentInAddress }) },
    responses: {
      200: answers("The answer, in Cube's form", verb.answer),
      ...FAILURES,
      ...(isPost ? failsAsCube(...BODY_FAILURES) : {}),
    },
  });
  // One handler for both ways of sending, whose inputs have different types.
  (router.openapi as (of: typeof route, handler: (c: Context<AppEnv>) => Promise<Response>) => unknown)(
    route,
    async (c) => {
      const model = await findAddressed(c.get("ctx"), c.req.param("integration_id"));
      const sent = c.req.valid((isPost ? "json" : "query") as never) as z.infer<typeof SentInAddress>;
      return verb.run(c, { ...readSentQuery(sent), ...model });
    },
  );
}

function addMeta(router: App, named: boolean): void {
  const params = paramsOf(named);
  const route = operation({
    method: "get",
    path: "/meta",
    operationId: idOf("getCubeMeta", { method: "get", named }),
    summary: "List for one of Cube's clients what the model offers",
    description:
      "Its public cubes and views, without what your roles hide. `extended` adds nothing: the text of a model is for " +
      `those who may write it.${whichModel(named)}`,
    tags: TAGS,
    permission: "query",
    request: { ...params, query: z.looseObject({ onlyViews: z.string().optional() }) },
    responses: { 200: answers("What there is to ask for", CubeMeta), ...failsAsCube("resource_not_found") },
  });
  router.openapi(route, async (c) => {
    const model = await findAddressed(c.get("ctx"), c.req.param("integration_id"));
    const onlyViews = c.req.query("onlyViews") === "true";
    return c.json(await getCubeMeta(c.get("ctx"), { ...model, onlyViews }), 200);
  });
}
