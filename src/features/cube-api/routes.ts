// /cubejs-api/v1 and /cubejs-api/{integration_id}/v1: Cube's REST API, for its clients as they are. It translates: what
// is asked goes to the verbs that /v1/query and the model's own routes have.

import { z } from "@hono/zod-openapi";
import { plain } from "../../http/answer.ts";
import type { CallContext } from "../../http/call.ts";
import { createRouter, type App } from "../../http/router.ts";
import { findAddressed } from "./address.ts";
import { CubeDryRun, dryRunCubeQuery } from "./dry-run.ts";
import { CubeMeta, getCubeMeta } from "./get-meta.ts";
import { CubeSql, getCubeSql } from "./get-sql.ts";
import { CONTINUE_WAIT, CubeLoaded } from "./loaded.ts";
import { loadCubeQuery } from "./load.ts";
import { callOf, readSentQuery, SentInAddress, SentInBody, type Sent, type SentQuery } from "./sent-query.ts";

/** A question about a query, by GET and by POST alike. */
type Verb = {
  path: string;
  id: string;
  summary: string;
  description: string;
  answer: z.ZodType<unknown, object>;
  run: (ctx: CallContext, asked: SentQuery & { integrationId: string }) => Promise<Response>;
};

const load: Pick<Verb, "answer" | "run"> = {
  answer: CubeLoaded,
  async run(ctx, asked) {
    const call = callOf(ctx.request.headers.get("x-request-id") ?? undefined);
    const rows = await loadCubeQuery(ctx, { ...asked, call }, ctx.waitUntil);
    return rows
      ? new Response(rows, { headers: { "Content-Type": "application/json" } })
      : Response.json(CONTINUE_WAIT);
  },
};

const VERBS: Verb[] = [
  {
    path: "load",
    id: "loadCubeQuery",
    summary: "Run a query of one of Cube's clients",
    description:
      "As `POST /v1/query` runs a `cube_query`, with 64-bit and wider integers and decimals as strings. While the query " +
      'runs the answer is, after some seconds, `{"error": "Continue wait"}` with status 200: the same request is to be ' +
      "sent again. An answer that would be cut fails. A list of queries has its answers in `results`, in their order.",
    ...load,
  },
  {
    path: "subscribe",
    id: "subscribeCubeQuery",
    summary: "Run a query of a client that subscribes to it by HTTP",
    description: "As `load`: the client asks again and again.",
    ...load,
  },
  {
    path: "sql",
    id: "getCubeSql",
    summary: "Show one of Cube's clients the SQL of a query",
    description: "It is not run. A query that compares ranges, and a list of queries, has a list of statements.",
    answer: z.union([CubeSql, z.array(CubeSql).openapi("CubeSqlList")]),
    run: async (ctx, asked) => Response.json(await getCubeSql(ctx, asked)),
  },
  {
    path: "dry-run",
    id: "dryRunCubeQuery",
    summary: "Show one of Cube's clients what a query means",
    description: "Its members are looked up and its dates resolved; no database is asked.",
    answer: CubeDryRun,
    run: async (ctx, asked) => Response.json(await dryRunCubeQuery(ctx, asked)),
  },
];

const FAILS = [
  "query_failed",
  "connection_failed",
  "resource_not_found",
  "query_timeout",
  "resource_conflict",
  "query_cancelled",
  "engine_unavailable",
] as const;

/** `named`: of an address with the model's id in it; the other is of the team's only model. */
export function createCubeApi(named: boolean): App {
  const router = createRouter(["Cube's API", "Extensions"], "cube");
  for (const verb of VERBS) addOperations(router, verb, named);
  addMeta(router, named);
  return router;
}

const ModelPath = z.object({ integration_id: z.string() });
const paramsOf = (named: boolean) => (named ? { params: ModelPath } : {});

const whichModel = (named: boolean): string =>
  named ? "" : " Of the team's only semantic model; where there are several, each has an address with its id.";

/** The model is looked up before the query is read: an id that is nobody's is not found, whatever is asked. */
function addOperations(router: App, verb: Verb, named: boolean): void {
  const declared = {
    permission: "query",
    summary: verb.summary,
    description: verb.description + whichModel(named),
    ...paramsOf(named),
    responses: { 200: plain("The answer, in Cube's form", verb.answer).document },
    fails: FAILS,
  } as const;
  type LoadInput = { params: { integration_id: string } | undefined; sent: Sent };
  const respond = async (ctx: CallContext, { params, sent }: LoadInput) => {
    const model = await findAddressed(ctx, params?.integration_id);
    return verb.run(ctx, { ...readSentQuery(sent), ...model });
  };
  const suffix = named ? "OfModel" : "";
  router.rawOperation(`${verb.id}${suffix}`, `GET /${verb.path}`, {
    ...declared,
    query: SentInAddress,
    respond: (ctx, { params, query }) => respond(ctx, { params, sent: query }),
  });
  router.rawOperation(`${verb.id}ByPost${suffix}`, `POST /${verb.path}`, {
    ...declared,
    audit: "none",
    reads: true,
    body: SentInBody,
    respond: (ctx, { params, body }) => respond(ctx, { params, sent: body }),
  });
}

function addMeta(router: App, named: boolean): void {
  router.operation(`getCubeMeta${named ? "OfModel" : ""}`, "GET /meta", {
    permission: "query",
    summary: "List for one of Cube's clients what the model offers",
    description:
      "Its public cubes and views, without what your roles hide. `extended` adds nothing: the text of a model is for " +
      `those who may write it.${whichModel(named)}`,
    ...paramsOf(named),
    query: z.looseObject({ onlyViews: z.string().optional() }),
    answer: plain("What there is to ask for", CubeMeta),
    fails: ["resource_not_found"],
    async run(ctx, { params, query }) {
      const model = await findAddressed(ctx, params?.integration_id);
      return getCubeMeta(ctx, { ...model, onlyViews: query.onlyViews === "true" });
    },
  });
}
