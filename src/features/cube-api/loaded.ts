// The shapes of what `load` answers, in Cube's form.

import { z } from "@hono/zod-openapi";
import { QUERY_TYPES } from "./plan.ts";

const Query = z.record(z.string(), z.unknown());

const CubeResult = z
  .looseObject({
    query: Query.openapi({ description: "The query as it was understood." }),
    annotation: Query.openapi({ description: "Of each member that is selected: title, type, format and the like." }),
    data: z.unknown().openapi({ description: "The rows, in the layout of `responseFormat`." }),
  })
  .openapi("CubeResult");

const CubeResults = z
  .looseObject({
    queryType: z.enum(QUERY_TYPES),
    results: z.array(CubeResult),
    pivotQuery: Query,
    slowQuery: z.boolean(),
  })
  .openapi("CubeResults", { description: "With `queryType=multi`." });

/** Clients of Cube know this answer: they send the request again. */
export const CONTINUE_WAIT = { error: "Continue wait" as const };

const CubeContinueWait = z
  .object({ error: z.literal(CONTINUE_WAIT.error) })
  .openapi("CubeContinueWait", { description: "The query runs: send the same request again." });

export const CubeLoaded = z.union([CubeContinueWait, CubeResults, CubeResult]);
