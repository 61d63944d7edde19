// The tools of semantic models.

import { z } from "@hono/zod-openapi";
import { Problem } from "../../../core/problem.ts";
import { didYouMean } from "../../semantic/did-you-mean.ts";
import { tool } from "../tool.ts";
import { cubesOf } from "./context.ts";
import { rowsOf } from "./statements.ts";

export const semanticMeta = tool({
  name: "semantic_meta",
  group: "semantic",
  title: "What a model offers",
  description: "Members of a semantic model with types and descriptions; of the named cubes only, if any are named.",
  input: z.strictObject({ integration_id: z.string(), cubes: z.array(z.string()).optional() }),
  operations: ["getSemanticMeta"],
  reads: true,
  async run(calls, { integration_id, cubes: asked }) {
    const cubes = await cubesOf(calls, integration_id);
    if (!asked) return cubes;
    const names = cubes.map(({ name }) => name);
    const missing = asked.filter((name) => !names.includes(name));
    if (missing.length > 0) {
      const flaws = missing.map((name) => ({
        pointer: "/cubes",
        message: `The model has no cube ${name}.${didYouMean(name, names)}`,
      }));
      throw new Problem("validation_failed", "One or more cubes are not in the model.", flaws);
    }
    return cubes.filter(({ name }) => asked.includes(name));
  },
});

export const semanticQuery = tool({
  name: "semantic_query",
  group: "semantic",
  title: "Ask a model",
  description:
    'Rows by Cube\'s REST query: {"measures":["orders.count"],"dimensions":[],"timeDimensions":[{"dimension":"orders.at",' +
    '"granularity":"month","dateRange":"last year"}],"filters":[{"member":"…","operator":"equals","values":["…"]}],' +
    '"order":{},"limit":100}.',
  input: z.strictObject({ query: z.record(z.string(), z.unknown()), integration_id: z.string().optional() }),
  operations: ["runQuery"],
  reads: true,
  run: (calls, { query, integration_id }) => rowsOf(calls.readingOnly, { cube_query: query, integration_id }),
});
